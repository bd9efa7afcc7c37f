package commands

import (
	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/internal/wording"
	"kroo/run/inspect"
)

func convertCommand() *cobra.Command {
	var f struct {
		whereFlag
		Out string `name:"output" flag:"output,o" file:"made" help:"dataset to write"`
	}
	return newCommand(&cobra.Command{
		Use:   "convert IN -o OUT",
		Short: "write a dataset in another format: Parquet, Arrow or CSV",
		Long: `Writes a dataset in the format of OUT's extension:

  .parquet  for databases and data frames (snappy)
  .arrow    Arrow IPC, uncompressed, for readers in web pages
  .csv      a line of column names and one line per row, for spreadsheets

Rows, types and origin are kept: converted back, a dataset is byte-identical. A CSV
contains names and values only; its manifest, OUT.manifest.json, contains
types, units and origin. All commands that read datasets read every format. A file
that another program has changed has to be imported: see train adopt --help.

--where selects rows: see
` + "`train help filters`.",
		Example: "  train convert labels.parquet -o labels.csv\n" +
			"  train convert labels.parquet -o endgames.parquet --where 'phase<=20, exact=false'\n" +
			"  train convert labels.csv -o labels.arrow",
	}, func(j *job) error {
		in, out := j.args[0], f.Out
		made, err := j.claimOutputs([]output{{path: out, kind: inspect.KindDataset, compared: true}}, in)
		if err != nil {
			return err
		}
		g, _, err := gameOfDataset(in)
		if err != nil {
			return err
		}
		m, err := datasets.Convert(j.Context(), g.info(), datasets.Conversion{
			From:     in,
			To:       out,
			Where:    f.Where,
			Made:     made,
			Progress: j.progress("converting", "rows"),
		})
		if err != nil {
			return err
		}
		return j.print(m, "%s: %s of %s\n", out, wording.Count(m.Rows, "row"), m.Meta.Kind)
	}, &f)
}
