package dropout

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func config(n int) Config {
	return Config{Stop: Stop{Expansions: n}, Omega: book.DefaultOmega, Limits: search.Limits{Depth: 3}}
}

func build(t testing.TB, cfg Config) *Graph {
	t.Helper()
	g, _, err := Build(context.Background(), cfg, newFakePool(1), nil)
	testkit.NoError(t, err)
	return g
}

// newTestBuilder has its root, and no log.
func newTestBuilder(t testing.TB, cfg Config) *builder {
	t.Helper()
	cfg = testkit.Must(cfg.normal())(t)
	b := testkit.Must(open(cfg))(t)
	pool := newFakePool(1)
	b.search = func(j engine.Job[oware.Position]) error {
		a, err := pool.answer(j.Position)
		return errors.Join(err, b.take(finished{j.Position, a})) // at once: leaves are given back with searches nobody waits for
	}
	testkit.NoError(t, b.addRoot(context.Background()))
	return b
}

// expandNext waits for the oldest leaf in flight and expands it.
func (b *builder) expandNext(t testing.TB) {
	t.Helper()
	testkit.NoError(t, b.await(context.Background(), b.flight[0]))
	b.apply()
}

func board(t testing.TB, r oware.Rules, s string) oware.Position {
	t.Helper()
	return testkit.Must(oware.ParseBoard(r, s))(t)
}

// slow computes values and priorities from the definitions, by recursion over
// the moves of the positions.
type slow struct {
	g    *Graph
	cfg  Config
	done map[oware.Position]slowValue
	open map[oware.Position]bool
}

type slowValue struct {
	p         int
	low, high int // proven: -1 a loss, 0 a draw, 1 a win
	epb, epo  int // in parts of a ply
}

func newSlow(g *Graph, cfg Config) *slow {
	return &slow{g, cfg, map[oware.Position]slowValue{}, map[oware.Position]bool{}}
}

func (s *slow) value(t *testing.T, pos oware.Position) slowValue {
	if v, ok := s.done[pos]; ok {
		return v
	}
	if s.open[pos] {
		t.Fatalf("%s is below itself", pos)
	}
	s.open[pos] = true
	defer delete(s.open, pos)
	i, ok := s.g.find(pos)
	if !ok {
		t.Fatalf("%s is missing", pos)
	}
	n := s.g.nodes.at(i)
	v := slowValue{p: int(n.h), low: -1, high: 1}
	switch {
	case n.is(expanded):
		v = s.expanded(t, n)
	case n.is(proven) && n.h > 0:
		v.low = 1
	case n.is(proven) && n.h < 0:
		v.high = -1
	case n.is(proven):
		v.low, v.high = 0, 0
	}
	if v.low == v.high || !n.is(expanded) && n.is(chosen) {
		v.epb, v.epo = math.MaxInt32, math.MaxInt32
	}
	s.done[pos] = v
	return v
}

// move is the value of a move for the player who makes it.
func (s *slow) move(t *testing.T, n *node, m oware.Move, cycle bool) slowValue {
	child := n.pos.Play(m)
	if cycle {
		diff, _ := child.Repetition(2)
		return slowValue{p: -100 * diff, low: -1, high: 1, epb: math.MaxInt32, epo: math.MaxInt32}
	}
	c := s.value(t, child)
	if s.cfg.Prober != nil && n.pos.Gain(m) > 0 {
		if low, high, ok := s.cfg.Prober.Final(child); ok {
			tableLow, tableHigh := cmp.Compare(low, 0), cmp.Compare(high, 0)
			if c.low > tableHigh || c.high < tableLow {
				c.low, c.high = tableLow, tableHigh
			}
			c.low, c.high = max(c.low, tableLow), min(c.high, tableHigh)
		}
	}
	switch {
	case c.p > 10001:
		c.p = -(c.p - 1)
	case c.p < -10001:
		c.p = -(c.p + 1)
	default:
		c.p = -c.p
	}
	c.low, c.high = -c.high, -c.low
	if c.low == 1 && c.p <= 10000 {
		c.p = 15010
	}
	if c.high == -1 && c.p >= -10000 {
		c.p = -15010
	}
	if c.low == 0 {
		c.p = max(c.p, 0)
	}
	if c.high == 0 {
		c.p = min(c.p, 0)
	}
	if c.low == c.high {
		c.epb, c.epo = math.MaxInt32, math.MaxInt32
	}
	return c
}

