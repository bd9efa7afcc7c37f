package endgame_test

import (
	"fmt"

	"kroo/endgame"
	"kroo/games/oware"
)

// The default table has the outcome of best play for the seeds in play.
func Example() {
	table, err := endgame.Default(oware.Abapa)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := oware.ParseBoard(oware.Abapa, "0-1-0-0-2-0-1-0-0-0-1-0-21-22-S")
	if err != nil {
		fmt.Println(err)
		return
	}
	low, high, ok := table.Probe(p)
	fmt.Println("of the seeds in play:", low, high, ok)
	low, high, _ = table.Final(p)
	fmt.Println("with the stores:", low, high)
	// Output:
	// of the seeds in play: 5 5 true
	// with the stores: 4 4
}
