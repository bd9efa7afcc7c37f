package commands

import (
	"github.com/spf13/cobra"

	"kroo/features"
)

func weightsCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "weights",
		Short: "calibrate weights, or write them for other programs",
		Example: "  train weights calibrate mine.weights games.ogn -o calibrated.weights\n" +
			"  train weights export default --format c -o champion.c",
	}, weightsExportCommand(), weightsCalibrateCommand())
}

var (
	jsonForm    = []string{".json"}
	exportForms = map[string][]string{"json": jsonForm, "c": {".c", ".h"}}
)

// columnWeights returns the weights of a file for columns that another program has computed, or nil.
func columnWeights(path string) *features.Weights {
	data, err := features.ReadFile(path)
	if err != nil || features.IsPacked(data) {
		return nil // a name, or tables of the engine
	}
	w, err := features.ParseWeights(data, path)
	if err != nil || w.Columns == nil {
		return nil
	}
	return w
}
