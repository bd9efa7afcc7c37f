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
	b := testkit.Must(book.Find(book.DefaultName))(t)
	e, found := b.Lookup(oware.Start(oware.Abapa).BookKey())
	if !found {
		t.Fatal("the default book has no start")
	}
	e.Scores[0] = 500
	testkit.NoError(t, book.Write(filepath.Join(dir, "own.bin"), book.Header{}, []book.Entry{e}))
	return "own.bin"
}

// bookSource is the source of the values in the default book.
var bookSource = regexp.MustCompile(`^after \d+ plies, search nodes \d+$`)

func TestABookPositionIsCompared(t *testing.T) {
	dir := t.TempDir()
	s := testServer(t, Config{Dir: dir})
	name := ownBook(t, dir)
	var v struct{ Position bookPosition }
	value(t, s, "/book?other="+name, &v)
	if n := v.Position; !n.In || len(n.Moves) != 6 || n.Below < 1000 || n.Next[0] == "" || n.Next[1] == "" {
		t.Fatalf("%+v", n)
	}
	for i, m := range v.Position.Moves {
		if m.Points == nil || m.Chance == nil || m.Other == nil || m.Other.Best != (i == 0) || (*m.Points == *m.Other.Points) != (i != 0) {
			t.Errorf("move %d: %+v", i, m)
		}
		if !bookSource.MatchString(m.Source) {
			t.Errorf("move %d comes from %q", i, m.Source)
		}
	}
	_, _, text := get(s, "/book?moves="+v.Position.Next[0])
	testkit.Contains(t, text, "The book does not contain this position.") // the next leaf is where the book ends
	_, _, text = get(s, "/book?moves=F&other="+name)
	testkit.Contains(t, text, "North to move. Entries", "moves=Ff", "chance in own.bin", " %", "Open on the board")
}

// The page of a book describes its coverage, and compares it with another.
func TestABookIsDescribed(t *testing.T) {
	dir := t.TempDir()
	s := testServer(t, Config{Dir: dir})
	name := ownBook(t, dir)
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "notes.txt"), []byte("no book"), 0o666))
	code, _, text := get(s, "/book?other="+name)
	testkit.Equal(t, code, 200, "code")
	testkit.Contains(t, text, "<option selected>default", "<option selected>own.bin", "compared with own.bin", "1 with other values", "drop-out diagram", "<svg")
	var v struct {
		Entries    int
		Plies      []book.PlyStats
		Difference struct {
			B       int                     `json:"b"`
			OnlyB   int                     `json:"only_b"`
			Other   int                     `json:"other_values"`
			Largest []map[string]book.Named `json:"largest"`
		}
	}
	value(t, s, "/book?name="+name+"&other=default", &v)
	if v.Entries != 1 || len(v.Plies) != 1 || v.Plies[0].Moves != 6 {
		t.Errorf("%+v", v)
	}
	value(t, s, "/book?other="+name, &v)
	if d := v.Difference; d.B != 1 || d.OnlyB != 0 || d.Other != 1 || len(d.Largest) != 1 || d.Largest[0]["b"].Scores["A"] != 500 {
		t.Errorf("%+v", d)
	}
}

// A book that changes is read again; other files, and those outside the folder, are refused.
func TestBookFilesAreChecked(t *testing.T) {
	dir := t.TempDir()
	s := testServer(t, Config{Dir: dir})
	name := ownBook(t, dir)
	if code, _, text := get(s, "/book?name="+name); code != 200 {
		t.Fatalf("%d %s", code, text)
	}
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("broken"), 0o666))
	for _, query := range []string{"name=own.bin", "name=../own.bin", "name=/etc/passwd", "name=none.bin", "other=none.bin", "moves=x", "name=%00"} {
		code, _, text := get(s, "/book?"+query)
		if code != 400 && code != 404 || strings.Contains(text, dir) {
			t.Errorf("%s: %d %s", query, code, text)
		}
	}
}

// Large books take the places of small ones, and the last one stays however large it is.
func TestShelfKeepsAFewBooks(t *testing.T) {
	var s shelf
	loaded := 0
	for _, step := range []struct {
		name         string
		size, loaded int
	}{{"a", 30, 1}, {"b", 34, 2}, {"a", 30, 2}, {"c", 10, 3}, {"b", 34, 4}, {"huge", 1000, 5}, {"huge", 1000, 5}, {"a", 30, 6}, {"b", 1, 7}, {"c", 1, 8}, {"d", 1, 9}, {"c", 1, 9}, {"a", 30, 10}} {
		_, err := s.get(keptBook{path: step.name, size: int64(step.size) << 20}, func() (*bookTree, error) { loaded++; return &bookTree{}, nil })
		testkit.NoError(t, err)
		testkit.Equal(t, loaded, step.loaded, "after %s", step.name)
	}
}
