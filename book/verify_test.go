package book

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestVerifyFindsNothingInAGoodBook(t *testing.T) {
	entries := testkit.Must(consistent(t.Context(), randomEntries(500, 8), oware.Abapa))(t)
	r, err := Verify(t.Context(), write(t, Header{Fields: []Field{{FieldRules, "abapa"}}}, entries), NoTables)
	if err != nil || !r.OK() || len(r.Problems) != 0 || r.Entries != len(entries) || r.Links == 0 || r.Header.Get(FieldRules) != "abapa" {
		t.Errorf("%v: %+v", err, r)
	}
}

// keyOf is the book key of a board.
func keyOf(t *testing.T, board string) int64 {
	t.Helper()
	p := testkit.Must(oware.ParseBoard(oware.Abapa, board))(t)
	return p.BookKey()
}

// faulty is a book whose entries have one kind of fault.
type faulty struct {
	kind    Kind
	entries []Entry
	count   int
	first   int
	board   string
}

// file writes the book as another program would, without checksums.
func (f faulty) file(t *testing.T) (path string) {
	t.Helper()
	var body []byte
	for _, e := range f.entries {
		body = e.appendTo(body)
	}
	path = filepath.Join(t.TempDir(), "bad.bin")
	testkit.NoError(t, os.WriteFile(path, append([]byte("Foreign\n\x00\n"), body...), 0o644))
	return path
}

