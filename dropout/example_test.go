package dropout_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"kroo/dropout"
	"kroo/engine"
	"kroo/games/oware"
)

func Example() {
	folder, err := os.MkdirTemp("", "book")
	if err != nil {
		panic(err)
	}
	defer os.RemoveAll(folder)
	req := dropout.Request{
		BookConfig: dropout.BookConfig{Expansions: 10, Sides: "both", Omega: 2, Width: 8, Config: engine.Config{Depth: 3, HashMB: 1, Tables: engine.NoTables}},
		Root:       oware.Start(oware.Abapa),
		By:         engine.Spec{Weights: engine.CapturesName},
	}
	book, err := dropout.Grow(context.Background(), req, filepath.Join(folder, "book.bin"), nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(book.Entries, "positions")
	// Output: 10 positions
}
