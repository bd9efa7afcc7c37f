package dropout

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/journal"
)

func config(n int) Config {
	return Config{Expansions: n, Omega: DefaultOmega, Limits: search.Limits{Depth: 3}}
}

func build(t testing.TB, cfg Config) *Graph {
	t.Helper()
	g, err := Build(context.Background(), cfg, newFakePool(1), nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func board(t testing.TB, r oware.Rules, s string) oware.Position {
	t.Helper()
	p, err := oware.ParseBoard(r, s)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// slow computes values and priorities from the definitions, by recursion over
// the moves of the positions.
type slow struct {
	g    *Graph
	done map[index]slowValue
	open map[index]bool
}

type slowValue struct {
	p        int
	epb, epo float64
}

func (s *slow) value(t *testing.T, i index) slowValue {
	if v, ok := s.done[i]; ok {
		return v
	}
	if s.open[i] {
		t.Fatalf("node %d is below itself", i)
	}
	s.open[i] = true
	defer delete(s.open, i)
	n := s.g.nodes[i]
	v := slowValue{p: int(n.h)}
	switch {
	case n.expanded:
		v = s.expanded(t, n)
	case n.final || n.chosen:
		v.epb, v.epo = math.Inf(1), math.Inf(1)
	}
	s.done[i] = v
	return v
}

func (s *slow) expanded(t *testing.T, n node) slowValue {
	best := math.MinInt
	var moves []slowValue // as the successors are, p as for the mover
	for m := range oware.Move(oware.Houses) {
		if !n.pos.IsLegal(m) {
			continue
		}
		child := n.pos.Play(m)
		var c slowValue
		if n.cycles>>m&1 != 0 {
			diff, _ := child.Repetition(2)
			c = slowValue{-100 * diff, math.Inf(1), math.Inf(1)}
		} else {
			i, ok := s.g.byKey[child.BookKey()]
			if !ok {
				t.Fatalf("successor %s of %s is missing", child, n.pos)
			}
			c = s.value(t, i)
			switch {
			case c.p > 10001:
				c.p = -(c.p - 1)
			case c.p < -10001:
				c.p = -(c.p + 1)
			default:
				c.p = -c.p
			}
		}
		moves = append(moves, c)
		best = max(best, c.p)
	}
	v := slowValue{best, math.Inf(1), math.Inf(1)}
	in24 := func(p int) float64 { return math.Max(-24, math.Min(24, float64(p)/100)) }
	for _, c := range moves {
		if c.p == best {
			v.epb = math.Min(v.epb, 1+c.epo)
		}
		v.epo = math.Min(v.epo, 1+(c.epb+s.g.omega*(in24(best)-in24(c.p))))
	}
	return v
}

// check compares a graph with the slow computation and looks at its structure.
func check(t *testing.T, g *Graph) {
	t.Helper()
	s := &slow{g, map[index]slowValue{}, map[index]bool{}}
	orders := map[int32]bool{}
	for i := range g.nodes {
		n := &g.nodes[i]
		want := s.value(t, index(i))
		if int(n.p) != want.p || n.priority != [roles]float64{want.epb, want.epo} {
			t.Fatalf("node %d %s: p %d, priorities %v: expected %+v", i, n.pos, n.p, n.priority, want)
		}
		if orders[n.order] || n.queued {
			t.Fatalf("node %d: order %d twice, or still queued", i, n.order)
		}
		orders[n.order] = true
		for _, p := range n.parents {
			if g.nodes[p].order >= n.order {
				t.Fatalf("order %d of node %d is not above that of its parent %d", n.order, i, p)
			}
		}
		for m := range oware.Move(oware.Houses) {
			if n.cycles>>m&1 != 0 && !above(g, g.byKey[n.pos.Play(m).BookKey()], index(i)) {
				t.Fatalf("node %d: move %d was kept out and closes no cycle", i, m)
			}
		}
	}
	if len(g.byKey) != len(g.nodes) {
		t.Fatalf("%d keys for %d nodes", len(g.byKey), len(g.nodes))
	}
}

// above tells whether a path leads from a to b.
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
		return slices.ContainsFunc(g.nodes[i].parents, up)
	}
	return up(b)
}

func TestPropagationAgreesWithFullRecomputation(t *testing.T) {
	for _, rules := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple} {
		for _, omega := range []float64{0, 0.7, 5} {
			cfg := config(400)
			cfg.Rules, cfg.Omega = rules, omega
			check(t, build(t, cfg))
		}
	}
	g := newGraph(1.5) // in small steps, chosen leaves included
	r := rand.New(rand.NewPCG(5, 5))
	b := &builder{cfg: Config{Batch: 3, Expansions: 1000, Sides: ForBoth, Root: oware.Start(oware.Abapa)},
		graph: g, pool: newFakePool(2), journal: new(journal.Journal[finished]), results: map[int64]found{}}
	if err := b.start(context.Background()); err != nil {
		t.Fatal(err)
	}
	for range 80 {
		leaves := b.choose()
		check(t, g)
		if r.IntN(4) == 0 { // as when the searches fail
			for _, leaf := range leaves {
				g.setChosen(leaf, false)
			}
		} else if err := b.expand(context.Background(), leaves); err != nil {
			t.Fatal(err)
		}
		check(t, g)
	}
}

