package play_test

import (
	"context"
	"fmt"
	"log"

	"kroo/engine"
	"kroo/engine/play"
	"kroo/games/tictactoe"
)

// A person plays X against an engine that searches nine plies deep.
func Example() {
	e, err := engine.Open(context.Background(), engine.TicTacToe(), engine.Spec{Search: engine.Config{Depth: 9, HashMB: 1}}, "standard")
	if err != nil {
		log.Fatal(err)
	}
	defer e.Close()
	g := play.New(e, tictactoe.Start(), 0)
	if err := g.Move("a1"); err != nil {
		log.Fatal(err)
	}
	answer, err := g.Answer(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	fmt.Print(answer.Name, "\n", e.Kit.Game.Diagram(g.State().Position))
	// Output:
	// b2
	//     a   b   c
	// 1   X | . | .
	// 2   . | O | .
	// 3   . | . | .     X to move
}