func (s *slow) expanded(t *testing.T, n *node) slowValue {
	v := slowValue{p: math.MinInt, low: -1, high: -1, epb: math.MaxInt32, epo: math.MaxInt32}
	var moves []slowValue
	at := n.edges
	for m := range oware.Move(oware.Houses) {
		if !n.pos.IsLegal(m) {
			continue
		}
		c := s.move(t, n, m, s.g.edges.at(at).child == none)
		at++
		moves = append(moves, c)
		v.p, v.low, v.high = max(v.p, c.p), max(v.low, c.low), max(v.high, c.high)
	}
	for _, c := range moves {
		if c.p == v.p {
			v.epb = min(v.epb, c.epo)
		}
		v.epo = min(v.epo, c.epb+slowCost(s.cfg, slowLoss(v.p, c.p)))
	}
	v.epb, v.epo = min(v.epb+book.Ply, math.MaxInt32), min(v.epo+book.Ply, math.MaxInt32)
	return v
}

// slowLoss is how much worse a value is than the best, in centi-seeds.
func slowLoss(best, value int) int {
	in24 := func(p int) int { return max(-2400, min(2400, p)) }
	return in24(best) - in24(value)
}

// slowCost is what a loss of the opponent costs, in parts of a ply.
func slowCost(cfg Config, loss int) int {
	return int(math.Round(cfg.Omega * 4096 / 100 * float64(loss)))
}

// check compares a graph with the slow computation and looks at its structure.
func check(t *testing.T, g *Graph, cfg Config) {
	t.Helper()
	s := newSlow(g, cfg)
	orders := map[int32]bool{}
	for i := range index(g.nodes.len()) {
		n := g.nodes.at(i)
		want := s.value(t, n.pos)
		got := slowValue{int(n.p), int(n.outcome.low), int(n.outcome.high), int(n.priority[book.BookPlayer]), int(n.priority[book.Opponent])}
		if got != want {
			t.Fatalf("node %d %s: %+v, expected %+v", i, n.pos, got, want)
		}
		if orders[n.order] || n.is(queued) {
			t.Fatalf("node %d: order %d twice, or still queued", i, n.order)
		}
		orders[n.order] = true
		checkEdges(t, g, i)
	}
	if g.lookup.used != g.nodes.len() {
		t.Fatalf("%d entries for %d nodes", g.lookup.used, g.nodes.len())
	}
}

// checkEdges looks at the edges of a node, at both ends.
func checkEdges(t *testing.T, g *Graph, i index) {
	t.Helper()
	n := g.nodes.at(i)
	for _, p := range parents(g, i) {
		if g.nodes.at(p).order >= n.order {
			t.Fatalf("order %d of node %d is not above that of its parent %d", n.order, i, p)
		}
	}
	if !n.is(expanded) {
		return
	}
	at := n.edges
	for m := range oware.Move(oware.Houses) {
		if !n.pos.IsLegal(m) {
			continue
		}
		child, _ := g.find(n.pos.Play(m))
		switch e := *g.edges.at(at); {
		case e.parent != i:
			t.Fatalf("node %d: edge of node %d", i, e.parent)
		case e.child == none && !above(g, child, i):
			t.Fatalf("node %d: move %d was kept out and closes no cycle", i, m)
		case e.child != none && (e.child != child || !slices.Contains(parents(g, child), i)):
			t.Fatalf("node %d: move %d leads to node %d, expected %d", i, m, e.child, child)
		}
		at++
	}
}

// parents are the nodes with an edge to i.
func parents(g *Graph, i index) (list []index) {
	for at := g.nodes.at(i).parents; at != none; at = g.edges.at(at).next {
		list = append(list, g.edges.at(at).parent)
	}
	return list
}

// above reports whether a path leads from a to b.
func above(g *Graph, a, b index) bool {
	seen := map[index]bool{}
	var up func(index) bool
	up = func(i index) bool {
		if i == a {
			return true
		}
		if seen[i] {
			return false
		}
		seen[i] = true
		return slices.ContainsFunc(parents(g, i), up)
	}
	return up(b)
}

