package endgame

import (
	"bytes"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/testkit"
)

// blank returns a table of up to 12 seeds, whose last level takes three pieces, and
// its configuration.
func blank(t *testing.T) (Config, *Table) {
	t.Helper()
	c := Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: 12}
	tab := &Table{rules: c.Rules, bounds: c.Bounds, seeds: c.Seeds, data: make([]byte, c.Bounds.size(c.Seeds))}
	if n := len(tab.levelData(12)); n <= 2*pieceSize {
		t.Fatalf("level 12 takes %d bytes: expected more than two pieces", n)
	}
	return c, tab
}

// reopened opens the journal of c for a new blank table.
func reopened(t *testing.T, c Config) (*Table, *journal.Journal[piece], int) {
	t.Helper()
	_, tab := blank(t)
	j, known, err := c.openJournal(tab)
	testkit.NoError(t, err)
	return tab, j, known
}

func TestJournalRestoresLevelsOfSeveralPieces(t *testing.T) {
	c, want := blank(t)
	c.Journal = filepath.Join(t.TempDir(), "journal")
	r := rand.New(rand.NewPCG(1, 2))
	for i := range want.data {
		want.data[i] = byte(r.Uint32())
	}
	_, j, _ := reopened(t, c)
	for n := range 12 {
		testkit.NoError(t, keepLevel(j, n, want.levelData(n)))
	}
	// Killed after the first piece of level 12: the level does not count and is
	// written again.
	testkit.NoError(t, j.Append(piece{level: 12, data: want.levelData(12)[:pieceSize]}))
	j.Close()
	_, j, known := reopened(t, c)
	if known != 12 {
		t.Fatalf("%d levels known, want 12", known)
	}
	testkit.NoError(t, keepLevel(j, 12, want.levelData(12)))
	j.Close()
	got, j, known := reopened(t, c)
	j.Close()
	if known != 13 || !bytes.Equal(got.data, want.data) {
		t.Errorf("%d levels known, want 13 and the same data", known)
	}
}

func TestJournalsOutOfOrderAreRefused(t *testing.T) {
	first := piece{last: true, data: make([]byte, 2)} // level 0 has one position, two bounds
	for _, bad := range []struct {
		want string
		piece
	}{
		{"levels are not in order", piece{level: 2, last: true}},
		{"pieces of level 1 are not in order", piece{level: 1, number: 1, last: true}},
		{"level 1 has the wrong size", piece{level: 1, last: true}},
		{"level 1 has the wrong size", piece{level: 1, last: true, data: make([]byte, 1000)}},
	} {
		c, tab := blank(t)
		c.Journal = filepath.Join(t.TempDir(), "journal")
		_, j, _ := reopened(t, c)
		for _, p := range []piece{first, bad.piece} {
			testkit.NoError(t, j.Append(p))
		}
		j.Close()
		if _, _, err := c.openJournal(tab); err == nil || !strings.Contains(err.Error(), bad.want) || !strings.Contains(err.Error(), c.Journal) {
			t.Errorf("error %v: want %q", err, bad.want)
		}
	}
}

// Any record is rejected or survives a round trip.
func FuzzPiece(f *testing.F) {
	f.Add([]byte{3, 0, 0, 0, 0, 1, 7, 7})
	f.Fuzz(func(t *testing.T, record []byte) {
		p, err := readPiece(record)
		if err != nil {
			return
		}
		if again, err := appendPiece(nil, p); err != nil || !bytes.Equal(again, record) {
			t.Errorf("%x is encoded as %x, error %v", record, again, err)
		}
	})
}

func TestBuildFileChecksItsOutputFirst(t *testing.T) {
	folder := t.TempDir()
	testkit.NoError(t, os.Mkdir(filepath.Join(folder, FileName(oware.Abapa)), 0o777))
	never := func(done, total int64, _ string) { t.Fatal("the build starts") }
	_, err := BuildFile(t.Context(), Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: 9}, folder, never)
	testkit.Refused(t, err, "it is a folder")
}
