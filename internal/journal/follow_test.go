package journal

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
)

type named struct{ Name string }

// read returns the pieces that a follower yields.
func (t *Follower[R]) read() (list []R, err error) {
	for piece, err := range t.Pieces() {
		if err != nil {
			return list, err
		}
		list = append(list, piece)
	}
	return list, nil
}

// A follower yields every piece once, whole, while the journal grows by any number of bytes at a time.
func TestAFollowerYieldsEveryPieceOnce(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.journal")
	j := testkit.Must(Open(path, "test 1", map[string]int{"n": 1}, JSON[named](), func(named) error { return nil }))(t)
	want := []named{{"first"}, {""}, {"a longer piece"}, {"last"}}
	for _, piece := range want {
		testkit.NoError(t, j.Append(piece))
	}
	testkit.NoError(t, j.Close())
	whole := testkit.Read(t, path)

	growing := filepath.Join(t.TempDir(), "b.journal")
	follower := NewFollower(growing, JSON[named]())
	if _, err := follower.read(); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a journal that does not exist yet: %v", err)
	}
	var got []named
	for n := range len(whole) + 1 {
		testkit.NoError(t, os.WriteFile(growing, whole[:n], 0o666))
		pieces, err := follower.read()
		testkit.NoError(t, err)
		got = append(got, pieces...)
	}
	testkit.EqualSlices(t, got, want, "pieces")
	testkit.NoError(t, os.WriteFile(growing, whole[:len(whole)-1], 0o666))
	_, err := follower.read()
	testkit.ErrorContains(t, err, "replaced", growing)
}

// A follower notices that another journal, also a longer one, has replaced its own.
func TestAFollowerNoticesAnotherJournal(t *testing.T) {
	write := func(path string, settings map[string]int, pieces int) {
		j := testkit.Must(Open(path, "test 1", settings, JSON[named](), func(named) error { return nil }))(t)
		for range pieces {
			testkit.NoError(t, j.Append(named{"piece"}))
		}
		testkit.NoError(t, j.Close())
	}
	for _, pieces := range []int{0, 1} { // also if no piece was read before
		path := filepath.Join(t.TempDir(), "a.journal")
		write(path, map[string]int{"n": 1}, pieces)
		follower := NewFollower(path, JSON[named]())
		read := testkit.Must(follower.read())(t)
		testkit.Equal(t, len(read), pieces, "pieces")
		testkit.NoError(t, Remove(path))
		write(path, map[string]int{"n": 2, "more": 1000}, pieces+3)
		_, err := follower.read()
		testkit.ErrorContains(t, err, "replaced", path)
	}
}