// bookRules are the rule sets that books can be for.
func bookRules() []oware.Rules {
	return slices.DeleteFunc(oware.RuleSets(), func(r oware.Rules) bool { return book.CheckRules(r) != nil })
}

// variants are configurations in which everything that priorities depend on
// occurs.
func variants(n int) (list []Config) {
	few := "2-0-1-0-1-0-0-0-1-0-0-1-21-21-S"
	for _, rules := range bookRules() {
		for _, omega := range []float64{0, 0.7, 5} {
			cfg := config(n)
			cfg.Rules, cfg.Omega = rules, omega
			list = append(list, cfg)
			cfg.Prober = fakeTables{}
			cfg.Root, _ = oware.ParseBoard(rules, few)
			list = append(list, cfg)
		}
	}
	return list
}

func TestPropagationAgreesWithFullRecomputation(t *testing.T) {
	for _, cfg := range variants(400) {
		check(t, build(t, cfg), cfg)
	}
}

// In small steps, with leaves in flight, some of which are given back.
func TestEveryStepAgreesWithFullRecomputation(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	for _, cfg := range variants(1000) {
		cfg.Width = 1 + r.IntN(6)
		b := newTestBuilder(t, cfg)
		for range 60 {
			testkit.NoError(t, b.fill())
			check(t, b.graph, cfg)
			if len(b.flight) == 0 {
				break
			}
			if r.IntN(4) == 0 {
				b.release()
			} else {
				b.expandNext(t)
			}
			check(t, b.graph, cfg)
		}
	}
}

// The next leaf is at the end of the cheapest line from the root, and the cost of that line is the
// priority of the root.
func TestNextLeafIsTheBruteForceArgmin(t *testing.T) {
	choices := 0
	for _, cfg := range variants(1000) {
		b := newTestBuilder(t, cfg)
		for range 150 {
			for _, side := range []oware.Side{oware.South, oware.North} {
				least, leaves := cheapest(b.graph, cfg, side)
				leaf, _, ok := b.graph.choose(side)
				if ok != (len(leaves) > 0) || ok && !slices.Contains(leaves, leaf) {
					t.Fatalf("chose node %d, %v: expected one of %v", leaf, ok, leaves)
				}
				if root := int(b.graph.nodes.at(0).priority[b.graph.rootRole(side)]); ok && root != least {
					t.Fatalf("the leaf costs %d, the priority of the root is %d", least, root)
				}
				if ok {
					choices++
				}
			}
			testkit.NoError(t, b.fill())
			if len(b.flight) == 0 {
				break
			}
			b.expandNext(t)
		}
	}
	if choices < 2000 {
		t.Errorf("only %d choices", choices)
	}
}

// cheapest relaxes the costs of all nodes from the root down and returns the
// leaves that cost least in the book of a side.
func cheapest(g *Graph, cfg Config, side oware.Side) (least int, leaves []index) {
	byOrder := make([]index, g.nodes.len())
	for i := range index(g.nodes.len()) {
		byOrder[g.nodes.at(i).order] = i
	}
	cost := map[index]int{0: 0}
	least = math.MaxInt
	for _, i := range byOrder {
		n := g.nodes.at(i)
		sofar, reached := cost[i]
		if !reached || n.outcome.decided() {
			continue
		}
		if !n.is(expanded) {
			if n.is(chosen) {
				continue
			}
			if sofar < least {
				least, leaves = sofar, nil
			}
			if sofar == least {
				leaves = append(leaves, i)
			}
			continue
		}
		var buf [oware.Houses]move
		for _, m := range g.moves(i, &buf) {
			if m.child == none || m.outcome.decided() || n.pos.ToMove() == side && m.value != int32(n.p) {
				continue
			}
			total := sofar + book.Ply
			if n.pos.ToMove() != side {
				total += slowCost(cfg, slowLoss(int(n.p), int(m.value)))
			}
			if old, there := cost[m.child]; !there || total < old {
				cost[m.child] = total
			}
		}
	}
	return least, leaves
}

