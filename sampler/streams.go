package sampler

import (
	"context"
	"fmt"
	"iter"
	"math"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/strict"
	"kroo/internal/wording"
)

// stream is a repeatable sequence of drawn positions, with their games. An error ends it.
type stream[P search.Position[P]] = iter.Seq2[datasets.Row[P], error]

// source is the stream of a configuration: n positions of its method, or of those of a mix in turn,
// each position once unless drawn with replacement. notes describe what the last pass left out.
func source[P search.Position[P]](
	ctx context.Context, k engine.Kit[P], cfg Config, e *engine.Engine[P], journal string, notes *readNotes,
) stream[P] {
	if cfg.Method == Uniform || cfg.Method == PPS {
		return take(random(ctx, k.Game, cfg), cfg.N)
	}
	return func(yield func(datasets.Row[P], error) bool) {
		seen, err := newOrbitSet()
		if err != nil {
			yield(datasets.Row[P]{}, err)
			return
		}
		defer seen.release() // the system takes the memory back at the latest when the program ends
		notes.Repeated = 0
		var parts []stream[P]
		for _, part := range cfg.parts() {
			c := cfg
			c.Method = part.method
			all := methodStream(ctx, k, c, e, journal, notes)
			rows := distinct(k.Game, all, seen, &notes.Repeated, c.maxRepeats())
			parts = append(parts, take(rows, part.n))
		}
		chain(parts)(yield)
	}
}

// parts returns the methods of a configuration and their numbers of positions.
func (c Config) parts() []share {
	if c.Method != Mix {
		return []share{{c.Method, 1, c.N}}
	}
	list, _ := parseShares(c.Shares) // Check has parsed them
	return divide(list, c.N)
}

// maxRepeats is the number of consecutive repeats that ends the stream of a method that draws: small
// games run out of positions. A file ends by itself.
func (c Config) maxRepeats() int {
	if c.Method == file {
		return math.MaxInt
	}
	return maxRepeats
}

const maxRepeats = 100_000

// methodStream is the stream of a single method.
func methodStream[P search.Position[P]](
	ctx context.Context, k engine.Kit[P], cfg Config, e *engine.Engine[P], journal string, notes *readNotes,
) stream[P] {
	switch cfg.Method {
	case played:
		return selfPlay(ctx, cfg, e, journal)
	case file:
		return fromFile(ctx, k.Game, cfg, notes)
	}
	return random(ctx, k.Game, cfg)
}

// take yields the first n rows of a stream; for 0 it does not start the stream.
func take[P search.Position[P]](in stream[P], n int) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		if n == 0 {
			return
		}
		taken := 0
		for d, err := range in {
			taken++
			if !yield(d, err) || err != nil || taken == n {
				return
			}
		}
	}
}

// distinct yields the rows of a stream whose orbits are not in seen, and adds these. It counts the
// other rows in repeated, and ends after most of them in a row.
func distinct[P search.Position[P]](g *games.Game[P], in stream[P], seen *orbitSet, repeated *int64, most int) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		inARow := 0
		for d, err := range in {
			isNew := false
			if err == nil {
				isNew, err = seen.add(g.Orbit(d.Position))
			}
			if err != nil {
				yield(d, err)
				return
			}
			if isNew {
				inARow = 0
				if !yield(d, nil) {
					return
				}
				continue
			}
			*repeated++
			inARow++
			if inARow == most {
				return
			}
		}
	}
}

// chain yields the rows of several streams one after another, and numbers their games throughout:
// each stream counts from 1.
func chain[P search.Position[P]](streams []stream[P]) stream[P] {
	return func(yield func(datasets.Row[P], error) bool) {
		last := int32(0) // number of the last game so far
		for _, in := range streams {
			before := last
			for d, err := range in {
				if d.Game > 0 {
					d.Game += before
					last = max(last, d.Game)
				}
				if !yield(d, err) || err != nil {
					return
				}
			}
		}
	}
}

// share is a part of a mix.
type share struct {
	method string
	part   float64 // fraction of the whole, after parseShares
	n      int     // positions
}

// parseShares parses "games=0.7,uniform=0.3". Shares are relative: 7 and 3 mean the same.
func parseShares(text string) (list []share, err error) {
	parts := []string{Uniform, PPS, played, file}
	sum := 0.0
	for word := range strings.SplitSeq(text, ",") {
		method, number, _ := strings.Cut(strings.TrimSpace(word), "=")
		if !slices.Contains(parts, method) {
			return nil, fmt.Errorf("the share %.40q: %s, and its share, as in games=0.7,uniform=0.3",
				word, wording.Expect(method, parts))
		}
		part, err := strict.Number(number)
		again := slices.ContainsFunc(list, func(s share) bool { return s.method == method })
		if err != nil || again || !(part > 0 && part <= 1e6) {
			return nil, fmt.Errorf(
				"the share %.40q: expected each method once, and its share above 0, as in games=0.7,uniform=0.3", word)
		}
		list = append(list, share{method: method, part: part})
		sum += part
	}
	for i := range list {
		list[i].part /= sum
	}
	return list, nil
}

// divide splits n positions among the shares.
func divide(list []share, n int) []share {
	upTo, done := 0.0, 0
	for i := range list {
		upTo += list[i].part
		list[i].n = int(math.Round(upTo*float64(n))) - done
		done += list[i].n
	}
	return list
}
