package endgame

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"kroo/games/oware"
	"kroo/internal/mapfile"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

func TestFindOpensFilesFoldersAndTheDefault(t *testing.T) {
	dir := t.TempDir()
	awari := filepath.Join(dir, FileName(oware.Awari))
	testkit.NoError(t, build(t, oware.Awari, Exact, 2).Write(awari))
	for path, seeds := range map[string]int{awari: 2, dir: 2, "": defaultSeeds} {
		tab, err := Find(path, oware.Awari)
		if err != nil || tab.Seeds() != seeds || tab.Rules() != oware.Awari {
			t.Fatalf("%q: %v", path, err)
		}
		if err := tab.Close(); err != nil {
			t.Error(err)
		}
	}
	_, err := Find(awari, oware.Abapa)
	testkit.ErrorContains(t, err, "a table for awari: expected abapa")
	if _, err := Find(dir, oware.Simple); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("not in the folder: %v", err)
	}
}

// TestDefaultTableEqualsABuild compares small levels, all levels with KROO_LONG=1.
func TestDefaultTableEqualsABuild(t *testing.T) {
	tab := testkit.Must(Default(oware.Abapa))(t)
	if tab.Seeds() != defaultSeeds || tab.ResolvedLevel() != defaultSeeds || tab.Bounds() != Sharp || len(abapa) > 1<<20 {
		t.Errorf("%d seeds, %s, %d bytes", tab.Seeds(), tab.Bounds(), len(abapa))
	}
	seeds := 6 // more take longer to resolve
	if testenv.Long() {
		seeds = defaultSeeds
	}
	built := testkit.Must(Build(t.Context(), Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: seeds, Resolve: seeds}, nil))(t)
	for n := range seeds + 1 {
		for i := range Positions(n) {
			low, high := tab.at(n, i)
			newLow, newHigh := built.at(n, i)
			if low != newLow || high != newHigh || low != high {
				t.Fatalf("%s: %d to %d, built %d to %d", PositionAt(oware.Abapa, n, i), low, high, newLow, newHigh)
			}
		}
	}
	testkit.NoError(t, tab.Close())
	if again, err := Default(oware.Abapa); err != nil || again.data == nil {
		t.Errorf("after closing one: %v", err)
	}
}

func TestSimpleToEndSharesTheTableOfSimple(t *testing.T) {
	var tables [2]*Table
	for i, r := range []oware.Rules{oware.Simple, oware.SimpleToEnd} {
		own, err := Build(t.Context(), Config{Rules: r, Bounds: Exact, Seeds: 6}, nil)
		testkit.NoError(t, err)
		tables[i] = testkit.Must(Default(r))(t)
		if tables[i].Rules() != r || !bytes.Equal(tables[i].data[:len(own.data)], own.data) {
			t.Errorf("%s: the default table, for %s, differs from a build", r, tables[i].Rules())
		}
		p, err := oware.ParseBoard(r, "0-1-0-0-2-0-1-0-0-0-1-0-21-22-S")
		testkit.NoError(t, err)
		if _, _, ok := tables[i].Probe(p); !ok {
			t.Errorf("%s: the default table does not have %s", r, p)
		}
	}
	if &tables[0].data[0] != &tables[1].data[0] {
		t.Error("the table is built twice")
	}
}

// Probes of a mapped table whose file is truncated find nothing, and Err reports why.
func TestTruncatedMappedTable(t *testing.T) {
	defer func(old int64) { mapfile.Small = old }(mapfile.Small)
	mapfile.Small = 0
	want := build(t, oware.Abapa, Sharp, 5)
	path := filepath.Join(t.TempDir(), "table")
	testkit.NoError(t, want.Write(path))
	got, err := Open(path)
	if err != nil || !got.mapped {
		t.Fatal(got, err)
	}
	defer got.Close()
	random := rand.New(rand.NewPCG(1, 1))
	p := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-1-0-0-1-0-1-0-1-22-22-S"))(t)
	for range 100 {
		n := random.IntN(6)
		i := random.IntN(Positions(n))
		low, high, ok := got.probeMapped(n, i)
		if l, h := want.at(n, i); l != low || h != high || !ok {
			t.Fatalf("level %d, position %d: %d to %d, want %d to %d", n, i, low, high, l, h)
		}
	}
	testkit.Equal(t, testing.AllocsPerRun(100, func() { got.Probe(p) }), 0, "testing.AllocsPerRun")
	testkit.NoError(t, got.Err())
	testkit.NoError(t, os.Truncate(path, 1))
	if _, _, ok := got.probeMapped(5, Positions(5)-1); ok || got.Err() == nil {
		t.Errorf("truncated: Probe found a value: %v, error: %v", ok, got.Err())
	}
}

