package sampler

import (
	"iter"

	"kroo/datasets"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/checksum"
)

// drawn is a position with its origin: game is its number, from 1, or 0. label,
// in points, and score are those of a table of labels. outcome is that of the game.
type drawn[P any] struct {
	position  P
	game, ply int32
	outcome   datasets.Outcome
	label     float64
	score     int32
}

// stream is a run of drawn positions, the same each time it starts. An error
// ends it.
type stream[P any] = iter.Seq2[drawn[P], error]

// exhausted is how many positions in a row that are not new end a stream that draws: small
// games have no more.
const exhausted = 100_000

// distinct leaves out the positions whose orbit is among those seen, and counts them, and adds
// those of the others to them. Where a method draws, it ends when that seems to have no others.
func distinct[P search.Position[P]](g *games.Game[P], seen map[int64]struct{}, draws bool, repeated *int64, in stream[P]) stream[P] {
	return func(yield func(drawn[P], error) bool) {
		again := 0
		for d, err := range in {
			if err == nil {
				orbit := g.Orbit(d.position)
				if _, there := seen[orbit]; there {
					*repeated++
					if again++; draws && again == exhausted {
						return
					}
					continue
				}
				again = 0
				seen[orbit] = struct{}{}
			}
			if !yield(d, err) {
				return
			}
		}
	}
}

// kept is a stream that is drawn once: after its end it yields the same again.
func kept[P any](in stream[P]) stream[P] {
	var all []drawn[P]
	return func(yield func(drawn[P], error) bool) {
		for _, d := range all {
			if !yield(d, nil) {
				return
			}
		}
		if all != nil {
			return
		}
		var found []drawn[P]
		for d, err := range in {
			if found = append(found, d); !yield(d, err) || err != nil {
				return
			}
		}
		all = found
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
func rows[P search.Position[P], R any](in stream[P], row func(drawn[P]) R, keep func(drawn[P]) bool) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for d, err := range in {
			if err == nil && !keep(d) {
				continue
			}
			if !yield(row(d), err) {
				return
			}
		}
	}
}

// inValidation reports whether a position belongs to the validation file. A hash
// of the seed and of its game, or else of its orbit, decides: positions of one
// game are together, and so are those that mirror each other.
func inValidation[P search.Position[P]](g *games.Game[P], cfg Config, d drawn[P]) bool {
	if cfg.Split == 0 {
		return false
	}
	what := uint64(g.Orbit(d.position))
	if d.game > 0 {
		what = checksum.Mix(uint64(d.game))
	}
	return float64(checksum.Mix(what^checksum.Mix(cfg.Seed))>>11)/(1<<53) < cfg.Split
}
