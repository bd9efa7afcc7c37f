package search_test

import (
	"context"
	"fmt"

	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// South sows four seeds from E. The last seed makes three in North's house c, which South
// captures.
func Example() {
	p, err := oware.ParseBoard(oware.Abapa, "0-0-0-0-4-0-4-0-2-0-6-4-12-16-S")
	if err != nil {
		fmt.Println(err)
		return
	}
	s := search.NewSearcher(search.Knowledge[oware.Position]{Eval: evaluations.Captures{}}, search.Options{HashMB: 1})
	r := s.Search(context.Background(), p, nil, search.Limits{Depth: 3}, search.Query{})
	fmt.Println("best", oware.MoveName(r.Best, p.ToMove()), "score", r.Score, "depth", r.Depth)
	// Output: best E score -100 depth 3
}
