package study

import (
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// smallBook is a book of the positions up to two plies from the start. Its values
// are those of searches of depth plies for the side to move, or their opposites.
func smallBook(t *testing.T, depth, sign int) string {
	t.Helper()
	entries := map[int64]book.Entry{}
	var add func(p oware.Position, plies int)
	add = func(p oware.Position, plies int) {
		e := book.Entry{Key: p.BookKey()}
		for i := range e.Scores {
			e.Scores[i] = book.Illegal
		}
		for _, m := range p.AppendMoves(nil) {
			score, _ := search.SearchTextbook(t.Context(), search.TextbookMinimax, p.Play(m), nil, depth-1, engine.Captures().Evaluator)
			e.Scores[m] = int16(-sign * engine.Points(oware.Descriptor().Info, score))
			if plies > 0 {
				add(p.Play(m), plies-1)
			}
		}
		entries[e.Key] = e
	}
	add(oware.Start(oware.Abapa), 2)
	path := filepath.Join(t.TempDir(), "book.bin")
	testkit.NoError(t, book.Write(path, book.Header{Signature: book.Signature}, sorted(entries)))
	return path
}

func sorted(entries map[int64]book.Entry) []book.Entry {
	keys := slices.Sorted(maps.Keys(entries))
	list := make([]book.Entry, len(keys))
	for i, k := range keys {
		list[i] = entries[k]
	}
	return list
}

func TestPositionsOfABookAreThoseItsPlayerMeets(t *testing.T) {
	path := smallBook(t, 3, 1)
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Book: path, Search: engine.Config{HashMB: 1}}, "abapa"))(t)
	defer e.Close()
	start := oware.Start(oware.Abapa)
	list := bookPositions(e, start, 1000, 3)
	// The player begins: the start, and what is left of it after their best move
	// and any reply. The opponent begins: each first move.
	pick, _, _ := engine.Pick(e.Book, nil, engine.BookPolicy{}, start, nil, nil)
	want := map[oware.Position]bool{start: true}
	for _, m := range start.AppendMoves(nil) {
		want[start.Play(m)] = true
	}
	next := start.Play(pick.Move)
	for _, m := range next.AppendMoves(nil) {
		want[next.Play(m)] = true
	}
	got := map[oware.Position]bool{}
	for _, p := range list {
		if got[p] || !want[p] {
			t.Errorf("%s: twice, or not met", p)
		}
		got[p] = true
	}
	testkit.Equal(t, len(got), len(want), "len")
}
