package engine

import (
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/engine/search"
	owarefeatures "kroo/features/oware"
	"kroo/games/gametest"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

var update = flag.Bool("update", false, "write the bench node counts of this search to testdata")

// benchPhases are the ranges of seeds in play that the bench positions are
// drawn from, and how many from each.
var benchPhases = []struct{ low, high, count int }{{41, 48, 12}, {31, 40, 12}, {19, 30, 10}, {8, 18, 8}}

// drawBench draws the bench positions: the start, then for each phase positions
// of random games in which neither player is far ahead.
func drawBench() []oware.Position {
	rng := rand.New(rand.NewPCG(2014, 0))
	list := []oware.Position{oware.Start(oware.Abapa)}
	for _, phase := range benchPhases {
		for n := 0; n < phase.count; {
			p, _ := gametest.RandomGame(rng, oware.Start(oware.Abapa), rng.IntN(160))
			in, lead := p.SeedsInPlay(), p.Store()-p.OpponentStore()
			if in >= phase.low && in <= phase.high && lead >= -8 && lead <= 8 && !slices.Contains(list, p) {
				list = append(list, p)
				n++
			}
		}
	}
	return list
}

func TestBenchPositionsAreThoseDrawn(t *testing.T) {
	drawn := drawBench()
	if *update {
		writeBench(t, drawn)
	}
	cases := benchCases()
	if len(cases) < 40 || len(cases) != len(drawn) {
		t.Fatalf("%d positions: want the %d drawn", len(cases), len(drawn))
	}
	for i, c := range cases {
		testkit.Equal(t, c.position, drawn[i], "position %d", i+1)
	}
}

// TestBenchCounts searches one position of eight again; Bench itself, a few
// seconds, is run by BenchmarkBench.
func TestBenchCounts(t *testing.T) {
	s := search.NewSearcher(captures, search.Options{})
	for i, c := range benchCases() {
		if i%8 != 0 {
			continue
		}
		if got := benchOne(t.Context(), s, c.position, benchDepth); got != c.nodes {
			t.Errorf("%v: %d nodes: the signature has %d; if the change is intended, run go test -update and give the new signature in the commit",
				c.position, got, c.nodes)
		}
	}
}

// The search with fitted weights, which has a tuning of its own, is part of the
// signature.
func TestFittedCounts(t *testing.T) {
	s := fittedSearcher(t)
	for _, c := range benchCases() {
		if got := benchOne(t.Context(), s, c.position, fittedDepth); got != c.fitted {
			t.Errorf("%v: %d nodes with fitted weights: the signature has %d; if the change is intended, run go test -update and give the new signature in the commit",
				c.position, got, c.fitted)
		}
	}
}

// fittedSearcher returns a searcher with weights that never change.
func fittedSearcher(t *testing.T) *search.Searcher[oware.Position] {
	t.Helper()
	m, _ := owarefeatures.FindPublished("thesis4")
	return search.NewSearcher(fittedBy(m).Knowledge(), search.Options{})
}

func TestSignatureIsTheSumsOfTheCounts(t *testing.T) {
	var nodes, fitted int64
	for _, c := range benchCases() {
		nodes += c.nodes
		fitted += c.fitted
	}
	if got, want := Signature(), fmt.Sprintf("bench-%d-%d", nodes, fitted); got != want || nodes == 0 || fitted == 0 {
		t.Errorf("Signature() = %q: want %q", got, want)
	}
}

func writeBench(t *testing.T, list []oware.Position) {
	s, fitted := search.NewSearcher(captures, search.Options{}), fittedSearcher(t)
	var text strings.Builder
	for _, p := range list {
		fmt.Fprintln(&text, p, benchOne(t.Context(), s, p, benchDepth), benchOne(t.Context(), fitted, p, fittedDepth))
	}
	testkit.NoError(t, os.WriteFile("testdata/bench.txt", []byte(text.String()), 0o644))
	benchText = text.String()
}

// BenchmarkBench runs all of Bench.
func BenchmarkBench(b *testing.B) {
	for b.Loop() {
		nodes, elapsed := benchTotal(b, BenchConfig{})
		if got := fmt.Sprintf("bench-%d-", nodes); !strings.HasPrefix(Signature(), got) {
			b.Fatalf("%s: the signature is %s", got, Signature())
		}
		b.ReportMetric(float64(nodes)/elapsed.Seconds()/1e6, "Mnodes/s")
		b.ReportMetric(float64(nodes), "nodes")
	}
}

func benchTotal(b *testing.B, c BenchConfig) (nodes int64, elapsed time.Duration) {
	b.Helper()
	results := testkit.Must(Bench(b.Context(), c, nil))(b)
	for _, r := range results {
		nodes += r.Nodes
		elapsed += r.Time
	}
	return nodes, elapsed
}

// BenchmarkSearch measures the speed on midgame positions by evaluation and size
// of the table. "default" is the champion.
func BenchmarkSearch(b *testing.B) {
	for _, eval := range []string{CapturesName, DefaultName} {
		for _, mb := range []int{16, 64} {
			b.Run(fmt.Sprintf("%s/table=%dMiB", eval, mb), func(b *testing.B) {
				s := benchSearcher(b, eval, mb)
				var nodes int64
				for b.Loop() {
					for _, p := range midgame() {
						nodes += s.Search(b.Context(), p, nil, search.Limits{Nodes: 400_000}, search.Query{}).Nodes
					}
				}
				b.ReportMetric(float64(nodes)/b.Elapsed().Seconds()/1e6, "Mnodes/s")
			})
		}
	}
}

// benchSearcher returns a searcher with an evaluation by name, without endgame tables.
func benchSearcher(b *testing.B, eval string, mb int) *search.Searcher[oware.Position] {
	b.Helper()
	e := testkit.Must(Open(b.Context(), Oware(), Spec{Weights: eval, Search: Config{HashMB: mb, Tables: NoTables}}, oware.Abapa.String()))(b)
	return search.NewSearcher(e.knowledge(), e.options())
}

// midgame returns the bench positions with more than 30 seeds in play.
func midgame() (list []oware.Position) {
	for _, c := range benchCases() {
		if c.position.SeedsInPlay() > 30 {
			list = append(list, c.position)
		}
	}
	return list
}

func TestHashTablesOfAnySizeAreCounted(t *testing.T) {
	for _, c := range []struct {
		mb, searchers int
		want          int64
	}{
		{0, 1, search.DefaultHashMB << 20},
		{16, 4, 64 << 20},
		{1, math.MaxInt, 1 << 46},
		{math.MaxInt, 1, 1 << 36},
		{search.MaxHashMB, math.MaxInt, 1 << 62},
		{1 << 20, 1 << 21, 1 << 57},
	} {
		testkit.Equal(t, (Config{HashMB: c.mb}).hashBytes(c.searchers), c.want, "%d tables of %d MiB", c.searchers, c.mb)
	}
}
