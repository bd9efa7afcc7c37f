package datasets_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"kroo/datasets"
	"kroo/games/oware"
)

func Example() {
	dir, err := os.MkdirTemp("", "datasets")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "sample.parquet")

	start := oware.Start(oware.Abapa)
	rows := []datasets.PositionRow{{Key: start.BookKey()}, {Key: start.Play(5).BookKey()}}
	meta := datasets.Meta{Game: "oware", Rules: "abapa", Method: "by hand"}
	if err := datasets.WritePositions(path, meta, rows); err != nil {
		log.Fatal(err)
	}

	meta, rows, err = datasets.ReadPositions(path)
	if err != nil {
		log.Fatal(err)
	}
	p, err := oware.FromBookKey(oware.Abapa, rows[1].Key)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(meta.Kind, meta.Method, len(rows), p)

	_, _, err = datasets.ReadLabels(path)
	fmt.Println(err != nil)
	// Output:
	// positions by hand 2 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N
	// true
}
