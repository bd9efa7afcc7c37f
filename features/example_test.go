package features_test

import (
	"fmt"
	"log"

	"kroo/features"
	tictactoefeatures "kroo/features/tictactoe"
	"kroo/games/tictactoe"
)

// Weights of a set, the value of a position, and what it consists of.
func Example() {
	set, err := tictactoefeatures.Sets.ByName("lines")
	if err != nil {
		log.Fatal(err)
	}
	w, err := features.New("tictactoe", "standard", set.Info, []string{"open_one", "open_two"}, []float64{50, 300})
	if err != nil {
		log.Fatal(err)
	}
	m, err := tictactoefeatures.Sets.Model(w)
	if err != nil {
		log.Fatal(err)
	}
	p := tictactoe.Start()
	for _, square := range []uint16{4, 1, 0} { // the centre, a side, and a corner
		p = p.Play(square)
	}
	fmt.Println(m.Exact(p), "points for the side to move")
	for _, part := range m.Parts(p) {
		fmt.Println(part.Name, part.Value, part.Points)
	}
	// Output:
	// -450 points for the side to move
	// open_one -3 -150
	// open_two -1 -300
}
