package main

import (
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/sampler"
)

func labelCommand() *cobra.Command {
	var search searchFlags
	var workers int
	var out, weights string
	cmd := &cobra.Command{
		Use:     "label POSITIONS",
		Short:   "give every position of a dataset its value by a search",
		Example: "  train label positions.parquet -o labels.parquet --movetime 200ms\n  train label positions.parquet -o labels.parquet --nodes 100000 --workers 2",
		Args:    exactArgs(1, "the dataset of positions"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := needOut(out); err != nil {
				return err
			}
			if err := workersInRange(workers); err != nil {
				return err
			}
			limits, err := search.config(engine.Config{MoveTime: engine.Duration{Duration: 200 * time.Millisecond}})
			if err != nil {
				return err
			}
			eval, err := engine.LoadEvaluation(weights)
			if err != nil {
				return err
			}
			update, finish := progress("labelling", "positions")
			meta, err := sampler.Label(cmd.Context(), args[0], out, sampler.LabelConfig{Search: limits, Workers: workers, Eval: eval}, update)
			finish()
			if err != nil {
				return resumable{err, thisCommand()}
			}
			if err := sampler.RemoveJournal(out); err != nil {
				return err
			}
			fmt.Fprintf(cmd.OutOrStdout(), "labels (%s, %s) in %s\nnext: train features %s -o features.parquet --set thesis\n", meta.Limits, meta.Evaluator, out, out)
			return nil
		},
	}
	search.add(cmd, 16)
	workersFlag(cmd, &workers)
	cmd.Flags().StringVar(&weights, "weights", "captures", "evaluation of the search: captures, or a weights file")
	outFlag(cmd, &out, "dataset to write (.parquet or .arrow)")
	return cmd
}

func workersFlag(cmd *cobra.Command, workers *int) {
	cmd.Flags().IntVar(workers, "workers", 0, "searches at a time (default one a processor)")
}

func workersInRange(n int) error {
	if n < 0 || n > 1024 {
		return usagef("--workers is %d: expected 0 to 1024", n)
	}
	return nil
}
