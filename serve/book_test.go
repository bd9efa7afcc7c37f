package serve

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"kroo/book"
	"kroo/games/oware"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
)

// ownBook writes a book of the start position, with a changed value of one move.
func ownBook(t testing.TB, dir string) string {
	t.Helper()
	b := testkit.Must(book.Open(book.DefaultName))(t)
	e, found := b.Lookup(oware.Start(oware.Abapa).BookKey())
	if !found {
		t.Fatal("the default book has no start")
	}
	e.Scores[0] = 500
	testkit.NoError(t, book.Write(filepath.Join(dir, "own.bin"), book.Header{}, []book.Entry{e}))
	return "own.bin"
}

// A position lists its moves, which lead to the next ones, and the page describes the book.
func TestABookIsDescribed(t *testing.T) {
	dir := t.TempDir()
	s := testServer(t, Config{Dir: dir})
	text := answers(t, s, "GET", "/book", 200, "South to move. Entries from here on: 20\u00a0975.", " ★", "coverage by ply", "drop-out diagram", "<svg", "Open on the board")
	if sources := regexp.MustCompile(`after \d+ plies, search`).FindAllString(text, -1); len(sources) != 6 {
		t.Errorf("values come from %q: expected six", sources)
	}
	answers(t, s, "GET", "/book?moves=F", 200, "North to move. Entries", "moves=Ff", " %")
	answers(t, s, "GET", "/book?name="+ownBook(t, dir), 200, "own.bin: an opening book of 1 entries", " ★")
}

// A book that changes is read again; other files, and those outside the folder, are refused.
func TestBookFilesAreChecked(t *testing.T) {
	dir := t.TempDir()
	s := testServer(t, Config{Dir: dir})
	name := ownBook(t, dir)
	answers(t, s, "GET", "/book?name="+name, 200)
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("broken"), 0o666))
	for _, query := range []string{"name=own.bin", "name=../own.bin", "name=/etc/passwd", "name=none.bin", "moves=x", "name=%00"} {
		code, _, text := get(s, "/book?"+query)
		if code != 400 && code != 404 || strings.Contains(text, dir) {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
}