// Positions with few seeds, played to the end of everything there is.
func TestCyclesAreKeptOut(t *testing.T) {
	cycles := 0
	for _, rules := range bookRules() {
		for _, s := range []string{
			"1-0-0-0-0-0-1-0-0-0-0-0-23-23-S",
			"0-1-0-0-1-0-0-0-1-0-0-0-22-23-N",
			"2-0-0-0-1-0-0-0-1-0-0-1-22-21-S",
			"1-0-2-0-0-0-0-1-0-0-1-0-21-22-S",
			"1-1-0-0-2-0-0-0-0-1-0-1-21-21-S",
		} {
			cfg := config(100_000)
			cfg.Rules, cfg.Root = rules, board(t, rules, s)
			g := build(t, cfg)
			check(t, g, cfg)
			if !g.finished(oware.South) || !g.finished(oware.North) {
				t.Errorf("%v %s: not finished after %d expansions", rules, s, g.expanded)
			}
			if st := g.Stats(); st.Expanded != g.expanded || st.Nodes != g.nodes.len() {
				t.Errorf("%v %s: %+v, %d expanded of %d nodes", rules, s, st, g.expanded, g.nodes.len())
			} else {
				cycles += st.Cycles
			}
		}
	}
	if cycles < 20 {
		t.Errorf("only %d moves closed a cycle: the test tests nothing", cycles)
	}
}

// Nothing passes for proven because of a move that was kept out: with such a
// move a node is at most won by another one, and never lost or drawn.
func TestNothingIsProvenByACycle(t *testing.T) {
	nodes := 0
	for _, cfg := range variants(100_000) {
		cfg.Root = board(t, cfg.Rules, "1-1-0-0-2-0-0-0-0-1-0-1-21-21-S")
		g := build(t, cfg)
		for i := range index(g.nodes.len()) {
			n := g.nodes.at(i)
			if g.cycles(i) == 0 {
				continue
			}
			nodes++
			if n.outcome.high != 1 || search.Proven(int(n.p)) != (n.outcome.low == 1) {
				t.Errorf("%s: proven %+v, value %d", n.pos, n.outcome, n.p)
			}
		}
	}
	if nodes < 50 {
		t.Errorf("only %d nodes with such a move", nodes)
	}
}

// A repetition is worth what the rules give, never a proven result.
func TestCycleValueIsHeuristic(t *testing.T) {
	p := board(t, oware.Abapa, "1-0-0-0-0-0-2-0-0-0-0-0-23-22-S")
	if v := book.Closing(p); v != 0 { // 24 : 24
		t.Errorf("abapa: %d, expected 0", v)
	}
	p = board(t, oware.Abapa, "3-0-0-0-0-0-0-0-0-0-0-0-23-22-S")
	if v := book.Closing(p); v != -400 { // 26 : 22 for the player to move
		t.Errorf("abapa: %d, expected -400", v)
	}
	for _, rules := range []oware.Rules{oware.Awari, oware.Simple} {
		p = board(t, rules, "3-0-0-0-0-0-0-0-0-0-0-0-23-22-S")
		if v := book.Closing(p); v != -100 { // 24.5 : 23.5
			t.Errorf("%v: %d, expected -100", rules, v)
		}
	}
}

func TestBackCountsPliesToAProvenEnd(t *testing.T) {
	for v, want := range map[int32]int32{
		0: 0, 250: -250, -250: 250, search.MaxHeuristic: -search.MaxHeuristic,
		search.Win: -search.Win + 1, -search.Win + 4: search.Win - 5,
		search.MaxHeuristic + 1: -search.MaxHeuristic - 1, // does not become heuristic
	} {
		testkit.Equal(t, back(v), want, "%d", v)
	}
}

// fixed makes a graph of the start position with the given values of its six
// successors, seen by North, all expanded or not.
func fixed(values [6]int16) *Graph {
	g := newGraph(Config{Omega: 2})
	root := oware.Start(oware.Abapa)
	g.add(root, found{})
	results := map[int64]found{}
	for m, v := range values {
		results[root.Play(oware.Move(m)).BookKey()] = found{score: v}
	}
	g.expand(0, results)
	return g
}

// childOf is where a move leads.
func childOf(g *Graph, i index, m oware.Move) index {
	child, _ := g.find(g.nodes.at(i).pos.Play(m))
	return child
}

