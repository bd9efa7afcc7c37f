package study

import "kroo/games"

// entry is the stored result of a search.
type entry struct {
	move  games.Move
	score int
	depth int
	bound bound
}

type bound uint8

const (
	exactly bound = iota
	atLeast
	atMost
)

// none means no move.
const none games.Move = 0xffff

func boundOf(score, alpha, beta int) bound {
	switch {
	case score <= alpha:
		return atMost
	case score >= beta:
		return atLeast
	}
	return exactly
}

// slot is an entry with its full key and the search that wrote it.
type slot struct {
	key uint64
	entry
	search uint32 // 0 means empty
}

// scheme is one of the replacement schemes of Sala Soler (2014): the tiers, when the first is
// overwritten, and the least depth stored.
type scheme struct {
	name      string
	first     bool // a tier that keeps the deeper result
	second    bool // a tier that keeps the newest result
	ageing    bool // results of earlier searches are overwritten
	leastKept int  // least remaining depth stored
}

// schemes are in the order of the thesis. The two-tier table is that of Belle (Condon and Thompson,
// 1982).
var schemes = []scheme{
	{"1 two tiers, ageing, depth > 3", true, true, true, 4},
	{"2 two tiers, ageing", true, true, true, 1},
	{"3 two tiers", true, true, false, 1},
	{"4 deeper only", true, false, false, 1},
	{"5 newest only", false, true, false, 1},
}

// schemeTable is a transposition table under a scheme, with counts of its look-ups. It ignores how a
// position was reached, so values that depend on repetitions may be wrong: good enough for counting,
// not for play.
type schemeTable struct {
	scheme
	deeper, newest []slot
	search         uint32
	lookups, found int64
}

// slotBytes is the size of an entry in memory.
const slotBytes = 40

func newSchemeTable(s scheme, bytes int) *schemeTable {
	n := bytes / slotBytes
	t := &schemeTable{scheme: s}
	switch {
	case s.first && s.second:
		t.deeper, t.newest = make([]slot, n/2), make([]slot, n/2)
	case s.first:
		t.deeper = make([]slot, n)
	default:
		t.newest = make([]slot, n)
	}
	return t
}

func (t *schemeTable) newSearch() { t.search++ }

func (t *schemeTable) probe(key uint64, depth int) (entry, bool) {
	if depth < t.leastKept {
		return entry{}, false
	}
	t.lookups++
	for _, tier := range [][]slot{t.deeper, t.newest} {
		if len(tier) == 0 {
			continue
		}
		if s := &tier[key%uint64(len(tier))]; s.search != 0 && s.key == key {
			t.found++
			return s.entry, true
		}
	}
	return entry{}, false
}

func (t *schemeTable) store(key uint64, e entry) {
	if e.depth < t.leastKept {
		return
	}
	if t.first {
		s := &t.deeper[key%uint64(len(t.deeper))]
		if s.search == 0 || e.depth >= s.depth || t.ageing && s.search != t.search {
			*s = slot{key, e, t.search}
			return
		}
	}
	if t.second {
		t.newest[key%uint64(len(t.newest))] = slot{key, e, t.search}
	}
}
