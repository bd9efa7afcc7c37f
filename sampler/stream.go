package sampler

import (
	"iter"

	"kroo/datasets"
	"kroo/engine/search"
	"kroo/games"
)

// drawn is a position with its origin: game is its number, from 1, or 0.
type drawn[P any] struct {
	position  P
	game, ply int32
}

// stream is a run of drawn positions, the same each time it is begun. An error
// ends it.
type stream[P any] = iter.Seq2[drawn[P], error]

// distinct leaves out the positions whose orbit came before.
func distinct[P search.Position[P]](g *games.Game[P], in stream[P]) stream[P] {
	return func(yield func(drawn[P], error) bool) {
		seen := map[int64]struct{}{}
		for d, err := range in {
			if err == nil {
				orbit := g.Orbit(d.position)
				if _, again := seen[orbit]; again {
					continue
				}
				seen[orbit] = struct{}{}
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// first ends a stream after n positions.
func first[P any](n int, in stream[P]) stream[P] {
	return func(yield func(drawn[P], error) bool) {
		left := n
		if left <= 0 {
			return
		}
		for d, err := range in {
			if !yield(d, err) || err != nil {
				return
			}
			if left--; left == 0 {
				return
			}
		}
	}
}

// rows makes rows of the positions that keep wants.
func rows[P search.Position[P]](g *games.Game[P], in stream[P], keep func(drawn[P]) bool) iter.Seq2[datasets.PositionRow, error] {
	return func(yield func(datasets.PositionRow, error) bool) {
		for d, err := range in {
			if err == nil && !keep(d) {
				continue
			}
			if !yield(rowOf(g, d), err) {
				return
			}
		}
	}
}

func rowOf[P search.Position[P]](g *games.Game[P], d drawn[P]) datasets.PositionRow {
	key, board := datasets.Identity(g, d.position)
	return datasets.PositionRow{Key: key, Board: board, Game: d.game, Ply: d.ply}
}
