package thesis_test

import (
	"fmt"

	"kroo/features/oware/thesis"
	"kroo/games/oware"
)

// The reduced fit of Sala Soler 2014, as an evaluation function.
func Example() {
	set, err := thesis.ByName("thesis4")
	if err != nil {
		fmt.Println(err)
		return
	}
	w, _ := thesis.Published("thesis4")
	e, err := thesis.NewEvaluator(w)
	if err != nil {
		fmt.Println(err)
		return
	}
	p, err := oware.ParseBoard(oware.Abapa, "1-0-2-4-5-15-3-1-4-0-4-1-4-4-S")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.2f points, %d centi-seeds\n", set.Exact(w, p), e.Evaluate(p))
	// Output: 40.51 points, 97 centi-seeds
}
