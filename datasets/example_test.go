package datasets_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"kroo/datasets"
	"kroo/games/oware"
)

// A table is written with what describes it, and read as the kind of table that it is.
func Example() {
	dir, err := os.MkdirTemp("", "datasets")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sample.parquet")

	start := oware.Start(oware.Abapa)
	rows := []datasets.Row[oware.Position]{{Position: start}, {Position: start.Play(5)}}
	meta := datasets.Meta{Kind: datasets.Positions, Game: "oware", Rules: "abapa", Method: "by hand"}
	game := oware.Descriptor()
	if err := datasets.Write(game, path, meta, datasets.Rows(rows)); err != nil {
		log.Fatal(err)
	}

	meta, rows, err = datasets.Read(game, path, datasets.Positions)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(meta.Kind, meta.Method, len(rows), rows[1].Position)

	_, _, err = datasets.Read(game, path, datasets.Labels)
	fmt.Println(err != nil)
	// Output:
	// positions by hand 2 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N
	// true
}
