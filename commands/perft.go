package commands

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kroo/games"
)

// perftArgs is the settings of perft.
type perftArgs struct {
	rulesFlags
	positionFlag
	Depth int `name:"depth" default:"8" range:"0..40" help:"plies"`
}

// perftFound is the result of perft.
type perftFound struct {
	Leaves int64            `json:"leaves"`
	Moves  map[string]int64 `json:"moves"` // leaves after each move
}

func perftCommand() *cobra.Command {
	var f perftArgs
	return newCommand(&cobra.Command{
		Use:   "perft",
		Short: "count move sequences, to check and time the move generator",
		Long: `Counts the move sequences of --depth plies, by first move, and prints
the total last. Standard error shows the speed.`,
		Example: "  train perft --depth 11\n  train perft --rules awari --depth 8 --position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n  train perft --game tictactoe --depth 9\n  train perft --game othello --rules 6x6 --depth 9\n  train perft --game chess --depth 5",
	}, func(j *job) { f.game().perft(j, &f) }, &f)
}

// perftSteps is the number of plies that [gameOf.perft] makes itself, to report progress and to stop
// between the positions after them.
const perftSteps = 3

// perft counts the leaves after each move.
func (g gameOf[P]) perft(j *job, f *perftArgs) {
	start := positionOf(g.kit.Game, f.rules(), f.Position)
	count := g.kit.Game.Perft
	if count == nil {
		count = games.Perft[P]
	}
	type branch struct {
		first    string // the first move
		position P
	}
	began, steps := time.Now(), min(f.Depth, perftSteps)
	var firsts []string
	all := []branch{{"", start}}
	for range steps {
		var next []branch
		for _, b := range all {
			if _, over := b.position.Terminal(); over {
				continue
			}
			for _, m := range b.position.AppendMoves(nil) {
				if b.first == "" {
					firsts = append(firsts, g.kit.Game.MoveName(start, m))
				}
				next = append(next, branch{cmp.Or(b.first, firsts[len(firsts)-1]), b.position.Play(m)})
			}
		}
		all = next
	}
	found, progress := perftFound{Moves: map[string]int64{}}, j.progress("perft", "positions")
	for i, b := range all {
		progress.At(int64(i), int64(len(all)))
		leaves := count(b.position, f.Depth-steps)
		found.Leaves += leaves
		if b.first != "" {
			found.Moves[b.first] += leaves
		}
		check(context.Cause(j.Context()))
	}
	progress.At(int64(len(all)), int64(len(all)))
	seconds, text := max(time.Since(began).Seconds(), 1e-9), ""
	j.note("%d leaves in %.2f s, %.0f million leaves/s\n", found.Leaves, seconds, float64(found.Leaves)/1e6/seconds)
	for _, name := range firsts {
		text += fmt.Sprintf("%s %d\n", name, found.Moves[name])
	}
	j.print(found, "%s%d\n", text, found.Leaves)
}
