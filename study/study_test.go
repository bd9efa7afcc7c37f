package study

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

func somePositions(t *testing.T, n int) []oware.Position {
	t.Helper()
	list, err := Positions(t.Context(), oware.Abapa, n, 1)
	if err != nil {
		t.Fatal(err)
	}
	return list
}

func TestPositionsAreDifferentAndOfASeed(t *testing.T) {
	list := somePositions(t, 120)
	if !reflect.DeepEqual(list, somePositions(t, 120)) || !reflect.DeepEqual(list[:50], somePositions(t, 50)) {
		t.Error("the same seed gives other positions")
	}
	seen := map[int64]bool{}
	for _, p := range list {
		if _, over := p.Terminal(); over || seen[p.Orbit()] {
			t.Errorf("%s: over or there twice", p)
		}
		seen[p.Orbit()] = true
	}
}

func TestEveryOrderingFindsTheValue(t *testing.T) {
	for _, p := range somePositions(t, 60) {
		const depth = 5
		want, _ := search.Minimax(p, nil, depth, evaluations.Captures{})
		for _, o := range orderings {
			s := newAlphaBeta(t.Context(), o.order, nil, depth)
			if got := s.search(p, depth, -infinity, infinity, 0); got != want {
				t.Errorf("%s: %s finds %d, want %d", p, o.name, got, want)
			}
		}
		for _, sch := range schemes {
			s := newAlphaBeta(t.Context(), orderings[4].order, newSchemeTable(sch, 64<<10), depth)
			if got := s.search(p, depth, -infinity, infinity, 0); got != want {
				t.Errorf("%s: scheme %s finds %d, want %d", p, sch.name, got, want)
			}
		}
	}
}

func TestOrderings(t *testing.T) {
	// A takes 2 at a, B holds one seed, C captures nothing and holds three.
	p, err := oware.ParseBoard(oware.Abapa, "6-1-3-0-0-0-1-4-4-4-4-4-9-8-S")
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"naive": "ABC", "defensive": "BAC", "attacking": "ABC", "combined": "ABC"} {
		for _, o := range orderings {
			if o.name != name {
				continue
			}
			moves := p.AppendMoves(nil)
			o.order(p, moves)
			got := ""
			for _, m := range moves {
				got += oware.MoveName(m, oware.South)
			}
			if got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}

func TestSchemesReplaceAsTheyAreNamed(t *testing.T) {
	deep, shallow := note{move: 1, depth: 9}, note{move: 2, depth: 5}
	for i, want := range []struct{ deepAfterShallow, shallow, deepAfterNextSearch bool }{
		{true, true, false}, {true, true, false}, {true, true, true}, {true, false, true}, {false, true, false},
	} {
		tab := newSchemeTable(schemes[i], 2*slotBytes) // one slot a tier, or two of one
		tab.newSearch()
		tab.store(2, deep)
		tab.store(4, shallow)
		if _, ok := tab.probe(2, 9); ok != want.deepAfterShallow {
			t.Errorf("%s: the deeper result is there: %v", tab.name, ok)
		}
		if _, ok := tab.probe(4, 9); ok != want.shallow {
			t.Errorf("%s: the newer result is there: %v", tab.name, ok)
		}
		tab.newSearch()
		tab.store(4, shallow)
		if _, ok := tab.probe(2, 9); ok != want.deepAfterNextSearch {
			t.Errorf("%s: the deeper result is there after the next search: %v", tab.name, ok)
		}
	}
	near := newSchemeTable(schemes[0], 1<<10)
	near.newSearch()
	near.store(2, note{depth: 3})
	if _, ok := near.probe(2, 3); ok || near.asked != 0 {
		t.Error("scheme 1 keeps what is near the leaves")
	}
}

func TestStudiesAreTheSameWhateverTheWorkers(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		b, err := Branching(t.Context(), BranchingConfig{Positions: 30, Seed: 1, Depth: 4, Workers: workers}, nil)
		if err != nil {
			t.Fatal(err)
		}
		d, err := Depths(t.Context(), DepthsConfig{Positions: 30, Seed: 1, Depth: 6, Workers: workers}, nil)
		if err != nil {
			t.Fatal(err)
		}
		tab, err := Tables(t.Context(), TablesConfig{Positions: 5, Seed: 1, Depth: 6, Sizes: []int{64}, Workers: workers}, nil)
		if err != nil {
			t.Fatal(err)
		}
		if workers == 1 {
			checkBranching(t, b)
			checkDepths(t, d)
		}
		got := []any{b.Trees[2].Nodes, d.Lines, tab.Lines[1].Nodes, tab.Lines[1].HitRate}
		if workers == 1 {
			studied = got
		} else if !reflect.DeepEqual(got, studied) {
			t.Errorf("%d workers: %v, want %v", workers, got, studied)
		}
	}
}

