package match_test

import (
	"context"
	"fmt"
	"log"

	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
	"kroo/match"
)

func ExamplePlay() {
	player := func(name string, nodes int64) func() match.Player {
		return func() match.Player {
			return match.NewEnginePlayer(name, search.Knowledge[oware.Position]{Eval: evaluations.Captures{}}, search.Options{HashMB: 1}, search.Limits{Nodes: nodes})
		}
	}
	cfg := match.Config{Rules: oware.Abapa, Pairs: 5, OpeningPlies: 4, Seed: 1, Limits: "nodes 200"}
	result, err := match.Play(context.Background(), cfg, player("one", 200), player("other", 200), nil)
	if err != nil {
		log.Fatal(err)
	}
	// Equal players win as much as they lose in every pair.
	lead, _ := result.Score.Elo()
	fmt.Printf("%d games, Elo %+.0f, pairs %v\n", result.Score.Games(), lead, result.Score.Pairs)
	// Output: 10 games, Elo +0, pairs [0 0 5 0 0]
}
