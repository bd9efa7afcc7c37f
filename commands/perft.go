package commands

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kroo/games"
	"kroo/internal/wording"
)

type perftArgs struct {
	rulesFlags
	positionFlag
	Depth int `name:"depth" default:"8" range:"0..40" help:"plies"`
}

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
		Example: "  train perft --depth 11\n" +
			"  train perft --rules awari --depth 8 --position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n" +
			"  train perft --game tictactoe --depth 9\n" +
			"  train perft --game othello --rules 6x6 --depth 9\n" +
			"  train perft --game chess --depth 5",
	}, func(j *job) error { return f.game().perft(j, &f) }, &f)
}

// perftSteps is the number of plies that [gameOf.perft] makes itself, to report progress and to stop
// between the positions after them.
const perftSteps = 3

// perftBranch is a position after the first plies.
type perftBranch[P any] struct {
	first    string // the first move; "" at the start
	position P
}

// playMoves returns the branches after one more ply.
func (g gameOf[P]) playMoves(all []perftBranch[P]) (next []perftBranch[P]) {
	for _, b := range all {
		if _, over := b.position.Terminal(); over {
			continue
		}
		for _, m := range b.position.AppendMoves(nil) {
			first := cmp.Or(b.first, g.kit.Game.MoveName(b.position, m))
			next = append(next, perftBranch[P]{first, b.position.Play(m)})
		}
	}
	return next
}

func (g gameOf[P]) perft(j *job, f *perftArgs) error {
	rules, err := f.rules()
	if err != nil {
		return err
	}
	start, err := positionOf(g.kit.Game, rules, "--position", f.Position)
	if err != nil {
		return err
	}
	count := g.kit.Game.Perft
	if count == nil {
		count = games.Perft[P]
	}
	began := time.Now()
	steps := min(f.Depth, perftSteps)
	all := []perftBranch[P]{{"", start}}
	var firsts []string
	for ply := range steps {
		all = g.playMoves(all)
		if ply > 0 {
			continue
		}
		for _, b := range all {
			firsts = append(firsts, b.first)
		}
	}
	found := perftFound{Moves: map[string]int64{}}
	for _, name := range firsts {
		found.Moves[name] = 0 // also of a move after which the game is over too early
	}
	progress := j.progress("perft", "positions")
	for i, b := range all {
		progress.At(int64(i), int64(len(all)))
		leaves := count(b.position, f.Depth-steps)
		found.Leaves += leaves
		if b.first != "" {
			found.Moves[b.first] += leaves
		}
		if err := context.Cause(j.Context()); err != nil {
			return err
		}
	}
	progress.At(int64(len(all)), int64(len(all)))
	seconds := max(time.Since(began).Seconds(), 1e-9)
	speed := wording.Rate(float64(found.Leaves)/seconds, "leaves")
	j.note("%d leaves in %.2f s, %s\n", found.Leaves, seconds, cmp.Or(speed, "0 leaves/s"))
	text := ""
	for _, name := range firsts {
		text += fmt.Sprintf("%s %d\n", name, found.Moves[name])
	}
	return j.print(found, "%s%d\n", text, found.Leaves)
}
