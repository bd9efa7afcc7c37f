package commands

import (
	"context"
	"fmt"
	"time"

	"github.com/spf13/cobra"

	"kroo/games"
	"kroo/internal/parallel"
)

// perftArgs are the settings of perft.
type perftArgs struct {
	rulesFlags
	positionFlag
	Depth  int  `name:"depth" default:"8" range:"0..40" help:"plies"`
	NoBulk bool `name:"no_bulk" help:"make every move instead of counting those of the last ply"`
}

// perftFound is what perft counts.
type perftFound struct {
	Leaves int64            `json:"leaves"`
	Moves  map[string]int64 `json:"moves"` // leaves after each
}

func perftCommand() *cobra.Command {
	var f perftArgs
	return newCommand(&cobra.Command{
		Use:   "perft",
		Short: "count move sequences, to check and time the move generator",
		Long: `Counts the move sequences of --depth plies, by first move, and prints
the total last. Standard error shows the speed: leaves/s, and with
--no-bulk, which also makes the moves of the last ply, moves/s.`,
		Example: "  train perft --depth 11\n  train perft --depth 10 --no-bulk\n  train perft --rules awari --depth 8 --position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n  train perft --game tictactoe --depth 9\n  train perft --game othello --size 6 --depth 9\n  train perft --game chess --depth 5",
	}, func(j *job) error { return f.game().perft(j, &f) }, &f)
}

// perft counts move by move, or as fast as the game can.
func (g gameOf[P]) perft(j *job, f *perftArgs) error {
	rules, err := f.rules()
	if err != nil {
		return err
	}
	p, err := positionOf(g.kit.Game, rules, f.Position)
	if err != nil {
		return err
	}
	c := counting[P]{game: g.kit.Game, leaves: games.PerftMoves[P]}
	switch {
	case !f.NoBulk && g.kit.Game.Perft != nil:
		c.leaves = func(p P, depth int) (int64, int64) { return g.kit.Game.Perft(p, depth), 0 }
	case g.kit.Game.PerftMoves != nil:
		c.leaves = g.kit.Game.PerftMoves
	}
	start := time.Now()
	found, moves := perftFound{Leaves: 1, Moves: map[string]int64{}}, int64(0)
	if f.Depth > 0 {
		moves, err = c.perMove(j, p, f.Depth, &found)
	}
	if err != nil {
		return err
	}
	seconds := time.Since(start).Seconds()
	j.note("%d leaves in %.2f s, %s leaves/s\n", found.Leaves, seconds, millions(found.Leaves, seconds))
	if f.NoBulk {
		j.note("%d moves made, %s moves/s\n", moves, millions(moves, seconds))
	}
	return j.say(found, "%d\n", found.Leaves)
}

// counting is a count of leaves.
type counting[P games.Position[P]] struct {
	game   *games.Game[P]
	leaves func(p P, depth int) (leaves, made int64)
	done   int64 // of the positions that sequences are counted from
	total  int64
	update parallel.Progress
}

// countedPlies is how many plies after the position sequences are counted from: this many steps show
// how far the count is, and allow to stop it.
const countedPlies = 3

// perMove counts move by move, so that the work can be stopped and compared.
func (c *counting[P]) perMove(j *job, p P, depth int, found *perftFound) (made int64, err error) {
	found.Leaves = 0
	if _, over := p.Terminal(); over {
		return 0, nil
	}
	before := min(depth, countedPlies)
	c.update, c.total = j.progress("perft", "positions"), games.Perft(p, before)
	c.update.At(0, c.total)
	for _, m := range p.AppendMoves(nil) {
		n, moves, err := c.from(j.Context(), p.Play(m), before-1, depth-1)
		if err != nil {
			return 0, err
		}
		name := c.game.MoveName(p, m)
		found.Leaves, found.Moves[name], made = found.Leaves+n, n, made+moves+1
		fmt.Fprintf(j.text(), "%s %d\n", name, n)
	}
	return made, nil
}

// from counts the leaves below a position, from each of those plies below.
func (c *counting[P]) from(ctx context.Context, p P, below, depth int) (total, made int64, err error) {
	if below == 0 {
		total, made = c.leaves(p, depth)
		c.done++
		c.update.At(c.done, c.total)
		return total, made, context.Cause(ctx)
	}
	if _, over := p.Terminal(); over {
		return 0, 0, nil
	}
	for _, m := range p.AppendMoves(nil) {
		n, moves, err := c.from(ctx, p.Play(m), below-1, depth-1)
		if err != nil {
			return 0, 0, err
		}
		total, made = total+n, made+moves+1
	}
	return total, made, nil
}

func millions(n int64, seconds float64) string {
	return fmt.Sprintf("%.0f million", float64(n)/1e6/max(seconds, 1e-9))
}
