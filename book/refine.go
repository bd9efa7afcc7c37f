package book

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kroo/games/oware"
)

// Lines selects the lines of play that a second pass over a book follows: those from Root on which
// no single move of either side loses more than Loss against the best, and all moves together no
// more than Total, in points by the values of the book.
type Lines struct {
	Root        oware.Position
	Loss, Total int
}

// Refinement is a book whose leaves get new values. A leaf is a position without an entry after a
// move of an entry, unless the game is over or decided there.
type Refinement struct {
	graph     *graph
	header    Header
	tables    Prober
	lines     Lines
	root      int     // entry of lines.Root
	backEdges []uint8 // moves that close a cycle, bit i of an entry's for house i
	order     []int   // entries, each after those that its other moves lead to
	ways      []way   // moves to leaves, ascending by leaf
	sum       []int32 // total loss on the best line to an entry, or beyond
}

// way is a move to a leaf.
type way struct {
	leaf int64 // key of the leaf; ways ascend by it
	from int32
	move oware.Move
	done bool // the leaf has a new value
}

// outsideLimits is the total loss of a line outside the limits.
const outsideLimits = 1 << 30

// Refine reads a book for a second pass along some lines. Values are kept within the bounds of
// tables, which may be nil.
func Refine(ctx context.Context, b *Book, rules oware.Rules, tables Prober, lines Lines) (*Refinement, error) {
	g, err := newGraph(ctx, b, rules)
	if err != nil {
		return nil, err
	}
	r := &Refinement{graph: g, header: b.header, tables: tables, lines: lines, sum: make([]int32, len(g.entries))}
	root, found := g.find(lines.Root)
	if !found {
		return nil, fmt.Errorf("the book has no entry for %s, where the lines begin", lines.Root)
	}
	r.root, r.backEdges = root, g.backEdges()
	r.order = g.backwards(r.backEdges)
	r.settle() // tables may decide leaves
	for i := range g.entries {
		p := g.position(i)
		for l := range g.links(i) {
			if score := g.score(l); l.to == outside && score != maxScore && score != -maxScore {
				r.ways = append(r.ways, way{leaf: p.Play(l.move).BookKey(), from: int32(i), move: l.move})
			}
		}
	}
	slices.SortFunc(r.ways, func(a, b way) int { return cmp.Or(cmp.Compare(a.leaf, b.leaf), cmp.Compare(a.from, b.from)) })
	return r, nil
}

// settle makes the values of the book consistent.
func (r *Refinement) settle() { r.graph.settle(r.backEdges, r.order, r.tables) }

// follow computes the least total loss on a line to each entry.
func (r *Refinement) follow() {
	for i := range r.sum {
		r.sum[i] = outsideLimits
	}
	r.sum[r.root] = 0
	for _, i := range slices.Backward(r.order) { // each before those that its moves lead to
		for l := range r.graph.links(i) {
			if l.to >= 0 && r.backEdges[i]>>l.move&1 == 0 {
				r.sum[l.to] = min(r.sum[l.to], r.lossThrough(int32(i), l.move))
			}
		}
	}
}

// lossThrough is the least total loss on a line through a move of an entry.
func (r *Refinement) lossThrough(from int32, m oware.Move) int32 {
	e := &r.graph.entries[from]
	_, best := e.Best()
	loss := best - int(e.Scores[m])
	if sum := int(r.sum[from]) + loss; loss <= r.lines.Loss && sum <= r.lines.Total {
		return int32(sum)
	}
	return outsideLimits
}

// Next returns up to most leaves on the lines that have no new value yet, those with the least total
// loss first, and the number of all such leaves.
func (r *Refinement) Next(most int) (leaves []oware.Position, left int) {
	type candidate struct {
		sum  int32
		leaf int64
	}
	r.follow()
	var list []candidate
	for at := 0; at < len(r.ways); {
		c := candidate{outsideLimits, r.ways[at].leaf}
		for ; at < len(r.ways) && r.ways[at].leaf == c.leaf; at++ {
			if w := r.ways[at]; !w.done {
				c.sum = min(c.sum, r.lossThrough(w.from, w.move))
			}
		}
		if c.sum < outsideLimits {
			list = append(list, c)
		}
	}
	slices.SortFunc(list, func(a, b candidate) int { return cmp.Or(cmp.Compare(a.sum, b.sum), cmp.Compare(a.leaf, b.leaf)) })
	for _, c := range list[:min(most, len(list))] {
		p, _ := oware.FromBookKey(r.graph.rules, c.leaf) // the key is of a position
		leaves = append(leaves, p)
	}
	return leaves, len(list)
}

// Set sets new values of leaves by their keys, in points for the side to move there, and updates the
// values of all entries.
func (r *Refinement) Set(values map[int64]int) {
	for i := range r.ways {
		w := &r.ways[i]
		if value, ok := values[w.leaf]; ok {
			w.done = true
			l := link{int(w.from), w.move, outside}
			r.graph.entries[w.from].Scores[w.move] = int16(r.graph.clampToTables(r.tables, l, -value))
		}
	}
	r.settle()
}

// Entries returns the entries with their present values.
func (r *Refinement) Entries() []Entry { return r.graph.entries }

// At returns the values of the position where the lines begin.
func (r *Refinement) At() [oware.Houses]int16 { return r.graph.entries[r.root].Scores }

// Header returns the header of the new book, without a record of the pass.
func (r *Refinement) Header() Header { return r.header.Derive() }
