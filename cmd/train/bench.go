package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
)

func benchCommand() *cobra.Command {
	var c engine.BenchConfig
	var tables, asJSON bool
	var game string
	cmd := &cobra.Command{
		Use:   "bench",
		Short: "search a fixed list of positions: speed, and the engine's signature",
		Long: `Searches a fixed list of oware positions to a fixed depth and prints the number of
nodes last. It changes exactly when search or evaluation change, so it is the
engine's signature. The speed goes to standard error, with the median time of a
position. With flags it is no signature but a measurement.`,
		Example: "  train bench\n  train bench --full-width --depth 21 --hash 256",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if game != oware.Descriptor().Name {
				return usagef("--game is %q: expected oware, the one game with a list of positions", game)
			}
			if c.Depth < 0 || c.Depth > search.MaxPly || c.Options.HashMB < 0 || c.Options.Threads < 0 || c.Options.Threads > search.MaxThreads {
				return usagef("--depth %d, --hash %d, --threads %d: expected 0 to %d, 0 or more, 0 to %d", c.Depth, c.Options.HashMB, c.Options.Threads, search.MaxPly, search.MaxThreads)
			}
			if tables {
				t, err := endgame.Find("", oware.Abapa)
				if err != nil {
					return err
				}
				defer t.Close()
				c.Prober = t
			}
			update, finish := progress("bench", "positions")
			results, err := engine.Bench(cmd.Context(), c, update)
			finish()
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(results)
			}
			nodes, took, median := benchSum(results)
			fmt.Fprintf(cmd.ErrOrStderr(), "%.2f s, %.2f million nodes a second, median %s a position\n", took.Seconds(), float64(nodes)/1e6/took.Seconds(), median.Round(time.Microsecond))
			fmt.Fprintf(cmd.OutOrStdout(), "Bench: %d\n", nodes)
			return nil
		},
	}
	gameFlag(cmd, &game)
	f := cmd.Flags()
	f.IntVar(&c.Depth, "depth", 0, "plies (default that of the signature)")
	f.IntVar(&c.Options.HashMB, "hash", 0, "hash table, in MiB (default that of the signature)")
	f.IntVar(&c.Options.Threads, "threads", 1, "threads of the search; with more than one, nodes vary")
	f.BoolVar(&c.Options.FullWidth, "full-width", false, "search all moves to the same depth")
	f.BoolVar(&tables, "tables", false, "use the endgame table of the program")
	f.BoolVar(&asJSON, "json", false, "print every position as JSON")
	return cmd
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
