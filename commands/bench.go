package commands

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
)

func benchCommand() *cobra.Command {
	var f struct {
		Depth     int  `name:"depth" range:"1..512" help:"plies (default as in the signature)"`
		HashMB    int  `name:"hash" range:"1..65536" help:"hash table, in MiB (default as in the signature)"`
		FullWidth bool `name:"full_width" help:"search all moves to the same depth"`
	}
	return newCommand(&cobra.Command{
		Use:   "bench",
		Short: "search fixed positions: speed, and a number of the signature",
		Long: `Searches a fixed list of oware positions to a fixed depth, evaluating by captures,
and prints the number of nodes last. The number changes only if the search does; the
default weights do not affect it. It is the first of the two in the signature of
the engine, bench-N-M, which files record; the second is for fitted weights. Speed
and the median time of a position go to standard error. With flags it is a
measurement, not the signature.`,
		Example: "  train bench\n  train bench --full-width --depth 21 --hash 256",
	}, func(j *job) error {
		if err := (engine.Config{HashMB: f.HashMB}).CheckMemory(1); err != nil {
			return err
		}
		c := engine.BenchConfig{Depth: f.Depth, Options: search.Options{HashMB: f.HashMB, FullWidth: f.FullWidth}}
		results, err := engine.Bench(j.Context(), c, j.progress("bench", "positions"))
		if err != nil {
			return err
		}
		type row struct {
			Board   string  `json:"board"`
			Nodes   int64   `json:"nodes"`
			Seconds float64 `json:"seconds"`
		}
		var rows []row
		var nodes int64
		var took time.Duration
		var times []time.Duration
		for _, r := range results {
			rows = append(rows, row{r.Position.String(), r.Nodes, r.Time.Seconds()})
			nodes += r.Nodes
			took += r.Time
			times = append(times, r.Time)
		}
		slices.Sort(times)
		j.note("%.2f s, %.2f million nodes/s, median %s per position\n",
			took.Seconds(), float64(nodes)/1e6/took.Seconds(), times[len(times)/2].Round(time.Microsecond))
		return j.print(rows, "Bench: %d\n", nodes)
	}, &f)
}
