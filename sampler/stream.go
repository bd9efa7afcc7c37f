package sampler

import (
	"iter"

	"kroo/datasets"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/checksum"
)

// stream is a repeatable sequence of drawn positions, with their games, and with labels if they come
// from a table of these. An error ends it.
type stream[P search.Position[P]] = iter.Seq2[datasets.Row[P], error]

// maxRepeats is the number of consecutive duplicates that ends a drawing stream: small games run out
// of positions.
const maxRepeats = 100_000

// distinct drops positions whose orbit is in seen, counts them, and adds the orbits of the others
// to seen. A drawing stream ends when it seems to have no new positions.
func distinct[P search.Position[P]](g *games.Game[P], seen map[int64]struct{}, draws bool, repeated *int64, in stream[P]) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		again := 0
		for d, err := range in {
			if err == nil {
				orbit := g.Orbit(d.Position)
				if _, there := seen[orbit]; there {
					*repeated++
					if again++; draws && again == maxRepeats {
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

// cached caches a stream: it is drawn once and can then be repeated.
func cached[P search.Position[P]](in stream[P]) stream[P] {
	var all []datasets.Row[P]
	return func(yield func(datasets.Row[P], error) bool) {
		for _, d := range all {
			if !yield(d, nil) {
				return
			}
		}
		if all != nil {
			return
		}
		var found []datasets.Row[P]
		for d, err := range in {
			if found = append(found, d); !yield(d, err) || err != nil {
				return
			}
		}
		all = found
	}
}

// first ends a stream after n positions.
func first[P search.Position[P]](n int, in stream[P]) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
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

// part yields the positions of the validation file, or the others.
func part[P search.Position[P]](g *games.Game[P], cfg Config, in stream[P], validation bool) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		for d, err := range in {
			if (err != nil || inValidation(g, cfg, d) == validation) && !yield(d, err) {
				return
			}
		}
	}
}

// inValidation reports whether a position belongs to the validation file. It depends on a hash of
// the seed and of the game, or of the orbit if there is no game: so positions of one game stay
// together, as do mirror images.
func inValidation[P search.Position[P]](g *games.Game[P], cfg Config, d datasets.Row[P]) bool {
	if cfg.Split == 0 {
		return false
	}
	what := uint64(g.Orbit(d.Position))
	if d.Game > 0 {
		what = checksum.Mix(uint64(d.Game))
	}
	return float64(checksum.Mix(what^checksum.Mix(cfg.Seed))>>11)/(1<<53) < cfg.Split
}