var studied []any // by one worker

func checkBranching(t *testing.T, r *BranchingResult) {
	t.Helper()
	total := 0.0
	for _, p := range somePositions(t, 30) {
		total += float64(p.Perft(4))
	}
	b := math.Pow(total/30, 0.25)
	if r.Trees[0].Nodes != total || math.Abs(r.Trees[0].Branching-b) > 1e-12 || math.Abs(r.Trees[1].Nodes/30-(2*b*b-1)) > 1e-9 {
		t.Errorf("%+v: full tree %f, branching %f", r.Trees[:2], total, b)
	}
	for _, tree := range r.Trees[2:] {
		if tree.Nodes <= r.Trees[1].Nodes/4 || tree.Nodes >= 3*r.Trees[0].Nodes {
			t.Errorf("%+v: want between the minimal and the full tree", tree)
		}
	}
}

func checkDepths(t *testing.T, r *DepthsResult) {
	t.Helper()
	last := r.Lines[len(r.Lines)-1]
	if len(r.Lines) != 5 || last.Next != last.Deepest || r.Lines[0].Proven > last.Proven || r.Lines[0].Next <= 0.1 || r.Lines[0].Next > 1 {
		t.Errorf("%+v", r.Lines)
	}
}

func TestAlgorithmsAgreeAndStopInTime(t *testing.T) {
	r, err := Algorithms(t.Context(), AlgorithmsConfig{Depth: 5, Budget: time.Hour, HashMB: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for d := range 5 {
		for _, c := range r.Columns[1:4] { // full-width
			if c.Cells[d].Score != r.Columns[0].Cells[d].Score || c.Cells[d].Nodes > r.Columns[0].Cells[d].Nodes {
				t.Errorf("depth %d: %s %+v, minimax %+v", d+1, c.Name, c.Cells[d], r.Columns[0].Cells[d])
			}
		}
	}
	if n := r.Columns[0].Cells[3].Nodes; n != 1+6+36+190+1014 {
		t.Errorf("minimax to depth 4 visits %d positions", n)
	}
	r, err = Algorithms(t.Context(), AlgorithmsConfig{Depth: 50, Budget: 1, HashMB: 1}, nil)
	if err != nil || len(r.Columns[0].Cells) > 3 {
		t.Errorf("with no time: %v, %+v", err, r)
	}
}

func TestResultsPrintAndDraw(t *testing.T) {
	a, err := Algorithms(t.Context(), AlgorithmsConfig{Depth: 3, Budget: time.Hour, HashMB: 1}, nil)
	if err != nil {
		t.Fatal(err)
	}
	b, err := Branching(t.Context(), BranchingConfig{Positions: 5, Depth: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	d, err := Depths(t.Context(), DepthsConfig{Positions: 5, Depth: 3}, nil)
	if err != nil {
		t.Fatal(err)
	}
	tab, err := Tables(t.Context(), TablesConfig{Positions: 3, Depth: 5, Sizes: []int{16, 64}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range []Result{a, b, d, tab} {
		rows := r.Rows()
		for _, row := range rows {
			if len(row) != len(rows[0]) {
				t.Errorf("%T: a row of %d under a header of %d", r, len(row), len(rows[0]))
			}
		}
		if f, err := r.Chart().Draw(); err != nil || !strings.Contains(string(f.SVG), r.Chart().Title) || strings.Contains(string(f.SVG), "no data") {
			t.Errorf("%T: %v", r, err)
		}
		if r.Note() == "" || len(rows) < 3 {
			t.Errorf("%T: %d rows", r, len(rows))
		}
	}
}

func TestStudiesStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Branching(ctx, BranchingConfig{Positions: 600, Depth: 20}, nil); err == nil {
		t.Error("not stopped")
	}
}
