package engine_test

import (
	"context"
	"fmt"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/parallel"
)

func ExampleEngine_Searchers() {
	e, err := engine.Open(context.Background(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Depth: 4, HashMB: 1}}, "abapa")
	if err != nil {
		panic(err)
	}
	defer e.Close()
	pool, err := e.Searchers(2)
	if err != nil {
		panic(err)
	}

	start := oware.Start(oware.Abapa)
	var jobs []engine.Job[oware.Position]
	for i, m := range start.AppendMoves(nil) {
		jobs = append(jobs, engine.Job[oware.Position]{Number: i, Position: start.Play(m), Limits: e.Spec.Search.Limits()})
	}
	depths := make([]int, len(jobs))
	err = pool.Search(context.Background(), parallel.List(jobs), func(j engine.Job[oware.Position], r engine.Answer) error {
		depths[j.Number] = r.Depth // results come in any order
		return nil
	})
	fmt.Println(depths, err)
	// Output: [4 4 4 4 4 4] <nil>
}
