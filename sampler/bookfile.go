package sampler

import (
	"fmt"
	"math/rand/v2"

	"kroo/book"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
)

// bookNodes are the positions of an opening book, and those one move after
// them, in an order that the seed decides: with the children of the expanded
// nodes these are all nodes of the expansion that made the book.
func bookNodes[P search.Position[P]](g *games.Game[P], cfg Config) stream[P] {
	return func(yield func(drawn[P], error) bool) {
		var none drawn[P]
		keys, err := bookKeys(g.Info, cfg)
		if err != nil {
			yield(none, err)
			return
		}
		rng := rand.New(rand.NewPCG(cfg.Seed, bookStream))
		rng.Shuffle(len(keys), func(i, j int) { keys[i], keys[j] = keys[j], keys[i] })
		var legal []games.Move
		for _, key := range keys {
			p, err := g.FromKey(cfg.Rules, key)
			if err != nil {
				yield(none, fmt.Errorf("%s: %w", cfg.From, err))
				return
			}
			legal = p.AppendMoves(legal[:0])
			if len(legal) > 0 && !yield(drawn[P]{position: p}, nil) {
				return
			}
			for _, m := range legal {
				if _, over := p.Play(m).Terminal(); !over && !yield(drawn[P]{position: p.Play(m)}, nil) {
					return
				}
			}
		}
	}
}

// bookKeys are the keys of a book for the rules.
func bookKeys(info games.Info, cfg Config) ([]int64, error) {
	if info.Name != owareName {
		return nil, fmt.Errorf("books are oware's: expected another method for %s", info.Name)
	}
	rules, err := oware.ParseRules(cfg.Rules)
	if err != nil {
		return nil, err
	}
	b, err := book.FindFor(cfg.From, rules)
	if err != nil {
		return nil, err
	}
	defer b.Close()
	keys := make([]int64, b.Len())
	for i := range keys {
		keys[i] = b.At(i).Key
	}
	return keys, b.Err()
}