// By hand: North's values 100, 50, 50, 300, 20, 50; for South the best move is
// E (-20), A is 0.8 seeds worse.
func TestPrioritiesByHand(t *testing.T) {
	g := fixed([6]int16{100, 50, 50, 300, 20, 50})
	if n := g.nodes.at(0); n.p != -20 || n.priority != [book.Roles]int32{book.Ply, book.Ply} {
		t.Errorf("root: p %d, %v", n.p, n.priority)
	}
	leaf, depth, ok := g.choose(oware.South)
	if !ok || depth != 1 || leaf != childOf(g, 0, 4) {
		t.Errorf("chose node %d, expected E", leaf)
	}
	g.setChosen(leaf, true)
	// South as book player has no other best move. As the opponent South has B,
	// 0.3 seeds worse than E: 1 + 2*0.3.
	if n := g.nodes.at(0); n.priority != [book.Roles]int32{book.Never, 6554} {
		t.Errorf("root: %v", n.priority)
	}
	if _, _, ok := g.choose(oware.South); ok {
		t.Error("found something to expand for South")
	}
	if leaf, _, ok := g.choose(oware.North); !ok || leaf != childOf(g, 0, 1) {
		t.Errorf("chose node %d for North's book, expected B", leaf)
	}
	line, priority, ok := g.prospect(oware.North)
	if !ok || !slices.Equal(line, []oware.Move{1}) || math.Abs(priority-1.6) > 1e-3 {
		t.Errorf("%v, priority %g: expected B and 1.6", line, priority)
	}
}

func TestProvenLeavesAreNeverExpanded(t *testing.T) {
	cfg := config(3000)
	cfg.Root = board(t, oware.Abapa, "0-2-0-1-0-1-0-1-0-0-1-0-21-21-S")
	g := build(t, cfg)
	count := 0
	for i := range index(g.nodes.len()) {
		if n := g.nodes.at(i); n.is(proven) {
			count++
			if n.is(expanded | chosen) {
				t.Errorf("%s is proven and expanded", n.pos)
			}
		} else if _, over := n.pos.Terminal(); over {
			t.Errorf("%s ends the game and is not proven", n.pos)
		}
	}
	if count < 30 {
		t.Errorf("only %d proven leaves", count)
	}
}

// A larger omega makes a narrower and deeper graph.
func TestOmegaTurnsBreadthIntoDepth(t *testing.T) {
	depth := func(omega float64) int {
		cfg := config(300)
		cfg.Omega = omega
		return build(t, cfg).Stats().MaxDepth
	}
	if broad, narrow := depth(0), depth(20); broad >= narrow {
		t.Errorf("depth %d with omega 0, %d with 20", broad, narrow)
	}
}

func TestQueueGivesHighestOrderFirst(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for range 200 {
		var q queue
		var want []int32
		for range r.IntN(40) {
			order := int32(r.IntN(50))
			q.push(item{order, order + 1})
			want = append(want, order)
			if r.IntN(3) == 0 {
				slices.Sort(want)
				if got := q.pop(); got != want[len(want)-1]+1 {
					t.Fatalf("popped %d of %v", got, want)
				}
				want = want[:len(want)-1]
			}
		}
		slices.Sort(want)
		for i := len(want) - 1; i >= 0; i-- {
			if got := q.pop(); got != want[i]+1 {
				t.Fatalf("popped %d, expected %d", got, want[i]+1)
			}
		}
	}
}

// dump is everything that the results decide.
func dump(g *Graph) string {
	var b []byte
	for i := range index(g.nodes.len()) {
		n := g.nodes.at(i)
		b = fmt.Appendf(b, "%v %d %d %v %v %v %v %d %06b\n",
			n.pos, n.h, n.p, n.outcome, n.table, n.priority, n.flags, n.order, g.cycles(i))
	}
	return string(fmt.Appendln(b, g.expanded, g.searched, g.visited))
}

// cycles are the moves of a node that are kept out, bit i for house i.
func (g *Graph) cycles(i index) (set uint8) {
	if !g.nodes.at(i).is(expanded) {
		return 0
	}
	var buf [oware.Houses]move
	for _, m := range g.moves(i, &buf) {
		if m.child == none {
			set |= 1 << m.house
		}
	}
	return set
}
