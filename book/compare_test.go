package book

import (
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// comparedBooks writes two books: parts of a tree of four plies, the second with other values for some moves.
func comparedBooks(t *testing.T) (a, b string, entries [2][]Entry) {
	t.Helper()
	all := startTree(t, 4)
	entries[0] = withStart(all, some(all, 0.9, 1))
	rng := rand.New(rand.NewPCG(7, 7))
	for _, e := range withStart(all, some(all, 0.8, 2)) {
		for m, v := range e.Scores {
			if v != Illegal && rng.IntN(3) == 0 {
				e.Scores[m] = v + int16(rng.IntN(101)-50)
			}
		}
		entries[1] = append(entries[1], e)
	}
	dir := t.TempDir()
	a = filepath.Join(dir, "a.bin")
	b = filepath.Join(dir, "b.bin")
	testkit.NoError(t, Write(a, Header{Fields: []Field{{FieldRules, "abapa"}, {FieldOmega, "0.5"}}}, entries[0]))
	testkit.NoError(t, Write(b, Header{Fields: []Field{{FieldRules, "abapa"}, {FieldOmega, "1"}}}, entries[1]))
	return a, b, entries
}

// withStart adds the entry of the start position.
func withStart(all, part []Entry) []Entry {
	key := oware.Start(oware.Abapa).BookKey()
	if i, found := find(part, key); !found {
		at, _ := find(all, key)
		part = slices.Insert(part, i, all[at])
	}
	return part
}

// met finds the positions of all games in which the player of a side plays only best moves, move by move.
func met(entries []Entry, p oware.Position, side oware.Side, found map[int64]bool) {
	at, known := find(entries, p.BookKey())
	if !known || found[p.BookKey()] {
		return
	}
	found[p.BookKey()] = true
	best := int16(Illegal)
	for _, v := range entries[at].Scores {
		best = max(best, v)
	}
	for m, v := range entries[at].Scores {
		if v != Illegal && (p.ToMove() != side || v == best) {
			met(entries, p.Play(oware.Move(m)), side, found)
		}
	}
}

// TestComparedBooksAreCountedOneByOne recounts the positions of all plies, and the ones that a player meets.
func TestComparedBooksAreCountedOneByOne(t *testing.T) {
	a, b, entries := comparedBooks(t)
	c := testkit.Must(Compare(t.Context(), a, b))(t)
	values := map[int64][2]*Entry{}
	isMet := map[int64]bool{}
	for i, list := range entries {
		for k, e := range list {
			both := values[e.Key]
			both[i] = &list[k]
			values[e.Key] = both
		}
		// Positions that no entry leads to are roots of their book.
		led := map[int64]bool{}
		for _, e := range list {
			p, _ := oware.FromBookKey(oware.Abapa, e.Key)
			for m, v := range e.Scores {
				if v != Illegal {
					led[p.Play(oware.Move(m)).BookKey()] = true
				}
			}
		}
		for _, side := range []oware.Side{oware.South, oware.North} {
			found := map[int64]bool{}
			for _, e := range list {
				if !led[e.Key] {
					p, _ := oware.FromBookKey(oware.Abapa, e.Key)
					met(list, p, side, found)
				}
			}
			for key := range found {
				isMet[key] = true
			}
		}
	}
	var want, wantMet Changes
	for key, both := range values {
		var one Changes
		switch {
		case both[1] == nil:
			one.Only[0]++
		case both[0] == nil:
			one.Only[1]++
		default:
			one.Both++
			bestA := slices.Max(both[0].Scores[:])
			bestB := slices.Max(both[1].Scores[:])
			one.Distance = int(max(bestA-bestB, bestB-bestA))
			one.OtherBest = 1
			for m := range oware.Houses {
				if both[0].Scores[m] != both[1].Scores[m] {
					one.OtherValues = 1
				}
				if both[0].Scores[m] == bestA && both[1].Scores[m] == bestB {
					one.OtherBest = 0
				}
			}
		}
		want.add(one)
		if isMet[key] {
			wantMet.add(one)
		}
	}
	if c.Entries != want || c.Met != wantMet || want.OtherBest == 0 || wantMet.Both == 0 || want.Only[0] == 0 || want.Only[1] == 0 || wantMet.Both == want.Both {
		t.Errorf("%+v of all, %+v met: want %+v and %+v", c.Entries, c.Met, want, wantMet)
	}
	var all, allMet Changes
	for _, p := range c.Plies {
		all.add(p.Entries)
		allMet.add(p.Met)
	}
	if all != want || allMet != wantMet || c.Plies[0].Entries.Both == 0 {
		t.Errorf("%+v, %+v by ply: want %+v and %+v", all, allMet, want, wantMet)
	}
	if len(c.Largest) != largestChanges || c.Largest[0].size < c.Largest[1].size {
		t.Errorf("largest differences %+v", c.Largest)
	}
	start := oware.Start(oware.Abapa).BookKey()
	if c.Start[0].Scores != values[start][0].Scores || c.Start[1].Scores != values[start][1].Scores {
		t.Errorf("start %v", c.Start)
	}
	testkit.Contains(t, c.Doc().Text(""), "Omega", "What a player meets", "Values at the start, in seeds")
}

// Books part at the first position of the line without a best move in common.
func TestBooksPartAtTheFirstOtherBestMove(t *testing.T) {
	all := startTree(t, 3)
	line := oware.Descriptor().NewLine(oware.Start(oware.Abapa))
	at, _ := find(all, line.Position().BookKey())
	move, _ := all[at].Best()
	testkit.NoError(t, line.Play(move))
	other := slices.Clone(all)
	at, _ = find(all, line.Position().BookKey())
	best, value := all[at].Best()
	for m, v := range other[at].Scores {
		if oware.Move(m) != best && v != Illegal {
			other[at].Scores[m] = int16(value) + 100
			break
		}
	}
	dir := t.TempDir()
	a := filepath.Join(dir, "a.bin")
	b := filepath.Join(dir, "b.bin")
	testkit.NoError(t, Write(a, Header{}, all), Write(b, Header{}, other))
	same := testkit.Must(Compare(t.Context(), a, a))(t)
	if same.Parting != nil || same.Entries.OtherValues != 0 || same.Entries.Both != len(all) {
		t.Errorf("a book and itself part at %+v, %+v", same.Parting, same.Entries)
	}
	p := testkit.Must(Compare(t.Context(), a, b))(t).Parting
	if p == nil || p.Line != line.Text() || p.Board != line.Position().String() || p.Best[0] != oware.MoveName(best, oware.North) || p.Value != [2]int{value, value + 100} {
		t.Errorf("part at %+v: want after %s", p, line.Text())
	}
}

func TestOnlyBooksUnderTheSameRulesAreCompared(t *testing.T) {
	path := filepath.Join(t.TempDir(), "awari.bin")
	testkit.NoError(t, Write(path, Header{Fields: []Field{{FieldRules, "awari"}}}, nil))
	_, err := Compare(t.Context(), DefaultName, path)
	testkit.ErrorContains(t, err, path, "awari", "abapa")
}
