package book

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/games/oware"
)

func TestVerifyFindsNothingInAGoodBook(t *testing.T) {
	entries := randomEntries(500, 8)
	r, err := Verify(write(t, Header{Fields: []Field{{FieldRules, "abapa"}}}, entries), oware.Abapa)
	if err != nil || !r.OK() || r.Entries != len(entries) || r.Header.Get(FieldRules) != "abapa" {
		t.Errorf("%v: %+v", err, r)
	}
}

// keyOf is the book key of a board.
func keyOf(t *testing.T, board string) int64 {
	t.Helper()
	p, err := oware.ParseBoard(oware.Abapa, board)
	if err != nil {
		t.Fatal(err)
	}
	return p.BookKey()
}

func TestVerifyFindsEachKindOfProblem(t *testing.T) {
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
	for _, c := range []struct {
		kind    Kind
		entries []Entry
		count   int
		first   int
		board   string
	}{
		{BadOrder, []Entry{good, later}, 1, 1, "4-4-4-4-4-4-4-4-4-4-4-4-0-0-N"},
		{Duplicate, []Entry{good, good, good}, 2, 1, start},
		{BadKey, []Entry{{Key: -3}, good}, 1, 0, ""},
		{Unreachable, []Entry{with(single, 1, 2, 3, 4, 5, 6)}, 1, 0, single},
		{GameOver, []Entry{with(won, Illegal, Illegal, Illegal, Illegal, Illegal, Illegal)}, 1, 0, won},
		{LegalUnmarked, []Entry{with(start, 1, 2, Illegal, 4, 5, 6)}, 1, 0, start},
		{IllegalValued, []Entry{with(empty, 1, 2, 3, 4, 5, 6)}, 1, 0, empty},
		{BadScore, []Entry{with(start, 1, 2, 1001, -1001, 5, 6)}, 1, 0, start},
	} {
		var body []byte
		for _, e := range c.entries {
			body = e.appendTo(body)
		}
		path := filepath.Join(t.TempDir(), "bad.bin")
		if err := os.WriteFile(path, append([]byte("Foreign\n\x00\n"), body...), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Verify(path, oware.Abapa)
		if err != nil {
			t.Fatal(err)
		}
		r.Problems = slices.DeleteFunc(r.Problems, func(p Problem) bool { return p.Kind == NoChecksum })
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
		{header, []Kind{WrongHeaderChecksum, WrongRules}},
		{string(entries), []Kind{WrongChecksum}},
		{string(data) + "x", []Kind{PartialEntry, WrongChecksum}},
		{string(data[:len(data)-EntrySize]), []Kind{WrongChecksum, WrongCount}},
	} {
		path := filepath.Join(t.TempDir(), "damaged.bin")
		if err := os.WriteFile(path, []byte(c.data), 0o644); err != nil {
			t.Fatal(err)
		}
		r, err := Verify(path, oware.Abapa)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []Kind
		for _, p := range r.Problems {
			if p.First == -1 {
				kinds = append(kinds, p.Kind)
			}
		}
		if !slices.Equal(kinds, c.kinds) {
			t.Errorf("%v, expected %v", kinds, c.kinds)
		}
	}
}

// The value of a move to a position in the book is the negative of that
// position's best.
func TestVerifyCountsDisagreements(t *testing.T) {
	p := oware.Start(oware.Abapa)
	parent := startEntry
	child := Entry{Key: p.Play(5).BookKey(), Scores: [6]int16{-9, -5, -30, -30, -30, -30}}
	for score, disagree := range map[int16]int{5: 0, 6: 1, -5: 1} {
		parent.Scores[5] = score
		r, err := Verify(write(t, Header{}, []Entry{child, parent}), oware.Abapa)
		if err != nil || !r.OK() || r.Links != 1 || r.Disagreements != disagree {
			t.Errorf("%d: %v %+v", score, err, r)
		}
	}
}
