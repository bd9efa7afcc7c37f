package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/internal/wording"
	"kroo/run/inspect"
)

func convertCommand() *cobra.Command {
	var out, where string
	cmd := &cobra.Command{
		Use:   "convert IN -o OUT",
		Short: "write a dataset in another format: Parquet, Arrow or CSV",
		Long: `Writes a dataset in the format of OUT's extension:

  .parquet  for databases and data frames (snappy)
  .arrow    Arrow IPC, uncompressed, for readers in web pages
  .csv      a line of column names and one line per row, for spreadsheets

Rows, types and origin are kept: converted back, a dataset is byte-identical. A CSV
contains names and values only; its manifest, OUT.manifest.json, contains
types, units and origin. All commands that read datasets read every format. A file
that another program has changed needs a new manifest: see train adopt --help.

--where selects rows: see
` + "`train help filters`.",
		Example: "  train convert labels.parquet -o labels.csv\n  train convert labels.parquet -o endgames.parquet --where 'phase<=20, exact=false'\n  train convert labels.csv -o labels.arrow",
		Args:    someArgs(1, 2, "a dataset and the file to write"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 2 && out == "" {
				out = args[1]
			} else if len(args) == 2 {
				return usagef("the output is named twice, %s and %s: give one", args[1], out)
			}
			if err := needOut(out); err != nil {
				return err
			}
			if err := datasets.CheckOutput(out); err != nil {
				return err
			}
			if _, err := takeOutputs(cmd, []output{{path: out, holds: inspect.KindDataset, compared: true}}, args[0]); err != nil {
				return err
			}
			g, _, err := gameOfDataset(args[0])
			if err != nil {
				return err
			}
			return g.convert(cmd, args[0], out, where)
		},
	}
	whereFlag(cmd, &where)
	outFlag(cmd, &out, "dataset to write")
	return cmd
}

func (g gameOf[P]) convert(cmd *cobra.Command, from, to, where string) error {
	m, err := g.converted(cmd, from, to, where)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s: %s of %s\n", to, wording.Count(m.Rows, "row"), m.Meta.Kind)
	return err
}

func (g gameOf[P]) converted(cmd *cobra.Command, from, to, where string) (datasets.Manifest, error) {
	update, finish := progress("converting", "rows")
	defer finish()
	return datasets.Convert(cmd.Context(), g.kit.Game.Info, from, to, where, update)
}
