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
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

// job is a request with the source of its searches.
type job struct {
	Request
	source
}

func config(n int) job {
	return job{
		Request{BookConfig: BookConfig{Expansions: n, Sides: string(book.ForBoth), Omega: thesisOmega, Width: 8}, Root: oware.Start(oware.Abapa)},
		source{limits: search.Limits{Depth: 3}, engine: "fake", pool: newFakePool(1)},
	}
}

// expand expands a graph under the rules of the root.
func (j job) expand(ctx context.Context, progress parallel.Progress) (*graph, Reason, error) {
	j.rules = j.Root.Rules()
	return expand(ctx, j.Request, j.source, progress)
}

// by expands a graph with a pool.
func (j job) by(pool engine.Pool[oware.Position]) (*graph, Reason, error) {
	j.pool = pool
	return j.expand(context.Background(), nil)
}

func build(t testing.TB, j job) *graph {
	t.Helper()
	g, _, err := j.by(newFakePool(1))
	testkit.NoError(t, err)
	return g
}

// begin returns an expansion that has its root, and no log.
func (j job) begin(t testing.TB) *expansion {
	t.Helper()
	j.rules = j.Root.Rules()
	x := testkit.Must(newExpansion(j.Request, j.source, nil))(t)
	pool := newFakePool(1)
	x.submit = func(j engine.Job[oware.Position]) error {
		a, err := pool.answer(j.Position)
		return errors.Join(err, x.take(finished{j.Position, a})) // at once: leaves are given back with searches nobody waits for
	}
	testkit.NoError(t, x.addRoot(context.Background()))
	return x
}

func board(t testing.TB, r oware.Rules, s string) oware.Position {
	t.Helper()
	return testkit.Must(oware.ParseBoard(r, s))(t)
}

// slow computes values and priorities from the definitions, by recursion over
// the moves of the positions.
type slow struct {
	g    *graph
	cfg  job
	done map[oware.Position]slowValue
	open map[oware.Position]bool
}

type slowValue struct {
	p         int
	low, high int // proven: -1 a loss, 0 a draw, 1 a win
	epb, epo  int // in parts of a ply
}

func newSlow(g *graph, cfg job) *slow {
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
	n := s.g.node(pos)
	if n == nil {
		t.Fatalf("%s is missing", pos)
	}
	h, proven := s.leaf(n)
	v := slowValue{p: h, low: -1, high: 1}
	switch {
	case n.isExpanded():
		v = s.expanded(t, n)
	case proven && h > 0:
		v.low = 1
	case proven && h < 0:
		v.high = -1
	case proven:
		v.low, v.high = 0, 0
	}
	if v.low == v.high || !n.isExpanded() && !n.isFree() {
		v.epb, v.epo = math.MaxInt32, math.MaxInt32
	}
	s.done[pos] = v
	return v
}

// leaf is the result of the rules, or of the search of a position as far as the test can repeat it.
func (s *slow) leaf(n *node) (h int, proven bool) {
	diff, over := n.pos.Terminal()
	pool, fake := s.cfg.pool.(*fakePool)
	switch {
	case over:
		return search.Win * cmp.Compare(diff, 0), true
	case fake:
		a := pool.search(n.pos)
		return a.Steady, a.Proven
	}
	return int(n.p), n.outcome.isDecided()
}

