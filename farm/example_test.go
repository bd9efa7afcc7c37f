package farm_test

import (
	"context"
	"fmt"

	"kroo/engine"
	"kroo/farm"
	"kroo/games/oware"
)

func ExampleLocal() {
	e, err := engine.New(engine.Oware(), engine.Captures(), engine.Config{Depth: 4, HashMB: 1}, "abapa")
	if err != nil {
		panic(err)
	}
	defer e.Close()
	pool := farm.NewLocal(e.NewSearcher, 2)
	defer pool.Close()

	start := oware.Start(oware.Abapa)
	var jobs []farm.Job[oware.Position]
	for _, m := range start.AppendMoves(nil) {
		jobs = append(jobs, farm.Job[oware.Position]{Position: start.Play(m), Limits: e.Config.Limits()})
	}
	depths := make([]int, len(jobs))
	err = pool.Run(context.Background(), jobs, func(r farm.Result) error {
		depths[r.Index] = r.Search.Depth // results come in any order
		return r.Err
	})
	fmt.Println(depths, err)
	// Output: [4 4 4 4 4 4] <nil>
}
