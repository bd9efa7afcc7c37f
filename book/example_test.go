package book_test

import (
	"fmt"
	"os"
	"path/filepath"

	"kroo/book"
	"kroo/games/oware"
)

func Example() {
	dir, err := os.MkdirTemp("", "book")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "book.bin")

	start := oware.Start(oware.Abapa)
	header := book.Header{Fields: []book.Field{{Name: book.FieldRules, Value: "abapa"}}}
	entries := []book.Entry{{Key: start.BookKey(), Scores: [6]int16{-72, -34, -20, -37, -35, 5}}}
	if err := book.Write(path, header, entries); err != nil {
		fmt.Println(err)
		return
	}

	b, err := book.Open(path)
	if err != nil {
		fmt.Println(err)
		return
	}
	if e, ok := b.Lookup(start.BookKey()); ok {
		m, score := e.Best()
		fmt.Println(oware.MoveName(m, start.ToMove()), score)
	}
	// Output: F 5
}
