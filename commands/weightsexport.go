package commands

import (
	"cmp"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"kroo/internal/atomicfile"
	"kroo/run/inspect"
)

func weightsExportCommand() *cobra.Command {
	var f struct {
		Format string `name:"format" choices:"json c" help:"json or c (default by the extension of -o, else json)"`
		Out    string `name:"output" flag:"output,o" file:"out" help:"file to write (default -, the standard output)"`
	}
	cmd := withoutJSON(&cobra.Command{
		Use:   "export WEIGHTS",
		Short: "write weights as JSON or C",
		Long: `Writes weights for your own programs. json contains the weight of every column by
name, in points, if the model of pattern weights is there (NAME.model, given or next
to NAME.weights); otherwise the integers of the engine's tables. c is a C99 source
file with these tables and a function that reads them. docs/formats.md has a reader
of each.`,
		Example: "  train weights export default --format c -o champion.c\n  train weights export default -o champion.json",
	}, func(j *job) error {
		w, err := inspectGames().Weights(j.args[0])
		if err != nil {
			return err
		}
		format := exportFormat(f.Format, f.Out)
		write := func(to io.Writer) error { return w.Export(to, format) }
		if f.Out == "" || f.Out == "-" {
			return write(j.OutOrStdout())
		}
		kind := inspect.KindUnknown
		if format == "json" && w.Facts().Linear != nil { // a file that can be read back
			kind = inspect.KindWeights
		}
		forms := exportForms[format]
		if f.Format == "" {
			forms = slices.Concat(exportForms["json"], exportForms["c"])
		}
		out := output{path: f.Out, kind: kind, forms: forms, compared: true}
		if _, err := j.claimOutputs([]output{out}, j.args[0]); err != nil {
			return err
		}
		return atomicfile.WriteFile(f.Out, write)
	}, &f)
	cmd.Flags().Lookup("output").Annotations[printable] = []string{}
	return cmd
}

// exportFormat returns the format of weights for other programs: the given one, or the one of the name
// of the output.
func exportFormat(given, out string) string {
	if given == "" && hasForm(out, exportForms["c"]) {
		return "c"
	}
	return cmp.Or(given, "json")
}