// Functions that read all or much of a table fail if the file was truncated or modified
// after opening.
func TestReadingAModifiedMappedTable(t *testing.T) {
	defer func(old int64) { mapfile.Small = old }(mapfile.Small)
	mapfile.Small = 0
	p := PositionAt(oware.Abapa, 5, 100)
	readings := map[string]func(*Table) error{
		"Verify": func(tab *Table) error { return tab.Verify(t.Context(), nil) },
		"Stats":  func(tab *Table) error { _, err := tab.Stats(context.Background(), nil); return err },
		"Query":  func(tab *Table) error { _, err := tab.Query(p); return err },
	}
	damages := map[string]func(path string) error{
		"truncated": func(path string) error { return os.Truncate(path, 1) },
		"filled with zeros": func(path string) error {
			info, err := os.Stat(path)
			if err != nil {
				return err
			}
			return errors.Join(os.WriteFile(path, make([]byte, info.Size()), 0o644), os.Chtimes(path, time.Time{}, info.ModTime().Add(time.Second)))
		},
	}
	want := build(t, oware.Abapa, Sharp, 5)
	for _, damage := range damages {
		for name, reading := range readings {
			path := filepath.Join(t.TempDir(), "table")
			testkit.NoError(t, want.Write(path))
			tab := testkit.Must(Open(path))(t)
			defer tab.Close()
			if err := reading(tab); err != nil {
				t.Errorf("%s of an intact table: %v", name, err)
			}
			testkit.NoError(t, damage(path))
			testkit.ErrorContains(t, reading(tab), path+" changed while it was in use")
		}
	}
}

// By negamax, the best lower bound of the moves is the position's, and so is the best
// upper bound. The best line has legal moves.
func TestQueryAgreesWithItsMoves(t *testing.T) {
	for _, tab := range []*Table{build(t, oware.Awari, Exact, 6), build(t, oware.Abapa, Crude, 6)} {
		for i := range Positions(6) {
			p := PositionAt(tab.Rules(), 6, i)
			a := testkit.Must(tab.Query(p))(t)
			if a.Board != p.String() || a.Rules != tab.Rules().String() || a.Exact != (a.Low == a.High) {
				t.Fatalf("%s: %+v", p, a)
			}
			if len(a.Moves) == 0 {
				continue
			}
			low, high := -6, -6
			for _, m := range a.Moves {
				low, high = max(low, m.Low), max(high, m.High)
			}
			if a.Low != low || a.High != high {
				t.Fatalf("%s: %d to %d, its moves give %d to %d", p, a.Low, a.High, low, high)
			}
			replay(t, p, a.Line)
		}
	}
}

// replay plays the moves of a best line and checks their captures.
func replay(t *testing.T, p oware.Position, line string) {
	t.Helper()
	for _, word := range strings.Fields(line) {
		m, side, err := oware.ParseMove(word[0])
		if err != nil || side != p.ToMove() || !p.IsLegal(m) {
			t.Fatalf("%s: move %s of the line %s", p, word, line)
		}
		want := oware.MoveName(m, side)
		if gain := p.Gain(m); gain > 0 {
			want += "+" + strconv.Itoa(gain)
		}
		if word != want {
			t.Fatalf("%s: the line has %s: want %s", p, word, want)
		}
		p = p.Play(m)
	}
}

func TestQueryAddsTheStores(t *testing.T) {
	tab := build(t, oware.Awari, Exact, 3)
	p := testkit.Must(oware.ParseBoard(oware.Awari, "0-0-0-0-0-1-0-1-0-0-0-0-20-26-S"))(t)
	a, err := tab.Query(p)
	if err != nil || a.FinalLow != a.Low-6 || a.FinalHigh != a.High-6 {
		t.Errorf("%+v, %v: expected final values 6 below", a, err)
	}
}

func TestQueryRejectsTooManySeeds(t *testing.T) {
	tab := build(t, oware.Awari, Exact, 3)
	_, err := tab.Query(oware.Start(oware.Awari))
	testkit.ErrorContains(t, err, "48 seeds in play: the table has positions of at most 3")
}
