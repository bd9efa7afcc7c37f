package games_test

import (
	"fmt"
	"log"
	"os"

	"kroo/games"
	"kroo/games/oware"
	"kroo/games/tictactoe"
)

// summary works for any game.
func summary[P games.Position[P]](g *games.Game[P], moves string) {
	start, err := g.Start(g.Rules[0])
	if err != nil {
		log.Fatal(err)
	}
	l := g.NewLine(start)
	if err := l.PlayText(moves); err != nil {
		log.Fatal(err)
	}
	fmt.Println(g.Name, g.Print(l.Position()), g.Sides[g.SideToMove(l.Position())])
	if diff, reason, over := l.Over(); over {
		fmt.Println(diff, reason)
	}
	if err := g.WriteRecord(os.Stdout, l.Record()); err != nil {
		log.Fatal(err)
	}
}

func Example() {
	summary(oware.Descriptor(), "EbDf")
	summary(tictactoe.Descriptor(), "b2 a1 c1 b1 a3")
	// Output:
	// oware 6-5-5-1-0-6-6-1-6-5-5-0-0-2-S South
	// [Rules "abapa"]
	//
	// 1. E b 2. D f+2 *
	//
	// tictactoe OOX.X.X.. O
	// 1 three in a row
	// [Rules "standard"]
	//
	// 1. b2 a1 2. c1 b1 3. a3 1-0
}

func ExamplePerft() {
	fmt.Println(games.Perft(tictactoe.Start(), 5), games.Perft(oware.Start(oware.Abapa), 5))
	// Output: 15120 5219
}
