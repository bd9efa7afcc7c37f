package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/regress"
)

func fitCommand() *cobra.Command {
	var req regress.FitRequest
	cmd := &cobra.Command{
		Use:   "fit FEATURES",
		Short: "fit antisymmetric weights by least squares",
		Long: `Fits weights of the feature differences to the labels, in points, and writes
them with the statistics of the fit. Backward elimination drops the features
that matter least as long as the correlation stays within --tolerance.`,
		Example: "  train fit features.parquet -o weights.json --select backward --validate features-validation.parquet",
		Args:    exactArgs(1, "the dataset of features"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("select", req.Select, "backward", "none"); err != nil {
				return err
			}
			if !(req.Tolerance >= 0 && req.Tolerance <= 1) || !(req.Ridge >= 0 && req.Ridge <= 1e12) {
				return usagef("--tolerance %g, --ridge %g: expected 0 to 1 and 0 to 1e12", req.Tolerance, req.Ridge)
			}
			if err := needOut(req.Out); err != nil {
				return err
			}
			req.Training = args[0]
			update, finish := progress("fit", "fits")
			sum, err := regress.FitFiles(cmd.Context(), req, update)
			finish()
			if err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s\nweights of %s in %s\nnext: train inspect %s, or train match --a %s --b captures\n",
				sum, strings.Join(sum.Selected.Features, " "), req.Out, req.Out, req.Out)
			return nil
		},
	}
	f := cmd.Flags()
	f.StringVar(&req.Validation, "validate", "", "dataset of features to measure on")
	f.StringVar(&req.Select, "select", "none", "backward or none")
	f.Float64Var(&req.Tolerance, "tolerance", regress.DefaultTolerance, "of R, for --select backward")
	f.Float64Var(&req.Ridge, "ridge", 0, "ridge penalty, in units of the scaled Gram matrix's diagonal")
	outFlag(cmd, &req.Out, "weights to write (.json)")
	return cmd
}
