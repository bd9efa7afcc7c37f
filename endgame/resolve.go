package endgame

import (
	"context"

	"kroo/internal/parallel"
)

// defaultBudget is the most work on one position and threshold, in nodes looked at, some
// nanoseconds each. A position that needs more keeps its bounds. Up to 18 seeds it is
// enough for all; the hardest, of eight, take a quarter of it.
const defaultBudget = 200_000_000

// resolveLevel narrows the bounds of an abapa level to values at the start of a
// stretch, by a search with history. lower holds the levels below.
//
// For each threshold k and each player, the search asks whether that player, the
// claimant, can get k of the seeds. The bounds answer for most nodes: either the
// claimant is sure of k, or the opponent is sure to prevent it. The rest are open, and
// the search visits only them. A move to a decided node ends a line whatever the
// history: the strategy that wins there stays among decided nodes, and the line
// has visited none of them.
//
// Open nodes form a game graph. A line that leaves a strongly connected component
// never returns to it, so the search works on one component at a time. It tries
// every move. A node that the line has visited ends the game, won or lost by the seeds on
// the claimant's side there, so it is a leaf and no longer a node. After every move the
// search takes what the line can still reach, solves its co-Büchi games, and drops what
// they decide. What is left is all that the rest of the line depends on, so results are
// remembered by it: lines that visited other nodes share them, once those are out of reach.
func resolveLevel(ctx context.Context, v levelValues, lower []levelValues, workers int, budget int64) error {
	n := len(lower)
	r := &resolver{n: n, bounds: v, lower: lower, budget: budget, ctx: ctx}
	nodes, outcomes := make([][]uint32, n+1), make([][]outcome, n+1) // by threshold, for the mover
	err := parallel.Do(ctx, workers, n, func(_ context.Context, _, i int) error {
		nodes[1+i], outcomes[1+i] = r.threshold(1 + i)
		return ctx.Err()
	})
	if err != nil {
		return err
	}
	for k := 1; k <= n; k++ {
		for at, i := range nodes[k] {
			switch outcomes[k][at] {
			case won:
				v[mover][i] = max(v[mover][i], uint8(k))
			case lost:
				v[other][i] = max(v[other][i], uint8(n-(k-1)))
			}
		}
	}
	return nil
}

// outcome is what is known of a node for one threshold.
type outcome uint8

const (
	open outcome = iota
	won
	lost
	undecided // the budget did not suffice
)