// move is the value of a move for the player who makes it.
func (s *slow) move(t *testing.T, n *node, m oware.Move, cycle bool) slowValue {
	child := n.pos.Play(m)
	if cycle {
		diff, _ := child.Repetition(2)
		return slowValue{p: -100 * diff, low: -1, high: 1, epb: math.MaxInt32, epo: math.MaxInt32}
	}
	c := s.value(t, child)
	if s.cfg.prober != nil && n.pos.Gain(m) > 0 {
		if low, high, ok := s.cfg.prober.Final(child); ok {
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
	for k, m := range n.pos.AppendMoves(nil) {
		c := s.move(t, n, m, s.g.to(n, k) == 0)
		moves = append(moves, c)
		v.p, v.low, v.high = max(v.p, c.p), max(v.low, c.low), max(v.high, c.high)
	}
	for _, c := range moves {
		if c.p == v.p {
			v.epb = min(v.epb, c.epo)
		}
		v.epo = min(v.epo, c.epb+slowCost(s.cfg, slowLoss(v.p, c.p)))
	}
	v.epb, v.epo = min(v.epb+ply, math.MaxInt32), min(v.epo+ply, math.MaxInt32)
	return v
}

// slowLoss is how much worse a value is than the best, in centi-seeds.
func slowLoss(best, value int) int {
	in24 := func(p int) int { return max(-2400, min(2400, p)) }
	return in24(best) - in24(value)
}

// slowCost is what a loss of the opponent costs, in parts of a ply.
func slowCost(cfg job, loss int) int {
	return int(math.Round(cfg.Omega * 4096 / 100 * float64(loss)))
}

// check compares a graph with the slow computation and looks at its structure.
func check(t *testing.T, g *graph, cfg job) {
	t.Helper()
	s := newSlow(g, cfg)
	for i, n := range g.all() {
		want := s.value(t, n.pos)
		got := slowValue{int(n.p), int(n.outcome.low), int(n.outcome.high), int(n.priority[bookPlayer]), int(n.priority[opponent])}
		if got != want || i != g.find(n.pos) || n.queued {
			t.Fatalf("%s: %+v, expected %+v", n.pos, got, want)
		}
		if !n.isExpanded() {
			continue
		}
		for k, m := range n.pos.AppendMoves(nil) {
			child := g.find(n.pos.Play(m))
			switch c := g.to(n, k); {
			case c == 0 && !g.above(child, i):
				t.Fatalf("%s: move %d was kept out and closes no cycle", n.pos, m)
			case c != 0 && (c != child || !slices.Contains(slices.Collect(g.parents(g.nodes.at(c))), i)):
				t.Fatalf("%s: move %d leads to %s", n.pos, m, g.nodes.at(c).pos)
			}
		}
	}
}

// all yields the nodes.
func (g *graph) all() func(yield func(index, *node) bool) {
	return func(yield func(index, *node) bool) {
		for i := root; int(i) <= g.nodes.len && yield(i, g.nodes.at(i)); i++ {
		}
	}
}

// node returns the node of a position, or nil.
func (g *graph) node(pos oware.Position) *node {
	if i := g.find(pos); i != 0 {
		return g.nodes.at(i)
	}
	return nil
}

// to returns the node that move k of an expanded node leads to.
func (g *graph) to(n *node, k int) index { return g.edges.at(n.edges + index(k)).to }

// above reports whether a path leads from a to b.
func (g *graph) above(a, b index) bool {
	seen := map[index]bool{}
	var up func(index) bool
	up = func(i index) bool {
		if i == a || seen[i] {
			return i == a
		}
		seen[i] = true
		return slices.ContainsFunc(slices.Collect(g.parents(g.nodes.at(i))), up)
	}
	return up(b)
}

// bookRules are the rule sets that books can be for.
func bookRules() []oware.Rules {
	return slices.DeleteFunc(oware.RuleSets(), func(r oware.Rules) bool { return book.CheckRules(r) != nil })
}

// variants are configurations in which everything that priorities depend on
// occurs.
func variants(n int) (list []job) {
	few := "2-0-1-0-1-0-0-0-1-0-0-1-21-21-S"
	for _, rules := range bookRules() {
		for _, omega := range []float64{0, 0.7, 5} {
			cfg := config(n)
			cfg.Root, cfg.Omega = oware.Start(rules), omega
			list = append(list, cfg)
			cfg.prober = fakeTables{}
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
		x := cfg.begin(t)
		for range 60 {
			testkit.NoError(t, x.fill())
			check(t, x.graph, cfg)
			if len(x.flight) == 0 {
				break
			}
			if r.IntN(4) == 0 {
				x.landAll()
			} else {
				testkit.NoError(t, x.expandOldest(t.Context()))
			}
			check(t, x.graph, cfg)
		}
	}
}

// The next leaf is at the end of the mostUrgent line from the root, and the cost of that line is the
// priority of the root.
func TestNextLeafIsTheBruteForceArgmin(t *testing.T) {
	choices := 0
	for _, cfg := range variants(1000) {
		x := cfg.begin(t)
		for range 150 {
			for _, side := range []oware.Side{oware.South, oware.North} {
				least, leaves := mostUrgent(x.graph, cfg, side)
				leaf, _ := x.graph.nextLeaf(side)
				if (leaf != 0) != (len(leaves) > 0) || leaf != 0 && !slices.Contains(leaves, leaf) {
					t.Fatalf("chose %v: expected one of %v", leaf, leaves)
				}
				if leaf == 0 {
					continue
				}
				testkit.Equal(t, int(x.graph.nodes.at(root).priority[x.graph.rootRole(side)]), least, "priority of the root")
				choices++
			}
			testkit.NoError(t, x.fill())
			if len(x.flight) == 0 {
				break
			}
			testkit.NoError(t, x.expandOldest(t.Context()))
		}
	}
	if choices < 2000 {
		t.Errorf("only %d choices", choices)
	}
}

// mostUrgent relaxes the costs of all nodes from the root down until none changes, and returns the
// leaves that cost least in the book of a side.
func mostUrgent(g *graph, cfg job, side oware.Side) (least int, leaves []index) {
	cost := map[index]int{root: 0}
	for todo := []index{root}; len(todo) > 0; todo = todo[1:] {
		i, n := todo[0], g.nodes.at(todo[0])
		if n.outcome.isDecided() {
			continue
		}
		for _, m := range g.appendMoves(nil, n) {
			if m.child == 0 || m.outcome.isDecided() || n.pos.ToMove() == side && m.value != int32(n.p) {
				continue
			}
			total := cost[i] + ply
			if n.pos.ToMove() != side {
				total += slowCost(cfg, slowLoss(int(n.p), int(m.value)))
			}
			if old, there := cost[m.child]; !there || total < old {
				cost[m.child] = total
				todo = append(todo, m.child)
			}
		}
	}
	least = math.MaxInt
	for i, total := range cost {
		switch n := g.nodes.at(i); {
		case !n.isFree() || n.outcome.isDecided() || total > least:
		case total < least:
			least, leaves = total, []index{i}
		default:
			leaves = append(leaves, i)
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
			cfg.Root = board(t, rules, s)
			g := build(t, cfg)
			check(t, g, cfg)
			if !g.finished(oware.South) || !g.finished(oware.North) {
				t.Errorf("%v %s: not finished after %d expansions", rules, s, g.expanded)
			}
			cycles += g.summary("").Cycles
		}
	}
	if cycles < 20 {
		t.Errorf("only %d moves closed a cycle: the test tests nothing", cycles)
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

// By hand: North's values 100, 50, 50, 300, 20, 50; for South the best move is
// E (-20), A is 0.8 seeds worse.
func TestPrioritiesByHand(t *testing.T) {
	g, start := testkit.Must(newGraph(2, nil))(t), oware.Start(oware.Abapa)
	results := map[int64]found{}
	for m, v := range []int16{100, 50, 50, 300, 20, 50} {
		results[start.Play(oware.Move(m)).BookKey()] = found{score: v}
	}
	first := testkit.Must(g.add(start, results))(t)
	testkit.NoError(t, g.expand(first, results))
	if n := g.nodes.at(root); n.p != -20 || n.priority != [roles]int32{ply, ply} {
		t.Errorf("root: p %d, %v", n.p, n.priority)
	}
	leaf, line := g.nextLeaf(oware.South)
	testkit.EqualSlices(t, line, []oware.Move{4}, "the line for South's book")
	testkit.Equal(t, leaf, g.find(start.Play(4)), "the leaf")
	g.setChosen(leaf, true)
	// South as book player has no other best move. As the opponent South has B,
	// 0.3 seeds worse than E: 1 + 2*0.3.
	testkit.Equal(t, g.nodes.at(root).priority, [roles]int32{never, 6554}, "priority of the root")
	if leaf, _ := g.nextLeaf(oware.South); leaf != 0 {
		t.Error("found something to expand for South")
	}
	_, line = g.nextLeaf(oware.North)
	testkit.EqualSlices(t, line, []oware.Move{1}, "the line for North's book")
}

// A larger omega makes a narrower and deeper graph.
func TestOmegaTurnsBreadthIntoDepth(t *testing.T) {
	depth := func(omega float64) int {
		cfg := config(300)
		cfg.Omega = omega
		return build(t, cfg).summary("").MaxDepth
	}
	if broad, narrow := depth(0), depth(20); broad >= narrow {
		t.Errorf("depth %d with omega 0, %d with 20", broad, narrow)
	}
}

// dump is everything that the results decide.
func dump(g *graph) string {
	var lines []string
	for _, n := range g.all() {
		line := fmt.Sprintf("%v %d %v %v %v", n.pos, n.p, n.outcome, n.table, n.priority)
		for _, m := range g.appendMoves(nil, n) {
			line += fmt.Sprint(" ", m.child != 0)
		}
		lines = append(lines, line)
	}
	slices.Sort(lines)
	return fmt.Sprintln(lines, g.expanded, g.searched, g.visited)
}

// A proven reply counts as 24 seeds worse than a level one, not as 200.
func TestLossIsAtMost48Seeds(t *testing.T) {
	c := newCosts(2)
	for value, want := range map[int32]int32{19_999: 0, -19_999: 48, 0: 24, 2300: 1, 2400: 0} {
		moves := []move{{value: 19_999, behind: nothing}, {value: value}}
		if next, got := c.mostUrgent(moves, opponent); next != 1 || got != (1+2*want)*ply {
			t.Errorf("value %d: move %d, %d parts of a ply, expected %d", value, next, got, (1+2*want)*ply)
		}
	}
}
