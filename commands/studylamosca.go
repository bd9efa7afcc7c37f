package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/engine/study"
	values "kroo/features/chess"
	"kroo/internal/parallel"
)

func studyLaMoSca() *cobra.Command {
	var s studyFlags
	var weights string
	cmd := &cobra.Command{
		Use:   "lamosca",
		Short: "repeat the two published sessions of LaMoSca, a minimax chess program",
		Long: `Repeats what LaMoSca v0.06 printed when it searched for its first move at levels 2
and 4, by its own rules and its evaluation as far as the printed values determine
it: that evaluation is reconstructed, not published. With --weights it also prints
the values of pieces and squares in a weights file of chess next to LaMoSca's.`,
		Example: "  train study lamosca\n  train study lamosca --weights chess.json",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			var fitted *study.FittedValues
			if weights != "" {
				w, err := values.Sets.Load(weights)
				if err != nil {
					return err
				}
				if fitted, err = study.ValuesBesideLaMoSca(weights, w); err != nil {
					return fmt.Errorf("%s: %w", weights, err)
				}
			}
			return s.measure(cmd, "moves", func(update parallel.Progress) (study.Result, error) {
				r, err := study.LaMoSca(cmd.Context(), values.LaMoSca(), "lamosca, reconstructed", update)
				if err == nil {
					r.Tables = fitted
				}
				return r, err
			})
		},
	}
	s.addOutput(cmd)
	cmd.Flags().StringVar(&weights, "weights", "", "a weights file of chess to compare with LaMoSca's values")
	return cmd
}
