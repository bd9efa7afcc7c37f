package farm_test

import (
	"context"
	"fmt"

	"kroo/engine/search"
	"kroo/farm"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

func ExampleLocal() {
	pool := farm.NewLocal(search.Knowledge[oware.Position]{Eval: evaluations.Captures{}}, search.Options{HashMB: 1}, 2)
	defer pool.Close()

	start := oware.Start(oware.Abapa)
	var jobs []farm.Job
	for _, m := range start.AppendMoves(nil) {
		jobs = append(jobs, farm.Job{Position: start.Play(m), Limits: search.Limits{Depth: 4}})
	}
	depths := make([]int, len(jobs))
	err := pool.Run(context.Background(), jobs, func(r farm.Result) error {
		depths[r.Index] = r.Search.Depth // results come in any order
		return r.Err
	})
	fmt.Println(depths, err)
	// Output: [4 4 4 4 4 4] <nil>
}