// Positions with few seeds, played to the end of everything there is.
func TestCyclesAreKeptOut(t *testing.T) {
	cycles := 0
	for _, rules := range []oware.Rules{oware.Abapa, oware.Awari, oware.Simple} {
		for _, s := range []string{
			"1-0-0-0-0-0-1-0-0-0-0-0-23-23-S",
			"0-1-0-0-1-0-0-0-1-0-0-0-22-23-N",
			"2-0-0-0-1-0-0-0-1-0-0-1-22-21-S",
			"1-0-2-0-0-0-0-1-0-0-1-0-21-22-S",
		} {
			cfg := config(100_000)
			cfg.Rules, cfg.Root = rules, board(t, rules, s)
			g := build(t, cfg)
			check(t, g)
			if !g.Finished(oware.South) || !g.Finished(oware.North) {
				t.Errorf("%v %s: not finished after %d expansions", rules, s, g.expanded)
			}
			if st := g.Stats(); st.Expanded != g.expanded || st.Nodes != len(g.nodes) {
				t.Errorf("%v %s: %+v, %d expanded of %d nodes", rules, s, st, g.expanded, len(g.nodes))
			} else {
				cycles += st.Cycles
			}
		}
	}
	if cycles < 20 {
		t.Errorf("only %d moves closed a cycle: the test tests nothing", cycles)
	}
}

