package engine_test

import (
	"context"
	"fmt"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
)

// The best move of a position, by a search that takes the same nodes on any machine.
func Example() {
	c := engine.Config{Depth: 8, HashMB: 1, Tables: engine.NoTables}
	e, err := engine.Open(context.Background(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: c}, "abapa")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer e.Close()
	p, err := oware.ParseBoard(oware.Abapa, "0-0-0-0-1-2-1-1-0-0-1-0-20-22-S")
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := e.NewSearcher().Search(context.Background(), p, nil, e.Spec.Search.Limits(), search.Query{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(oware.MoveName(r.Best, p.ToMove()), r.Depth)
	// Output: F 8
}
