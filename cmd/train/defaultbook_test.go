package main

import (
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"

	"kroo/book"
)

// The default book is what its preset makes of the searches in the repository.
func TestDefaultBookIsThatOfItsSearches(t *testing.T) {
	dir := t.TempDir()
	searches, err := os.ReadFile(filepath.Join("..", "..", "docs", "book", "default.bin.log"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "default.bin.log"), searches, 0o666); err != nil {
		t.Fatal(err)
	}
	own, err := book.Find(book.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	searched, err := strconv.Atoi(own.Header().Get("Searched"))
	if err != nil {
		t.Fatalf("the header of the default book: %v", err)
	}
	good(t, dir, "book", "expand", "--preset", "default", "--evaluations", strconv.Itoa(searched), "-o", "default.bin")
	again, err := book.Open(filepath.Join(dir, "default.bin"))
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	if own.Len() == 0 || own.Len() != again.Len() || own.Checksum() != again.Checksum() {
		t.Errorf("%d entries of checksum %s, the searches make %d of %s", own.Len(), own.Checksum(), again.Len(), again.Checksum())
	}
	fields := func(b *book.Book) []book.Field {
		return slices.DeleteFunc(slices.Clone(b.Header().Fields), func(f book.Field) bool {
			return f.Name == "Tool" || f.Name == book.FieldHeaderChecksum // the program that wrote it
		})
	}
	if !slices.Equal(fields(own), fields(again)) {
		t.Errorf("the header has %v, the searches make %v", fields(own), fields(again))
	}
}
