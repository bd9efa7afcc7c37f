package dropout_test

import (
	"context"
	"fmt"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

func Example() {
	newSearcher := func() *search.Searcher[oware.Position] {
		return search.NewSearcher(search.Knowledge[oware.Position]{Eval: evaluations.Captures{}}, search.Options{HashMB: 1})
	}
	pool := engine.NewSearchers(newSearcher, 2)
	cfg := dropout.Config{
		Rules:  oware.Abapa,
		Stop:   dropout.Stop{Expansions: 10},
		Omega:  book.DefaultOmega,
		Limits: search.Limits{Depth: 3},
	}
	g, _, err := dropout.Build(context.Background(), cfg, pool, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	entries := g.Entries() // for book.Write
	fmt.Println(len(entries), "positions")
	// Output: 10 positions
}
