package dropout

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
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

// verify writes the book of a graph and verifies it.
func verify(t *testing.T, g *graph, cfg job) *book.Report {
	t.Helper()
	path := filepath.Join(t.TempDir(), "book.bin")
	testkit.NoError(t, book.Write(path, book.Header{Fields: []book.Field{{Name: book.FieldRules, Value: cfg.Root.Rules().String()}}}, g.entries()))
	r, err := book.Verify(t.Context(), path, book.NoTables)
	if err != nil || !r.OK() || r.Entries != g.expanded {
		t.Fatalf("%v: %+v", err, r)
	}
	return r
}

func TestEntriesAreAConsistentBook(t *testing.T) {
	for _, rules := range bookRules() {
		cfg := config(500)
		cfg.Root = oware.Start(rules)
		g := build(t, cfg)
		r := verify(t, g, cfg)
		sum, entries := g.summary(""), g.entries()
		if r.Links < 499 || r.BackEdges > sum.Cycles {
			t.Errorf("%v: %d links, %d moves that close a cycle, %d cycles", rules, r.Links, r.BackEdges, sum.Cycles)
		}
		root := entries[slices.IndexFunc(entries, func(e book.Entry) bool { return e.Key == cfg.Root.BookKey() })]
		best, points := root.Best()
		if root.Scores != sum.RootScores || sum.BestPoints != points || sum.Best != oware.MoveName(best, oware.South) || sum.MaxDepth < 4 ||
			sum.Nodes != g.nodes.len || sum.Entries != 500 || sum.Visited != 10*int64(sum.Searched) || !strings.HasPrefix(lineText(g.pv(), oware.South), sum.Best) {
			t.Errorf("%v: %+v, root entry %v", rules, sum, root)
		}
	}
}

// With few seeds everything is expanded, and the disagreements are at most the
// moves that repeat a position.
func TestOnlyCyclesDisagree(t *testing.T) {
	cfg := config(100_000)
	cfg.Root = board(t, oware.Abapa, "1-1-0-0-2-0-0-0-0-1-0-1-21-21-S")
	g := build(t, cfg)
	r := verify(t, g, cfg)
	if cycles := g.summary("").Cycles; cycles == 0 || r.BackEdges > cycles {
		t.Errorf("%d moves that close a cycle, %d cycles", r.BackEdges, cycles)
	}
}

// With the real searcher, and as many workers as the machine likes.
func TestWithTheEngine(t *testing.T) {
	cfg := config(40)
	cfg.limits = search.Limits{Depth: 4}
	var dumps []string
	for _, workers := range []int{1, 3} {
		cfg.pool = capturesPool(t, workers)
		g, _, err := cfg.expand(t.Context(), nil)
		testkit.NoError(t, err)
		check(t, g, cfg)
		verify(t, g, cfg)
		dumps = append(dumps, dump(g))
	}
	testkit.Equal(t, dumps[0], dumps[1], "the graph depends on the number of workers")
}

// With a steady evaluation the easiest way out of a side's book is deeper in the book for that side
// than in the one for the other.
func TestBookServesItsSide(t *testing.T) {
	pool := capturesPool(t, 2)
	urgency := map[book.Sides][2]int32{}
	for _, sides := range []book.Sides{book.ForSouth, book.ForNorth} {
		cfg := config(150)
		cfg.Omega, cfg.Sides, cfg.limits = 0, string(sides), search.Limits{Depth: 4}
		g, _, err := cfg.by(pool)
		testkit.NoError(t, err)
		of := g.nodes.at(root).priority
		urgency[sides] = [2]int32{of[g.rootRole(oware.South)], of[g.rootRole(oware.North)]}
	}
	s, n := urgency[book.ForSouth], urgency[book.ForNorth]
	if s[oware.South] <= n[oware.South] || n[oware.North] <= s[oware.North] {
		t.Errorf("urgency by side: South's book %v, North's %v", s, n)
	}
}

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

// The default books are what their preset makes of the searches in the repository, whichever
// engine did them: the header names it.
func TestDefaultBooksAreThoseOfTheirSearches(t *testing.T) {
	for rules, name := range map[oware.Rules]string{oware.Abapa: book.DefaultName, oware.Awari: book.AwariName} {
		t.Run(name, func(t *testing.T) { checkDefaultBook(t, rules, name) })
	}
}

func checkDefaultBook(t *testing.T, rules oware.Rules, name string) {
	log := repositoryLog(t, name+".bin.log")
	own := testkit.Must(book.Open(name))(t)
	searched, err := strconv.Atoi(own.Header().Get("Searched"))
	if err != nil {
		t.Fatalf("the header of the default book: %v", err)
	}
	preset := Presets()[0]
	if preset.Name != book.DefaultName {
		t.Fatalf("the first preset is %s: want %s", preset.Name, book.DefaultName)
	}
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Search: preset.Config}, rules.String()))(t)
	defer e.Close()
	req := Request{BookConfig: preset.BookConfig, Stop: Stop{Searches: searched}, Root: oware.Start(rules)}
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
	req := RefineRequest{Root: oware.Start(oware.Abapa), Loss: 0.5, Total: 1, PerRound: 64}
	out := filepath.Join(t.TempDir(), "deepened.bin")
	sum := testkit.Must(refine(t.Context(), own, req, from, out, nil))(t)
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
	if want := (RefineSummary{
		Entries: 20_975, Searched: 1671, Visited: sum.Visited, Scores: [oware.Houses]int16{-63, -43, -39, -43, -38, 0}, Ended: allSearched,
	}); sum != want || sum.Visited/1e6 != 6684 || other != 4143 || otherBest != 529 {
		t.Errorf("%+v, %d entries with other values, %d with another best move: expected %+v, 4143 and 529", sum, other, otherBest, want)
	}
	if r, err := book.Verify(t.Context(), out, func(oware.Rules) (book.Prober, error) { return e.Tables, nil }); err != nil || !r.OK() {
		t.Errorf("%v, %+v", err, r)
	}
}

func TestSummariesCountInWords(t *testing.T) {
	testkit.Equal(t, entriesText(1)+", "+entriesText(2), "1 entry, 2 entries", "entries")
	testkit.Equal(t, visitedText(999_999)+", "+visitedText(1_000_000), "999999, 1 million", "positions visited")
}

// Without a flag, ω is what the default book was grown with.
func TestDefaultOmegaIsTheChampions(t *testing.T) {
	field, _ := reflect.TypeOf(BookConfig{}).FieldByName("Omega")
	testkit.Equal(t, field.Tag.Get("default"), fmt.Sprint(championOmega), "the default of omega")
}
