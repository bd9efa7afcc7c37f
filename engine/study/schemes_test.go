package study

import (
	"context"
	"slices"
	"sync/atomic"
	"testing"

	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/testenv"
	"kroo/internal/testkit"
)

// scheme is a scheme of replacement of Sala Soler (2014, figure 5.6): which tiers a table has, whether results of
// earlier searches give way, and the least depth of a result that it keeps. Two tiers are those of Belle (Condon
// and Thompson 1982).
type scheme struct {
	name          string
	deeper        bool // a tier that keeps the deeper result
	newest        bool // a tier that takes the newest result
	ageing        bool
	leastKept     int
	probes, found atomic.Int64 // of all tables
}

// slot is an entry of a scheme's table with the search that stored it; search 0 is empty.
type slot struct {
	key    uint64
	search int
	entry  search.TextbookEntry
}

// slotBytes is the size of a slot in the study that docs/sources.md cites; it fixes the number of slots.
const slotBytes = 40

// schemeTable is a table under a scheme.
type schemeTable struct {
	*scheme
	tiers  [2][]slot // deeper, newest; may be empty
	search int
}

func (s *scheme) newTable(kib int) *schemeTable {
	t := &schemeTable{scheme: s}
	slots := kib << 10 / slotBytes
	if s.deeper && s.newest {
		slots /= 2
	}
	if s.deeper {
		t.tiers[0] = make([]slot, slots)
	}
	if s.newest {
		t.tiers[1] = make([]slot, slots)
	}
	return t
}

// at returns the slot of a key in a tier, nil if the scheme lacks the tier.
func (t *schemeTable) at(tier int, key uint64) *slot {
	if len(t.tiers[tier]) == 0 {
		return nil
	}
	return &t.tiers[tier][key%uint64(len(t.tiers[tier]))]
}

// Probe implements [search.TextbookTable].
func (t *schemeTable) Probe(key uint64, depth int) (search.TextbookEntry, bool) {
	if depth < t.leastKept {
		return search.TextbookEntry{}, false
	}
	t.probes.Add(1)
	for tier := range t.tiers {
		if s := t.at(tier, key); s != nil && s.search != 0 && s.key == key {
			t.found.Add(1)
			return s.entry, true
		}
	}
	return search.TextbookEntry{}, false
}

// Store implements [search.TextbookTable].
func (t *schemeTable) Store(key uint64, e search.TextbookEntry) {
	if e.Depth() < t.leastKept {
		return
	}
	result := slot{key, t.search, e}
	if s := t.at(0, key); s != nil {
		old := t.ageing && s.search != t.search
		if s.search == 0 || old || e.Depth() >= s.entry.Depth() {
			*s = result
			return
		}
	}
	if s := t.at(1, key); s != nil {
		*s = result
	}
}

// schemes returns no table and the schemes in the order of the thesis.
func schemes() []*scheme {
	return []*scheme{
		{name: "none"},
		{name: "1 two tiers, ageing, depth > 3", deeper: true, newest: true, ageing: true, leastKept: 4},
		{name: "2 two tiers, ageing", deeper: true, newest: true, ageing: true, leastKept: 1},
		{name: "3 two tiers", deeper: true, newest: true, leastKept: 1},
		{name: "4 deeper only", deeper: true, leastKept: 1},
		{name: "5 newest only", newest: true, leastKept: 1},
	}
}

// searcher searches positions one after the other with one table, as in a game: that is what ageing is for.
func (s *scheme) searcher(ctx context.Context, kib int) searcher[[]oware.Position] {
	of := owareSubject()
	return searcher[[]oware.Position]{s.name, func() visitFunc[[]oware.Position] {
		table := s.newTable(kib)
		own := search.Textbook[oware.Position]{Algorithm: search.TextbookAlphaBeta, Eval: of.eval, Table: table}
		own.Order = of.orderings[len(of.orderings)-1].order
		return func(list []oware.Position, depth int) (c cost) {
			for _, p := range list {
				table.search++
				c.score, _ = own.Search(ctx, p, nil, depth)
			}
			c.nodes = own.Nodes
			return c
		}
	}}
}

// measureSchemes returns the means of stretches of ten positions that share a table.
func measureSchemes(t *testing.T, list []*scheme, kib, depth int) []OrderLine {
	t.Helper()
	var searchers []searcher[[]oware.Position]
	for _, s := range list {
		searchers = append(searchers, s.searcher(t.Context(), kib))
	}
	sample := slices.Collect(slices.Chunk(somePositions(t, 10), 10))
	return testkit.Must(measure(t.Context(), searchers, sample, depth, 1, nil))(t)
}

// The five schemes as the thesis ranks them. In a small table every scheme that keeps deep results saves positions;
// the newest only saves least; the deeper only has the poorest hit rate. KROO_LONG=1 measures the depth of figure
// 5.6, and gives the table of docs/sources.md; times are logged.
func TestReplacementSchemes(t *testing.T) {
	full := map[int][]int64{ // by KiB
		1024:  {20_094_488, 8_741_937, 8_450_737, 9_202_292, 9_901_660, 15_585_172},
		16384: {20_094_488, 8_382_254, 7_826_551, 8_333_031, 8_455_855, 10_235_576},
	}
	for kib, want := range full {
		list := schemes()
		size, depth := kib/64, 11
		if testenv.Long() {
			size, depth = kib, 17
		}
		lines := measureSchemes(t, list, size, depth)
		for i, l := range lines {
			t.Logf("%d KiB, %s: %.0f positions, %.1f %% found, %.0f ms per search",
				size, l.Tree, l.Nodes, list[i].hitRate(), 100*l.Seconds)
			if testenv.Long() {
				testkit.Equal(t, int64(l.Nodes), want[i], "%d KiB, %s: positions", size, l.Tree)
			}
			if i > 0 && l.Nodes > lines[5].Nodes || i == 5 && l.Nodes > lines[0].Nodes {
				t.Errorf("%d KiB, %s: %.0f positions: want fewer", size, l.Tree, l.Nodes)
			}
		}
		for _, s := range list[1:] {
			if size < 4096 && s.hitRate() < list[4].hitRate() {
				t.Errorf("%d KiB, %s: hit rate %.1f %% below that of the deeper only", size, s.name, s.hitRate())
			}
		}
	}
}

// hitRate returns the share of probes that found a result, in percent.
func (s *scheme) hitRate() float64 {
	return 100 * float64(s.found.Load()) / float64(max(s.probes.Load(), 1))
}

// Every scheme finds the value of a search without a table, however small its table.
func TestEverySchemeFindsTheValue(t *testing.T) {
	const depth = 6
	for _, p := range somePositions(t, 40) {
		minimax := search.Textbook[oware.Position]{Eval: owareSubject().eval}
		want, _ := minimax.Search(t.Context(), p, nil, depth)
		for _, s := range schemes() {
			for _, kib := range []int{1, 64} {
				got := s.searcher(t.Context(), kib).fresh()([]oware.Position{p}, depth).score
				testkit.Equal(t, got, want, "%s: %s with %d KiB finds", p, s.name, kib)
			}
		}
	}
}