// faultyBooks has a book for each kind of fault of an entry.
func faultyBooks(t *testing.T) []faulty {
	t.Helper()
	const (
		start  = "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S"
		single = "4-4-4-4-4-4-4-4-4-4-4-3-1-0-S"
		won    = "4-4-4-4-4-1-0-0-0-0-0-0-25-2-S"
		empty  = "0-4-4-4-4-4-4-4-4-4-4-5-3-0-S" // A has no seeds
	)
	with := func(board string, scores ...int16) Entry {
		return Entry{Key: keyOf(t, board), Scores: [6]int16(scores)}
	}
	good := with(start, 1, 2, 3, 4, 5, 6)
	later := with("4-4-4-4-4-4-4-4-4-4-4-4-0-0-N", 1, 2, 3, 4, 5, 6)
	return []faulty{
		{badOrder, []Entry{good, later}, 1, 1, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"},
		{duplicate, []Entry{good, good, good}, 2, 1, start},
		{badKey, []Entry{{Key: -3}, good}, 1, 0, ""},
		{unreachable, []Entry{with(single, 1, 2, 3, 4, 5, 6)}, 1, 0, single},
		{gameOver, []Entry{with(won, Illegal, Illegal, Illegal, Illegal, Illegal, Illegal)}, 1, 0, won},
		{legalUnmarked, []Entry{with(start, 1, 2, Illegal, 4, 5, 6)}, 1, 0, start},
		{illegalValued, []Entry{with(empty, 1, 2, 3, 4, 5, 6)}, 1, 0, empty},
		{badScore, []Entry{with(start, 1, 2, 1001, -1001, 5, 6)}, 1, 0, start},
	}
}

func TestVerifyFindsEachKindOfProblem(t *testing.T) {
	for _, c := range faultyBooks(t) {
		r := testkit.Must(Verify(t.Context(), c.file(t), NoTables))(t)
		r.Problems = slices.DeleteFunc(r.Problems, func(p Problem) bool { return p.Kind == noChecksum })
		if len(r.Problems) != 1 || r.OK() {
			t.Errorf("%s: %+v", c.kind, r.Problems)
			continue
		}
		p := r.Problems[0]
		if p.Kind != c.kind || p.Count != c.count || p.First != c.first || p.Board != c.board || p.Text == "" || p.Key != c.entries[c.first].Key {
			t.Errorf("%s: %+v", c.kind, p)
		}
	}
}

// Merged, pruned or shown is only a book in whose entries Verify finds no fault.
func TestFaultyEntriesAreRejectedEverywhere(t *testing.T) {
	good := inMemory(randomEntries(20, 1))
	for _, c := range faultyBooks(t) {
		path := c.file(t)
		bad := open(t, path)
		for name, do := range map[string]func() error{
			"Merge":       func() error { _, err := Merge(t.Context(), good, bad); return err },
			"Merge first": func() error { _, err := Merge(t.Context(), bad, good); return err },
			"Prune": func() error {
				_, err := Prune(t.Context(), bad, oware.Abapa, PruneConfig{Sides: ForBoth})
				return err
			},
			"Survey":     func() error { _, err := Survey(t.Context(), bad, oware.Abapa); return err },
			"Explore":    func() error { _, err := Explore(t.Context(), bad, oware.Abapa); return err },
			"CheckSound": func() error { return bad.CheckSound(t.Context(), oware.Abapa) },
		} {
			err := do()
			if err == nil || !strings.Contains(err.Error(), path+": entry ") || !strings.Contains(err.Error(), string(c.kind)) || !strings.Contains(err.Error(), "book verify") {
				t.Errorf("%s of a book with %q: %v", name, c.kind, err)
			}
		}
	}
}

func TestVerifyReportsDamageOfTheFile(t *testing.T) {
	data := small(t)
	header := strings.Replace(string(data), "abapa", "awari", 1)
	entries := slices.Clone(data)
	entries[len(entries)-1] ^= 1
	for _, c := range []struct {
		data  string
		kinds []Kind
	}{
		{string(data), nil},
		{header, []Kind{wrongHeaderChecksum}},
		{string(entries), []Kind{wrongChecksum}},
		{string(data) + "x", []Kind{partialEntry, wrongChecksum}},
		{string(data[:len(data)-entrySize]), []Kind{wrongChecksum, wrongCount}},
	} {
		path := filepath.Join(t.TempDir(), "damaged.bin")
		testkit.NoError(t, os.WriteFile(path, []byte(c.data), 0o644))
		r := testkit.Must(Verify(t.Context(), path, NoTables))(t)
		var kinds []Kind
		for _, p := range r.Problems {
			if p.First == -1 {
				kinds = append(kinds, p.Kind)
			}
		}
		testkit.EqualSlices(t, kinds, c.kinds, "kinds")
	}
}

// tableOf has bounds for one position.
type tableOf struct {
	key       int64
	low, high int
}

// open returns the tables for any rules.
func (t tableOf) open(oware.Rules) (Prober, error) { return t, nil }

func (t tableOf) Final(p oware.Position) (low, high int, ok bool) {
	return t.low, t.high, p.BookKey() == t.key
}

func TestVerifyReportsValuesRefutedByTables(t *testing.T) {
	const board = "0-0-0-0-1-1-1-2-0-0-1-2-20-20-S" // F captures two
	e := Entry{Key: keyOf(t, board), Scores: [6]int16{Illegal, Illegal, Illegal, Illegal, 0, 0}}
	p, _ := oware.FromBookKey(oware.Abapa, e.Key)
	if p.Gain(5) != 2 || p.Gain(4) != 0 {
		t.Fatal("another board is needed")
	}
	for _, c := range []struct {
		value     int16
		low, high int // of the opponent
		refuted   bool
	}{
		{5, 1, 3, true}, {-5, 1, 3, false}, {0, 1, 3, true}, // a loss
		{5, -3, -1, false}, {-5, -3, -1, true}, {0, -3, -1, true}, // a win
		{5, -3, 1, false}, {-5, -3, 1, false}, // open
		{1000, 0, 2, true}, {999, 0, 2, false}, {-1000, -2, 0, true}, {-1000, -2, 1, false}, // at most, at least a draw
	} {
		e.Scores[5] = c.value
		path := write(t, Header{Fields: []Field{{FieldRules, "abapa"}}}, []Entry{e})
		r := testkit.Must(Verify(t.Context(), path, tableOf{p.Play(5).BookKey(), c.low, c.high}.open))(t)
		if r.OK() == c.refuted || r.Probed != 1 || c.refuted && r.Problems[0].Kind != againstTables {
			t.Errorf("%+v: %+v", c, r)
		}
		if r, err := Verify(t.Context(), path, tableOf{p.Play(4).BookKey(), c.low, c.high}.open); err != nil || !r.OK() || r.Probed != 0 {
			t.Errorf("a bound holds after a capture only: %v %+v", err, r)
		}
	}
}

// The value of a move to a position in the book is the negative of that
// position's best.
func TestVerifyFindsInconsistentValues(t *testing.T) {
	p := oware.Start(oware.Abapa)
	parent := startEntry
	child := Entry{Key: p.Play(5).BookKey(), Scores: [6]int16{-9, -5, -30, -30, -30, -30}}
	for score, good := range map[int16]bool{5: true, 6: false, -5: false} {
		parent.Scores[5] = score
		r, err := Verify(t.Context(), write(t, Header{}, []Entry{child, parent}), NoTables)
		if err != nil || r.OK() != good || r.Links != 1 || !good && r.Problems[0].Kind != inconsistent {
			t.Errorf("%d: %v %+v", score, err, r)
		}
	}
}

// cycleOf is the entries of a shortest cycle, and the moves that go around.
func cycleOf(g *graph) (entries []Entry, moves []oware.Move) {
	for start := range g.entries {
		came := map[int]link{}
		for todo := []int{start}; len(todo) > 0; todo = todo[1:] {
			for l := range g.links(todo[0]) {
				if _, seen := came[l.to]; l.to >= 0 && !seen {
					came[l.to] = l
					todo = append(todo, l.to)
				}
			}
		}
		if _, back := came[start]; !back {
			continue
		}
		for i := start; ; {
			l := came[i]
			entries, moves, i = append(entries, g.entries[l.from]), append(moves, l.move), l.from
			if i == start {
				return entries, moves
			}
		}
	}
	return nil, nil
}

func TestVerifyAcceptsValuesBoundedByTables(t *testing.T) {
	const board = "0-0-0-0-1-1-1-2-0-0-1-2-20-20-S" // F captures two
	e := Entry{Key: keyOf(t, board), Scores: [6]int16{Illegal, Illegal, Illegal, Illegal, -900, 0}}
	p, _ := oware.FromBookKey(oware.Abapa, e.Key)
	next := p.Play(5)
	child := Entry{Key: next.BookKey()}
	for m := range child.Scores {
		child.Scores[m] = Illegal
		if next.IsLegal(oware.Move(m)) {
			child.Scores[m] = 30
		}
	}
	for _, c := range []struct {
		value     int16
		low, high int // of the opponent
		good      bool
	}{
		{-30, 0, 4, true}, {0, -4, 0, true}, {0, -4, 2, false}, {-1000, 2, 4, true}, {1000, -4, -2, true}, {17, -4, 0, false},
	} {
		e.Scores[5] = c.value
		b := inMemory([]Entry{child, e})
		checker := newChecker(b, oware.Abapa, tableOf{child.Key, c.low, c.high})
		checker.check(t.Context())
		if checker.report.OK() != c.good {
			t.Errorf("%+v: %+v", c, checker.report.Problems)
		}
	}
}

// Around a cycle values can support each other. One move has to be worth what the
// repetition is.
func TestVerifyFindsCyclesThatNoMoveCloses(t *testing.T) {
	entries, moves := cycleOf(graphOf(t, endingEntries(t, cyclic, 9)))
	if len(entries) < 12 {
		t.Fatalf("a cycle of %d plies", len(entries))
	}
	for i := range entries { // every move is worth 7 to South, the others are worse
		p, _ := oware.FromBookKey(oware.Abapa, entries[i].Key)
		for m, s := range entries[i].Scores {
			if s != Illegal {
				entries[i].Scores[m] = -900
				if _, over := p.Play(oware.Move(m)).Terminal(); over {
					entries[i].Scores[m] = int16(ending(p.Play(oware.Move(m))))
				}
			}
		}
		entries[i].Scores[moves[i]] = 7 - 14*int16(p.ToMove())
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	problems := func(entries []Entry) []Problem {
		c := newChecker(inMemory(entries), oware.Abapa, nil)
		c.check(t.Context())
		return c.report.Problems
	}
	if found := problems(entries); len(found) != 1 || found[0].Kind != endlessLine || found[0].Count != 1 {
		t.Errorf("found %+v", found)
	}
	entries, err := consistent(t.Context(), entries, oware.Abapa)
	if found := problems(entries); err != nil || len(found) != 0 {
		t.Errorf("after the propagation: %v, %+v", err, found)
	}
}

func TestVerifyFindsARepetitionThatCountsAsProven(t *testing.T) {
	p := testkit.Must(oware.ParseBoard(oware.Abapa, "20-0-0-0-0-1-0-3-0-0-0-0-24-0-S"))(t)
	child := p.Play(5)
	if repetitionPoints(child) != maxScore-1 {
		t.Fatal("another board is needed: South has a proven lead when this one is repeated")
	}
	for value, want := range map[int16]Kind{maxScore - 1: "", maxScore: provenCycle, 17: inconsistent} {
		b := inMemory([]Entry{
			{Key: child.BookKey(), Scores: [6]int16{-900, -901, Illegal, Illegal, Illegal, Illegal}},
			{Key: p.BookKey(), Scores: [6]int16{0, Illegal, Illegal, Illegal, Illegal, value}},
		})
		g := testkit.Must(newGraph(t.Context(), b, oware.Abapa))(t)
		c := newChecker(b, oware.Abapa, nil)
		closes := c.checkLink(g, link{from: 1, move: 5, to: 0}, true)
		if found := len(c.report.Problems) > 0; found != (want != "") || found && c.report.Problems[0].Kind != want || closes != (want != inconsistent) {
			t.Errorf("%d: %t, %+v", value, closes, c.report.Problems)
		}
	}
}

func TestVerifyFindsAWrongEnding(t *testing.T) {
	const board = "0-0-0-0-1-1-1-2-0-0-1-2-23-17-S" // F captures two and has won
	e := Entry{Key: keyOf(t, board), Scores: [6]int16{Illegal, Illegal, Illegal, Illegal, 0, 1000}}
	for score, good := range map[int16]bool{1000: true, 999: false, -1000: false} {
		e.Scores[5] = score
		r, err := Verify(t.Context(), write(t, Header{}, []Entry{e}), NoTables)
		if err != nil || r.OK() != good || !good && r.Problems[0].Kind != wrongEnding {
			t.Errorf("%d: %v %+v", score, err, r)
		}
	}
}

// Work on a book ends when its context does, for the reason that it gives.
func TestCancelledWorkEnds(t *testing.T) {
	ctx, cancel := context.WithCancelCause(t.Context())
	stop := errors.New("stop")
	cancel(stop)
	path := write(t, Header{}, randomEntries(20, 1))
	b := open(t, path)
	for name, do := range map[string]func() error{
		"Verify":  func() error { _, err := Verify(ctx, path, NoTables); return err },
		"Merge":   func() error { _, err := Merge(ctx, b, b); return err },
		"Survey":  func() error { _, err := Survey(ctx, b, oware.Abapa); return err },
		"Prune":   func() error { _, err := Prune(ctx, b, oware.Abapa, PruneConfig{Sides: ForBoth}); return err },
		"Explore": func() error { _, err := Explore(ctx, b, oware.Abapa); return err },
	} {
		if err := do(); !errors.Is(err, stop) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
