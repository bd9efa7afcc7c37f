package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/features/oware/thesis"
	"kroo/regress"
)

func featuresCommand() *cobra.Command {
	var out, set string
	cmd := &cobra.Command{
		Use:     "features LABELS",
		Short:   "compute the features of every labelled position",
		Example: "  train features labels.parquet -o features.parquet --set thesis",
		Args:    exactArgs(1, "the dataset of labels"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needOut(out); err != nil {
				return err
			}
			if err := oneOf("set", set, thesis.Sets.Names()...); err != nil {
				return err
			}
			update, finish := progress("features", "rows")
			rows, err := regress.Tabulate(cmd.Context(), args[0], out, set, update)
			finish()
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%d rows of the set %s in %s\nnext: train fit %s -o weights.json --select backward\n", rows, set, out, out)
			return nil
		},
	}
	cmd.Flags().StringVar(&set, "set", "thesis", "feature set: "+strings.Join(thesis.Sets.Names(), ", "))
	outFlag(cmd, &out, "dataset to write (.parquet or .arrow)")
	return cmd
}
