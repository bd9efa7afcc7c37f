package book

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"kroo/games/oware"
	"kroo/internal/outline"
)

// Stats measures how much of the game a book covers.
type Stats struct {
	Entries   int          `json:"entries"`
	Roots     []string     `json:"roots"`     // boards that no move of another entry leads to, at most maxRoots
	RootLine  string       `json:"root_line"` // best moves from the first root to the end of the book
	Plies     []PlyStats   `json:"plies"`     // by the least number of plies from a root
	BackEdges int          `json:"closing"`   // moves that close a cycle and whose value this changes
	Sides     [2]SideStats `json:"sides"`     // for the players of South and North
}

// PlyStats counts the entries of a ply and the targets of their moves. Inside/(Moves−Ended) is the
// share of the next ply that the book covers.
type PlyStats struct {
	Ply     int `json:"ply"`
	Entries int `json:"entries"`
	Moves   int `json:"moves"`
	Inside  int `json:"inside"` // those to an entry
	Ended   int `json:"ended"`  // those that end the game
}

// SideStats is the drop-out diagram of a player (Lincke 2001).
type SideStats struct {
	Side   string `json:"side"`
	Leaves []Leaf `json:"leaves"` // by depth, then value
}

// Leaf is a position where a game leaves the book while its player plays only best moves, and the
// opponent any.
type Leaf struct {
	Depth   int  `json:"depth"` // plies from a root
	Value   int  `json:"value"` // points for the book's player
	Decided bool `json:"decided,omitempty"`
}

// maxRoots is the number of roots in a report.
const maxRoots = 10

// Survey measures a book.
func Survey(ctx context.Context, b *Book, rules oware.Rules) (*Stats, error) {
	g, err := newGraph(ctx, b, rules)
	if err != nil {
		return nil, err
	}
	return g.survey(), nil
}

func (g *graph) survey() *Stats {
	roots := g.roots()
	s := &Stats{Entries: len(g.entries), Plies: g.plyStats(roots)}
	for _, i := range roots[:min(len(roots), maxRoots)] {
		s.Roots = append(s.Roots, g.position(i).String())
	}
	if len(roots) > 0 {
		s.RootLine = g.bestLine(roots[0])
	}
	backEdges := g.certainBackEdges()
	s.BackEdges = count(backEdges)
	for _, side := range []oware.Side{oware.South, oware.North} {
		s.Sides[side] = SideStats{Side: side.String(), Leaves: g.leaves(roots, side, backEdges)}
	}
	return s
}

func (g *graph) plyStats(roots []int) (list []PlyStats) {
	g.walk(roots, func(i, plies int) {
		if plies == len(list) {
			list = append(list, PlyStats{Ply: plies})
		}
		s := &list[plies]
		s.Entries++
		for l := range g.links(i) {
			s.Moves++
			switch {
			case l.to >= 0:
				s.Inside++
			case l.to == gameEnd:
				s.Ended++
			}
		}
	}, func(link) bool { return true })
	return list
}

// bestLine returns the line of best moves from an entry to the end of the book.
func (g *graph) bestLine(i int) string {
	line := oware.Descriptor().NewLine(g.position(i))
	for to := i; to >= 0; {
		m, best := g.entries[to].Best()
		if best == Illegal || line.Play(m) != nil { // a repetition has ended the game
			break
		}
		to = int(g.next[to][m])
	}
	return line.Text()
}

// leaves returns the leaves for the player of a side, each once with its least depth.
func (g *graph) leaves(roots []int, side oware.Side, backEdges []uint8) []Leaf {
	leaves := []Leaf{}
	depth := make([]int, len(g.entries))
	left := map[int64]bool{} // positions outside the book
	g.walk(roots, func(i, plies int) { depth[i] = plies }, func(l link) bool {
		p := g.position(l.from)
		value := g.score(l)
		ours := p.ToMove() == side
		if !g.plays(side, l) {
			return false
		}
		closes := backEdges[l.from]>>l.move&1 != 0
		if l.to >= 0 && !closes {
			return true
		}
		if !ours {
			value = -value
		}
		if key := p.Play(l.move).BookKey(); closes || !left[key] {
			left[key] = left[key] || !closes
			leaves = append(leaves, Leaf{depth[l.from] + 1, value, closes || l.to == gameEnd || value == maxScore ||
				value == -maxScore})
		}
		return false
	})
	slices.SortFunc(leaves, func(a, b Leaf) int {
		return cmp.Or(cmp.Compare(a.Depth, b.Depth), cmp.Compare(a.Value, b.Value))
	})
	return leaves
}

// plays reports whether a move can occur in a game whose player of a side plays only best moves.
func (g *graph) plays(side oware.Side, l link) bool {
	return g.position(l.from).ToMove() != side || g.entries[l.from].isBest(l.move)
}

// Doc reports the coverage and the leaves.
func (s *Stats) Doc() *outline.Doc {
	d := &outline.Doc{Value: s, Lead: []string{fmt.Sprintf("%d entries, %d moves close a cycle", s.Entries, s.BackEdges),
		"best line: " + s.RootLine}}
	if len(s.Roots) > 1 {
		d.Lead = append(d.Lead, fmt.Sprintf("roots: %q", s.Roots))
	}
	d.Add(outline.Section{Table: outline.TableOf([]string{"ply", "entries", "moves", "covered"}, s.Plies,
		func(p PlyStats) []any {
			covered := "–"
			if open := p.Moves - p.Ended; open > 0 {
				covered = outline.Percent(p.Inside, open)
			}
			return []any{p.Ply, p.Entries, p.Moves, covered}
		})})
	for i, side := range s.Sides {
		t := outline.NewTable("ply", "leaves", "decided", "worst", "median", "best, seeds")
		for ply := range plies(side.Leaves) { // by value
			decided := 0
			for _, l := range ply {
				if l.Decided {
					decided++
				}
			}
			value := func(l Leaf) string { return fmt.Sprintf("%+.2f", oware.InSeeds(l.Value)) }
			t.Add(ply[0].Depth, len(ply), decided, value(ply[0]), value(ply[len(ply)/2]), value(ply[len(ply)-1]))
		}
		d.Add(outline.Section{Heading: fmt.Sprintf("drop-out diagram of %s's book, %d leaves",
			oware.Descriptor().Sides[i], len(side.Leaves)), Table: t})
	}
	return d
}

// plies groups the leaves by depth.
func plies(leaves []Leaf) iter.Seq[[]Leaf] {
	return func(yield func([]Leaf) bool) {
		for first := 0; first < len(leaves); {
			last := first
			for last < len(leaves) && leaves[last].Depth == leaves[first].Depth {
				last++
			}
			if !yield(leaves[first:last]) {
				return
			}
			first = last
		}
	}
}
