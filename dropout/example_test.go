package dropout_test

import (
	"context"
	"fmt"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
)

func Example() {
	e, err := engine.Open(context.Background(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: 1, Tables: engine.NoTables}}, "abapa")
	if err != nil {
		panic(err)
	}
	defer e.Close()
	pool, err := e.Searchers(2)
	if err != nil {
		panic(err)
	}
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
