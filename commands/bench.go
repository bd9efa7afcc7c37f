package commands

import (
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
)

// benchFlags are those of the command bench.
type benchFlags struct {
	engine.BenchConfig
	asJSON bool
}

func benchCommand() *cobra.Command {
	var b benchFlags
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "search fixed positions: speed, and the engine's signature",
		Long: `Searches a fixed list of oware positions to a fixed depth and prints the number of
nodes last. This number changes exactly when the search or evaluation changes, so it
is the engine's signature. Speed and the median time of a position go to standard
error. With flags it is a measurement, not the signature.`,
		Example: "  train bench\n  train bench --full-width --depth 21 --hash 256",
		Args:    exactArgs(0, "no operands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return b.run(cmd) },
	}
	f := cmd.Flags()
	intFlag(cmd, &b.Depth, "depth", 0, 0, search.MaxPly, "plies (default that of the signature)")
	intFlag(cmd, &b.Options.HashMB, "hash", 0, 0, engine.MaxHashMB, "hash table, in MiB (default that of the signature)")
	f.BoolVar(&b.Options.FullWidth, "full-width", false, "search all moves to the same depth")
	jsonFlag(cmd, &b.asJSON)
	return cmd
}

func (b *benchFlags) run(cmd *cobra.Command) error {
	if err := (engine.Config{HashMB: b.Options.HashMB}).CheckMemory(1); err != nil {
		return err
	}
	update, finish := progress("bench", "positions")
	results, err := engine.Bench(cmd.Context(), b.BenchConfig, update)
	finish()
	if err != nil {
		return err
	}
	if b.asJSON {
		return printJSON(cmd.OutOrStdout(), benchRows(results))
	}
	nodes, took, median := benchSum(results)
	fmt.Fprintf(cmd.ErrOrStderr(), "%.2f s, %.2f million nodes a second, median %s a position\n", took.Seconds(), float64(nodes)/1e6/took.Seconds(), median.Round(time.Microsecond))
	fmt.Fprintf(cmd.OutOrStdout(), "Bench: %d\n", nodes)
	return nil
}

// benchRow is a search as JSON has it.
type benchRow struct {
	Board   string  `json:"board"`
	Nodes   int64   `json:"nodes"`
	Seconds float64 `json:"seconds"`
}

func benchRows(results []engine.BenchResult) (rows []benchRow) {
	for _, r := range results {
		rows = append(rows, benchRow{r.Position.String(), r.Nodes, r.Time.Seconds()})
	}
	return rows
}

func benchSum(results []engine.BenchResult) (nodes int64, took, median time.Duration) {
	var times []time.Duration
	for _, r := range results {
		nodes += r.Nodes
		took += r.Time
		times = append(times, r.Time)
	}
	slices.Sort(times)
	return nodes, took, times[len(times)/2]
}
