package journal_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"kroo/internal/journal"
)

// Squares are computed once, even if the program is stopped in between.
func Example() {
	dir, err := os.MkdirTemp("", "journal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	type square struct{ N, Square int }
	settings := map[string]any{"power": 2}

	for _, upTo := range []int{2, 4} {
		known := map[int]int{}
		j, err := journal.Open(filepath.Join(dir, "squares.journal"), "squares 1", settings, journal.JSON[square](),
			func(s square) error { known[s.N] = s.Square; return nil })
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println("known:", len(known))
		for n := len(known); n < upTo; n++ {
			if err := j.Append(square{n, n * n}); err != nil {
				log.Fatal(err)
			}
		}
		if err := j.Close(); err != nil {
			log.Fatal(err)
		}
	}
	// Output:
	// known: 0
	// known: 2
}
