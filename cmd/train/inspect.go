package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"kroo/inspect"
)

func inspectCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "inspect FILE",
		Short:   "say what a file holds: dataset, weights, book, games or manifest",
		Example: "  train inspect runs/quick/features.parquet\n  train inspect --json weights.json",
		Args:    exactArgs(1, "a file"),
		RunE: func(cmd *cobra.Command, args []string) error {
			in, err := inspect.File(args[0])
			if err != nil {
				return err
			}
			if asJSON {
				enc := json.NewEncoder(cmd.OutOrStdout())
				enc.SetIndent("", "  ")
				return enc.Encode(in.Value)
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), in.Text)
			return err
		},
	}
	cmd.Flags().BoolVar(&asJSON, "json", false, "print as JSON")
	return cmd
}
