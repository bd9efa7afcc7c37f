package wal_test

import (
	"fmt"
	"log"
	"os"
	"path/filepath"

	"kroo/internal/wal"
)

func Example() {
	dir, err := os.MkdirTemp("", "wal")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	path := filepath.Join(dir, "run.log")

	l, err := wal.Open(path, []byte("made by run 7"), nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	l.Append([]byte("first"))
	l.Append([]byte("second"))
	if err := l.Close(); err != nil { // reports failed appends, too
		log.Fatal(err)
	}

	l, err = wal.Open(path, nil,
		func(header []byte) error { fmt.Printf("%s:\n", header); return nil },
		func(record []byte) error { fmt.Printf("%s\n", record); return nil })
	if err != nil {
		log.Fatal(err)
	}
	defer l.Close()
	fmt.Println("more can be appended")
	// Output:
	// made by run 7:
	// first
	// second
	// more can be appended
}
