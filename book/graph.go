package book

import (
	"cmp"
	"context"
	"iter"
	"math/bits"
	"slices"

	"kroo/games/oware"
)

// Targets of moves in a graph that are not entries.
const (
	outside = -1 - iota // a position without an entry
	gameEnd             // a position that ends the game
)

// graph is the entries of a book and the moves between them.
type graph struct {
	rules   oware.Rules
	entries []Entry
	next    [][oware.Houses]int32 // entry that a move leads to, or outside or gameEnd
}

// newGraph links the entries of a sound book.
func newGraph(ctx context.Context, b *Book, rules oware.Rules) (*graph, error) {
	if err := b.CheckSound(ctx, rules); err != nil {
		return nil, err
	}
	return linkEntries(ctx, b, rules)
}

// checkEvery is the number of entries after which a walk checks its context.
const checkEvery = 1 << 12

// linkEntries links a copy of the entries of a book whose keys are valid and ascending. It drops the
// values of illegal moves.
func linkEntries(ctx context.Context, b *Book, rules oware.Rules) (*graph, error) {
	g := &graph{rules: rules, entries: slices.Clone(b.entries), next: make([][oware.Houses]int32, b.Len())}
	for i := range g.entries {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		p := g.position(i)
		legal := p.Legal()
		for m := range oware.Move(oware.Houses) {
			if legal>>m&1 == 0 {
				g.entries[i].Scores[m], g.next[i][m] = Illegal, outside
				continue
			}
			g.next[i][m] = b.follow(p.Play(m))
		}
	}
	for i := range g.entries {
		for l := range g.links(i) {
			if l.to >= 0 && g.entries[l.to].legal() == 0 { // the entry is damaged
				g.next[i][l.move] = outside
			}
		}
	}
	return g, nil
}

// follow returns the target for a position in a graph of the book.
func (b *Book) follow(p oware.Position) int32 {
	if _, over := p.Terminal(); over {
		return gameEnd
	}
	if i, found := find(b.entries, p.BookKey()); found {
		return int32(i)
	}
	return outside
}

// position returns the position of an entry.
func (g *graph) position(i int) oware.Position {
	p, _ := oware.FromBookKey(g.rules, g.entries[i].Key) // the key is valid
	return p
}

// find returns the index of a position's entry.
func (g *graph) find(p oware.Position) (i int, found bool) { return find(g.entries, p.BookKey()) }

// link is a move of an entry.
type link struct {
	from int
	move oware.Move
	to   int // number of an entry, or outside or gameEnd
}

// links returns the moves of an entry that have a value, from the left.
func (g *graph) links(i int) iter.Seq[link] {
	return func(yield func(link) bool) {
		for set := g.entries[i].legal(); set != 0; set &= set - 1 {
			m := oware.Move(bits.TrailingZeros8(set))
			if !yield(link{i, m, int(g.next[i][m])}) {
				return
			}
		}
	}
}

// score returns the value of a move, in points.
func (g *graph) score(l link) int { return int(g.entries[l.from].Scores[l.move]) }

// backedUpValue returns the value of a move by the entry that it leads to: the negative of its best.
func (g *graph) backedUpValue(l link) int {
	_, best := g.entries[l.to].Best()
	return -best
}

// bounds returns the bounds of endgame tables, which may be nil, for a capture, in seeds at the end
// of the game for the side that makes it. Bounds are independent of the earlier game only after a
// capture.
func (g *graph) bounds(tables Prober, l link) (least, most int, ok bool) {
	if tables == nil || l.to == gameEnd {
		return 0, 0, false
	}
	p := g.position(l.from)
	if p.Gain(l.move) == 0 {
		return 0, 0, false
	}
	low, high, ok := tables.Final(p.Play(l.move))
	return -high, -low, ok
}

// clampToTables clamps the value of a move to the bounds of the tables.
func (g *graph) clampToTables(tables Prober, l link, value int) int {
	least, most, ok := g.bounds(tables, l)
	switch {
	case !ok:
	case least > 0:
		return maxScore
	case most < 0:
		return -maxScore
	case least == 0 && value < 0, most == 0 && value > 0:
		return 0
	}
	return value
}

// roots returns entries from which all others can be reached: those that no move of another entry
// leads to, and one per cycle that cannot be reached from these. The start position is first.
func (g *graph) roots() (list []int) {
	led := make([]bool, len(g.entries))
	for i := range g.entries {
		for l := range g.links(i) {
			if l.to >= 0 {
				led[l.to] = true
			}
		}
	}
	seen := make([]bool, len(g.entries))
	for _, marked := range [][]bool{led, seen} {
		for i := range g.entries {
			if !marked[i] {
				list = append(list, i)
				g.reach(i, func(i int) bool {
					before := seen[i]
					seen[i] = true
					return !before
				})
			}
		}
	}
	start := oware.Start(g.rules).BookKey()
	at := slices.IndexFunc(list, func(i int) bool { return g.entries[i].Key == start })
	if at > 0 {
		first := list[at]
		list = slices.Insert(slices.Delete(list, at, at+1), 0, first)
	}
	return list
}

// reach counts the entries reachable from one. isNew marks an entry and reports whether it was
// unmarked.
func (g *graph) reach(from int, isNew func(i int) bool) (n int) {
	isNew(from)
	for todo := []int{from}; len(todo) > 0; n++ {
		i := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for l := range g.links(i) {
			if l.to >= 0 && isNew(l.to) {
				todo = append(todo, l.to)
			}
		}
	}
	return n
}

// walk visits entries breadth-first from the roots, each once, with the least number of plies from a
// root. It continues along the links for which follow returns true.
func (g *graph) walk(roots []int, visit func(i, plies int), follow func(link) bool) {
	seen := make([]bool, len(g.entries))
	level := roots
	for _, i := range level {
		seen[i] = true
	}
	for plies := 0; len(level) > 0; plies++ {
		var next []int
		for _, i := range level {
			visit(i, plies)
			for l := range g.links(i) {
				if follow(l) && l.to >= 0 && !seen[l.to] {
					seen[l.to] = true
					next = append(next, l.to)
				}
			}
		}
		level = next
	}
}

// propagate makes the values consistent. A move to an entry gets the negative of that entry's best
// value. A move that closes a cycle or ends the game gets the result that the rules give. Other
// moves keep their values.
func (g *graph) propagate() {
	backEdges := g.backEdges()
	g.settle(backEdges, g.backwards(backEdges), nil)
}

// settle is propagate for given cycle-closing moves and the resulting order. Bounds of endgame
// tables, which may be nil, override the values of searches and entries.
func (g *graph) settle(backEdges []uint8, order []int, tables Prober) {
	for _, i := range order {
		for l := range g.links(i) {
			value := g.score(l)
			switch {
			case l.to == gameEnd:
				value = ending(g.position(i).Play(l.move))
			case l.to == outside:
				value = g.clampToTables(tables, l, value)
			case backEdges[i]>>l.move&1 != 0:
				value = repetitionPoints(g.position(i).Play(l.move))
			default:
				value = g.clampToTables(tables, l, g.backedUpValue(l))
			}
			g.entries[i].Scores[l.move] = int16(value)
		}
	}
}

// ending returns the value of a move to a position that ends the game, in points for the side that
// makes it.
func ending(p oware.Position) int {
	diff, _ := p.Terminal()
	return -maxScore * cmp.Compare(diff, 0)
}
