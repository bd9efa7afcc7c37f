package book

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/games/oware"
)

// grown are the n entries nearest to the start, each with all its moves. Their values
// are random.
func grown(rng *rand.Rand, n int) []Entry {
	start := oware.Start(oware.Abapa)
	seen := map[int64]bool{start.BookKey(): true}
	entries := make([]Entry, 0, n)
	for todo := []oware.Position{start}; len(entries) < n; todo = todo[1:] {
		p := todo[0]
		e := Entry{Key: p.BookKey()}
		for m := range oware.Move(oware.Houses) {
			if e.Scores[m] = Illegal; p.Legal()>>m&1 == 0 {
				continue
			}
			e.Scores[m] = int16(rng.IntN(601) - 300)
			child := p.Play(m)
			if _, over := child.Terminal(); !over && !seen[child.BookKey()] {
				seen[child.BookKey()] = true
				todo = append(todo, child)
			}
		}
		entries = append(entries, e)
	}
	slices.SortFunc(entries, func(a, b Entry) int { return cmp.Compare(a.Key, b.Key) })
	return entries
}

// BenchmarkMillion times the operations on a whole book with a million entries: merge two books that
// share half of them, prune, verify.
func BenchmarkMillion(b *testing.B) {
	const size = 1_000_000
	rng := rand.New(rand.NewPCG(81, 0))
	entries := grown(rng, size)
	part := func(share func(i int) bool) *Book {
		var list []Entry
		for i, e := range entries {
			if share(i) {
				list = append(list, e)
			}
		}
		return inMemory(list)
	}
	one, other := part(func(i int) bool { return i%4 != 0 }), part(func(i int) bool { return i%4 != 1 })
	b.Run("merge", func(b *testing.B) {
		for b.Loop() {
			merged, err := Merge(b.Context(), one, other)
			if err != nil || len(merged) != size {
				b.Fatalf("%d entries, %v", len(merged), err)
			}
			entries = merged
		}
	})
	whole := inMemory(entries)
	b.Run("prune", func(b *testing.B) {
		for b.Loop() {
			kept, err := Prune(b.Context(), whole, oware.Abapa, PruneConfig{Loss: new(1.2), Sides: ForBoth})
			if err != nil || len(kept) == 0 || len(kept) == size {
				b.Fatalf("%d entries kept, %v", len(kept), err)
			}
			b.ReportMetric(float64(len(kept)), "kept")
		}
	})
	path := write(b, Header{Fields: []Field{{FieldRules, "abapa"}}}, entries)
	b.Run("verify", func(b *testing.B) {
		for b.Loop() {
			r, err := Verify(b.Context(), path, oware.Abapa, nil)
			if err != nil || !r.OK() || r.Entries != size {
				b.Fatalf("%+v, %v", r, err)
			}
		}
	})
}