// A repetition is worth what the rules give, never a proven result.
func TestCycleValueIsHeuristic(t *testing.T) {
	p := board(t, oware.Abapa, "1-0-0-0-0-0-2-0-0-0-0-0-23-22-S")
	if v := cycleValue(p); v != 0 { // 24 : 24
		t.Errorf("abapa: %d, expected 0", v)
	}
	p = board(t, oware.Abapa, "3-0-0-0-0-0-0-0-0-0-0-0-23-22-S")
	if v := cycleValue(p); v != -400 { // 26 : 22 for the player to move
		t.Errorf("abapa: %d, expected -400", v)
	}
	for _, rules := range []oware.Rules{oware.Awari, oware.Simple} {
		p = board(t, rules, "3-0-0-0-0-0-0-0-0-0-0-0-23-22-S")
		if v := cycleValue(p); v != -100 { // 24.5 : 23.5
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
		if got := back(v); got != want {
			t.Errorf("%d: %d, expected %d", v, got, want)
		}
	}
}

// fixed makes a graph of the start position with the given values of its six
// successors, seen by North, all expanded or not.
func fixed(values [6]int32) *Graph {
	g := newGraph(2)
	root := oware.Start(oware.Abapa)
	g.add(root.BookKey(), root, found{})
	results := map[int64]found{}
	for m, v := range values {
		results[root.Play(oware.Move(m)).BookKey()] = found{score: v}
	}
	g.expand(0, results)
	return g
}

// By hand: North's values 100, 50, 50, 300, 20, 50; for South the best move is
// E (-20), A is 0.8 seeds worse.
func TestPrioritiesByHand(t *testing.T) {
	g := fixed([6]int32{100, 50, 50, 300, 20, 50})
	if n := g.nodes[0]; n.p != -20 || n.priority != [roles]float64{1, 1} {
		t.Errorf("root: p %d, %v", n.p, n.priority)
	}
	leaf, ok := g.choose(oware.South)
	if !ok || leaf != g.nodes[0].children[4] {
		t.Errorf("chose node %d, expected E", leaf)
	}
	g.setChosen(leaf, true)
	// South as book player has no other best move. As the opponent he has B,
	// 0.3 seeds worse than E: 1 + 2*0.3.
	if n := g.nodes[0]; n.priority[bookPlayer] != math.Inf(1) || math.Abs(n.priority[opponent]-1.6) > 1e-12 {
		t.Errorf("root: %v", n.priority)
	}
	if _, ok := g.choose(oware.South); ok {
		t.Error("found something to expand for South")
	}
	if leaf, ok := g.choose(oware.North); !ok || leaf != g.nodes[0].children[1] {
		t.Errorf("chose node %d for North's book, expected B", leaf)
	}
}

// A proven reply counts as 24 seeds worse, not as 200.
func TestLossIsAtMost48Seeds(t *testing.T) {
	g := fixed([6]int32{-search.Win + 1, search.Win - 1, 0, 0, 0, 0})
	var buf [oware.Houses]edge
	for _, e := range g.edges(0, &buf) {
		want := 48.0 // +24 for A, which is the best, -24 for B
		switch e.move {
		case 0:
			want = 0
		case 2, 3, 4, 5:
			want = 24
		}
		if u := g.urgency(e, g.nodes[0].p, opponent); u != 2*want {
			t.Errorf("move %d: %v, expected %v", e.move, u, 2*want)
		}
	}
}

// The path of the descent adds up to the priority of the root, and the book's
// player makes best moves only.
func TestDescentFollowsTheMinima(t *testing.T) {
	cfg := config(500)
	g := build(t, cfg)
	for _, side := range []oware.Side{oware.South, oware.North} {
		leaf, ok := g.choose(side)
		if !ok || g.nodes[leaf].expanded || g.nodes[leaf].final {
			t.Fatalf("%v: node %d, %v", side, leaf, ok)
		}
		if got, want := g.slowest(t, 0, leaf, side), g.nodes[0].priority[g.rootRole(side)]; math.Abs(got-want) > 1e-9 {
			t.Errorf("%v: cost of the leaf %v, priority of the root %v", side, got, want)
		}
	}
}

// slowest is the least cost over all paths from i to leaf that the book of a
// side allows.
func (g *Graph) slowest(t *testing.T, i, leaf index, side oware.Side) float64 {
	if i == leaf {
		return 0
	}
	least := math.Inf(1)
	if n := &g.nodes[i]; n.expanded {
		var buf [oware.Houses]edge
		for _, e := range g.edges(i, &buf) {
			switch {
			case e.child < 0:
			case n.pos.ToMove() != side:
				least = min(least, 1+g.slowest(t, e.child, leaf, side)+g.omega*(seeds(n.p)-seeds(e.value)))
			case e.value == n.p:
				least = min(least, 1+g.slowest(t, e.child, leaf, side))
			}
		}
	}
	return least
}

func TestProvenLeavesAreNeverExpanded(t *testing.T) {
	cfg := config(3000)
	cfg.Root = board(t, oware.Abapa, "0-2-0-1-0-1-0-1-0-0-1-0-21-21-S")
	g := build(t, cfg)
	proven := 0
	for i := range g.nodes {
		if n := &g.nodes[i]; n.final {
			proven++
			if n.expanded || n.chosen {
				t.Errorf("%s is proven and expanded", n.pos)
			}
		} else if _, over := n.pos.Terminal(); over {
			t.Errorf("%s ends the game and is not proven", n.pos)
		}
	}
	if proven < 30 {
		t.Errorf("only %d proven leaves", proven)
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
	for i := range g.nodes {
		n := &g.nodes[i]
		b = fmt.Appendf(b, "%v %d %d %d %d %v %v %v %06b %v\n",
			n.pos, n.h, n.p, n.depth, n.searched, n.priority, n.expanded, n.final, n.cycles, n.children)
	}
	return string(b)
}

func BenchmarkBuild(b *testing.B) {
	for _, n := range []int{20_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			nodes := 0
			for b.Loop() {
				pool := &fakePool{seen: map[int64]bool{}, noise: 300}
				g, err := Build(context.Background(), config(n/4), pool, nil)
				if err != nil {
					b.Fatal(err)
				}
				nodes = len(g.nodes)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(nodes), "ns/node")
			b.ReportMetric(float64(nodes), "nodes")
		})
	}
}
