package dropout

import (
	"cmp"
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"testing"
	"time"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
)

// noPool has nobody to search: what was in flight at the end is asked for in vain, and
// what the expansion needs is waited for until the test fails.
type noPool struct{}

func (noPool) Search(ctx context.Context, feed engine.Feed[oware.Position], _ func(engine.Job[oware.Position], search.Result) error) error {
	ctx, cancel := context.WithTimeoutCause(ctx, time.Minute, errors.New("a search is missing"))
	defer cancel()
	if err := feed(ctx, func(engine.Job[oware.Position]) error { return nil }); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return context.Cause(ctx)
}

// The default book is what its preset makes of the searches in the repository, whichever
// engine did them: the header names it.
func TestDefaultBookIsThatOfItsSearches(t *testing.T) {
	searches, err := os.ReadFile(filepath.Join("..", "docs", "book", "default.bin.log"))
	if err != nil {
		t.Fatal(err)
	}
	log := filepath.Join(t.TempDir(), "default.bin.log")
	if err := os.WriteFile(log, searches, 0o666); err != nil {
		t.Fatal(err)
	}
	own, err := book.Find(book.DefaultName)
	if err != nil {
		t.Fatal(err)
	}
	searched, err := strconv.Atoi(own.Header().Get("Searched"))
	if err != nil {
		t.Fatalf("the header of the default book: %v", err)
	}
	preset := Presets()[0]
	if preset.Name != book.DefaultName {
		t.Fatalf("the first preset is %s: want %s", preset.Name, book.DefaultName)
	}
	e, err := engine.Open(engine.Oware(), "", "", preset.Config, oware.Abapa.String())
	if err != nil {
		t.Fatal(err)
	}
	defer e.Close()
	cfg := Request{BookConfig: preset.BookConfig, Stop: Stop{Evaluations: searched}, Root: oware.Start(oware.Abapa), Eval: e.Eval, Log: log}.build(e)
	cfg.Engine, cfg.Prober = own.Header().Get(book.FieldEngine), e.Tables
	g, _, err := Build(t.Context(), cfg, noPool{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := g.Stats().Searched, searched; got != want {
		t.Errorf("%d positions searched, the header says %d", got, want)
	}
	entries := g.Entries()
	slices.SortFunc(entries, func(a, b book.Entry) int { return cmp.Compare(a.Key, b.Key) })
	if len(entries) == 0 || !slices.Equal(entries, own.Entries()) {
		t.Errorf("%d entries, the searches make %d or others", own.Len(), len(entries))
	}
	cfg, err = cfg.normal()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range cfg.fields() {
		if got := own.Header().Get(f.Name); got != f.Value {
			t.Errorf("the header has %s %q, the preset makes %q", f.Name, got, f.Value)
		}
	}
}
