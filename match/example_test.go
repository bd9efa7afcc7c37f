package match_test

import (
	"context"
	"fmt"
	"log"

	"kroo/engine"
	"kroo/match"
)

func ExampleRun() {
	c := match.Config{Pairs: 5, OpeningPlies: 4, Seed: 1, Config: engine.Config{Nodes: 200, HashMB: 1}}
	one, other := engine.Spec{Name: "one"}, engine.Spec{Name: "other"}
	sum, err := match.Run(context.Background(), engine.Oware(), c, one, other, match.Output{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	// Equal players win as much as they lose in every pair.
	fmt.Printf("%d games, Elo %+.0f, pairs %v\n", sum.Score.Games(), sum.Elo, sum.Score.Pairs)
	// Output: 10 games, Elo +0, pairs [0 0 5 0 0]
}

// Two players that look at every move and see the end of the game draw every game of tic-tac-toe.
func ExampleRun_ticTacToe() {
	c := match.Config{Pairs: 9, OpeningPlies: 1, Config: engine.Config{Depth: 9, FullWidth: true, HashMB: 1}}
	x, o := engine.Spec{Name: "one"}, engine.Spec{Name: "other"}
	sum, err := match.Run(context.Background(), engine.TicTacToe(), c, x, o, match.Output{}, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Printf("%d games, %d drawn\n", sum.Score.Games(), sum.Score.Draws)
	// Output: 18 games, 18 drawn
}
