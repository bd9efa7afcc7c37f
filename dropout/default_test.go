package dropout

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// noPool has no workers: searches in flight at the end are never answered, and the test fails if the
// expansion waits for one.
type noPool struct{}

func (noPool) Search(ctx context.Context, feed engine.Feed[oware.Position], _ func(engine.Job[oware.Position], engine.Answer) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, time.Minute, errors.New("a search is missing"))
	defer cancel()
	if err := feed(ctx, func(engine.Job[oware.Position]) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return context.Cause(ctx)
}

// repositoryLog is a copy of a log of searches that the repository has.
func repositoryLog(t *testing.T, name string) string {
	t.Helper()
	searches := testkit.Read(t, filepath.Join("..", "docs", "book", name))
	log := filepath.Join(t.TempDir(), name)
	testkit.NoError(t, os.WriteFile(log, searches, 0o666))
	return log
}

// The default book is what its preset makes of the searches in the repository, whichever
// engine did them: the header names it.
func TestDefaultBookIsThatOfItsSearches(t *testing.T) {
	log := repositoryLog(t, "default.bin.log")
	own := testkit.Must(book.Open(book.DefaultName))(t)
	searched, err := strconv.Atoi(own.Header().Get("Searched"))
	if err != nil {
		t.Fatalf("the header of the default book: %v", err)
	}
	preset := Presets()[0]
	if preset.Name != book.DefaultName {
		t.Fatalf("the first preset is %s: want %s", preset.Name, book.DefaultName)
	}
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Search: preset.Config}, oware.Abapa.String()))(t)
	defer e.Close()
	req := Request{BookConfig: preset.BookConfig, Stop: Stop{Evaluations: searched}, Root: oware.Start(oware.Abapa)}
	from := testkit.Must(sourceOf(e, nil, 1, 0, log))(t)
	from.engine, from.pool = own.Header().Get(book.FieldEngine), noPool{}
	g, _, err := expand(t.Context(), req, from, nil)
	testkit.NoError(t, err)
	testkit.Equal(t, g.searched, searched, "positions searched")
	entries := g.entries()
	if len(entries) == 0 || !slices.Equal(entries, own.Entries()) {
		t.Errorf("%d entries, the searches make %d or others", own.Len(), len(entries))
	}
	for _, f := range req.fields(from) {
		testkit.Equal(t, own.Header().Get(f.Name), f.Value, "the header has %s", f.Name)
	}
}

// The second pass over the default book that docs/book.md measures is whole in the
// repository.
func TestSecondPassOverTheDefaultBookIsThatOfItsSearches(t *testing.T) {
	own := testkit.Must(book.Open(book.DefaultName))(t)
	first, second := "hash 16 MiB", "hash 64 MiB"
	by := own.Header().Get(book.FieldEngine)
	if !strings.Contains(by, first) {
		t.Fatalf("the default book is by %s: expected %s", by, first)
	}
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Search: engine.Config{Nodes: 1}}, oware.Abapa.String()))(t)
	defer e.Close()
	from := testkit.Must(sourceOf(e, nil, 1, 0, repositoryLog(t, "deepened.bin.log")))(t)
	from.limits, from.engine, from.pool = search.Limits{Nodes: 4_000_000}, strings.Replace(by, first, second, 1), noPool{}
	req := DeepenRequest{Root: oware.Start(oware.Abapa), Loss: 0.5, Total: 1, Round: 64}
	out := filepath.Join(t.TempDir(), "deepened.bin")
	sum := testkit.Must(deepen(t.Context(), own, req, from, out, nil))(t)
	deeper := testkit.Must(book.Open(out))(t)
	other, otherBest := 0, 0
	for i, e := range deeper.Entries() {
		if before := own.Entries()[i]; e.Key != before.Key || e != before {
			other++
			_, best := e.Best()
			_, bestBefore := before.Best()
			common := func(m int) bool { return int(e.Scores[m]) == best && int(before.Scores[m]) == bestBefore }
			if !slices.ContainsFunc([]int{0, 1, 2, 3, 4, 5}, common) {
				otherBest++
			}
		}
	}
	if want := (Deepened{
		Entries: 20_975, Searched: 1671, Visited: sum.Visited, Scores: [oware.Houses]int16{-63, -43, -39, -43, -38, 0}, Ended: allSearched,
	}); sum != want || sum.Visited/1e6 != 6684 || other != 4143 || otherBest != 529 {
		t.Errorf("%+v, %d entries with other values, %d with another best move: expected %+v, 4143 and 529", sum, other, otherBest, want)
	}
	if r, err := book.Verify(t.Context(), out, func(oware.Rules) (book.Prober, error) { return e.Tables, nil }); err != nil || !r.OK() {
		t.Errorf("%v, %+v", err, r)
	}
}
