package study

import (
	"context"
	"math"
	"reflect"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
	"kroo/report"
)

func somePositions(t *testing.T, n int) []oware.Position {
	t.Helper()
	return testkit.Must(positions(t.Context(), owareSubject(), Sample{Positions: n, Seed: 1}))(t)
}

// subject is a game as tests study it.
func subject[P search.Position[P]](kit engine.Kit[P]) Subject[P] {
	s, err := Of(kit)
	if err != nil {
		panic(err) // the plain evaluation of a game is its own
	}
	return s
}

func owareSubject() Subject[oware.Position] { return subject(engine.Oware()) }

func ticTacToe() Subject[tictactoe.Position] { return subject(engine.TicTacToe()) }

func discs() Subject[othello.Position] { return subject(engine.Othello()) }

func TestPositionsAreDifferentAndOfASeed(t *testing.T) {
	list := somePositions(t, 120)
	if !reflect.DeepEqual(list, somePositions(t, 120)) || !reflect.DeepEqual(list[:50], somePositions(t, 50)) {
		t.Error("the same seed gives other positions")
	}
	seen := map[int64]bool{}
	for _, p := range list {
		if _, over := p.Terminal(); over || seen[p.Orbit()] {
			t.Errorf("%s: over or there twice", p)
		}
		seen[p.Orbit()] = true
	}
}

func TestEveryOrderingAndTableFindsTheValue(t *testing.T) {
	const depth = 5
	s := owareSubject()
	for _, of := range s.trees(t.Context()) {
		for _, p := range somePositions(t, 60) {
			minimax := search.Textbook[oware.Position]{Eval: engine.Captures().Evaluator}
			want, _ := minimax.Search(t.Context(), p, nil, depth)
			testkit.Equal(t, of.fresh()(p, depth).score, want, "%s: %s finds", p, of.name)
		}
	}
}

func TestOrderings(t *testing.T) {
	// A captures 2 at a, B has one seed, C captures nothing and has three.
	p := testkit.Must(oware.ParseBoard(oware.Abapa, "6-1-3-0-0-0-1-4-4-4-4-4-9-8-S"))(t)
	for name, want := range map[string]string{"naive": "ABC", "defensive": "BAC", "attacking": "ABC", "combined": "ABC"} {
		for _, o := range owareSubject().orderings {
			if o.name != name {
				continue
			}
			moves := p.AppendMoves(nil)
			if o.order != nil {
				o.order(p, moves)
			}
			got := ""
			for _, m := range moves {
				got += oware.MoveName(m, oware.South)
			}
			testkit.Equal(t, got, want, "%s", name)
		}
	}
}

func TestStudiesDoNotDependOnWorkers(t *testing.T) {
	for workers := 1; workers <= 3; workers++ {
		o := testkit.Must(Orders(t.Context(), owareSubject(), OrdersConfig{Sample: Sample{Rules: "abapa", Positions: 30, Seed: 1, Workers: workers}, Depth: 5, FullDepth: 4}, nil))(t)
		if workers == 1 {
			checkOrders(t, o)
		}
		var got []OrderLine
		for _, l := range o.Lines {
			l.Seconds = 0
			got = append(got, l)
		}
		if workers == 1 {
			studied = got
		} else if !reflect.DeepEqual(got, studied) {
			t.Errorf("%d workers: %v, want %v", workers, got, studied)
		}
	}
}

var studied []OrderLine // by one worker

// checkOrders compares the trees with a count of the full one.
func checkOrders(t *testing.T, r *OrdersResult) {
	t.Helper()
	total := 0.0
	for _, p := range somePositions(t, 30) {
		total += float64(p.Perft(4))
	}
	const each = 8 // trees, without the full one
	if n := len(r.Lines); n != 4*(1+each)+each {
		t.Fatalf("%d lines", n)
	}
	b := math.Pow(total/30, 0.25)
	deepest := r.Lines[3*(1+each) : 4*(1+each)]
	full, minimal := deepest[0], deepest[1]
	if full.Depth != 4 || math.Abs(full.Leaves-total/30) > 1e-9 || math.Abs(full.Branching-b) > 1e-12 || math.Abs(minimal.Leaves-(2*b*b-1)) > 1e-9 || minimal.Minimal != 1 {
		t.Errorf("%+v, %+v: full tree %f, branching %f", full, minimal, total, b)
	}
	for _, tree := range deepest[2:] {
		if tree.Nodes <= minimal.Leaves/4 || tree.Nodes >= 3*full.Leaves || tree.Leaves >= tree.Nodes || tree.Seconds <= 0 {
			t.Errorf("%+v: want between the minimal and the full tree", tree)
		}
	}
	if last := r.Lines[4*(1+each)]; last.Tree != minimal.Tree || math.Abs(last.Branching-math.Pow(last.Leaves, 0.2)) > 1e-12 || math.Abs(last.Leaves-(b*b*b+b*b-1)) > 1e-9 {
		t.Errorf("%+v: want the minimal tree of branching %f", last, b)
	}
}

// Without pruning the leaves are those of the full tree, as long as no game ends.
func TestLeavesAreThePositionsEvaluated(t *testing.T) {
	evaluated := int64(0)
	s := owareSubject()
	s.eval.Evaluator = search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
		evaluated++
		return engine.Captures().Evaluate(p)
	})
	for _, p := range somePositions(t, 20) {
		a := s.trees(t.Context())[4].fresh()(p, 4) // combined
		if ends := a.leaves - evaluated; ends < 0 || a.leaves > p.Perft(4)+ends {
			t.Errorf("%s: %d leaves, %d evaluated of %d", p, a.leaves, evaluated, p.Perft(4))
		}
		evaluated = 0
	}
}

func TestAlgorithmsAgreeAndStopInTime(t *testing.T) {
	r := testkit.Must(Algorithms(t.Context(), owareSubject(), AlgorithmsConfig{Depth: 5, Budget: engine.Duration{Duration: time.Hour}, HashMB: 1}, nil))(t)
	for d := range 5 {
		for _, c := range r.Columns[1:3] { // of the same tree
			if c.Cells[d].Score != r.Columns[0].Cells[d].Score || c.Cells[d].Nodes > r.Columns[0].Cells[d].Nodes {
				t.Errorf("depth %d: %s %+v, minimax %+v", d+1, c.Name, c.Cells[d], r.Columns[0].Cells[d])
			}
		}
	}
	r.Columns[2].Cells[4].Score++
	testkit.ErrorContains(t, r.checkValues(), "depth 5: negascout")
	testkit.Equal(t, r.Columns[0].Cells[3].Nodes, 1+6+36+190+1014, "minimax to depth 4 visits")
	r, err := Algorithms(t.Context(), owareSubject(), AlgorithmsConfig{Rules: "abapa", Depth: 50, Budget: engine.Duration{Duration: 1}, HashMB: 1}, nil)
	if err != nil || len(r.Columns[0].Cells) > 3 {
		t.Errorf("with no time: %v, %+v", err, r)
	}
}

// Each published figure is for one game under one set of rules.
func TestPublishedFiguresOnlyUnderTheirRules(t *testing.T) {
	for rules, want := range map[string]struct{ waiting, others bool }{"simple-to-end": {true, false}, "abapa": {false, true}, "awari": {}} {
		a := testkit.Must(Algorithms(t.Context(), owareSubject(), AlgorithmsConfig{Rules: rules, Depth: 2, Budget: engine.Duration{Duration: time.Hour}, HashMB: 1}, nil))(t)
		if got := strings.Contains(strings.Join(tableOf(a)[0], " ")+notesOf(a), "(s published)"); got != want.waiting || !strings.Contains(notesOf(a), "hundredths of a seed") {
			t.Errorf("%s: published seconds %v in %v, %s", rules, got, tableOf(a)[0], notesOf(a))
		}
		b := testkit.Must(Orders(t.Context(), owareSubject(), OrdersConfig{Sample: Sample{Rules: rules, Positions: 3}, Depth: 2, FullDepth: 2}, nil))(t)
		testkit.Equal(t, strings.Contains(notesOf(b), "Sala Soler"), want.others, "%s: published figures", rules)
	}
	a, err := Algorithms(t.Context(), discs(), AlgorithmsConfig{Depth: 2, Budget: engine.Duration{Duration: time.Hour}, HashMB: 1}, nil)
	if err != nil || strings.Contains(notesOf(a), "seed") || !strings.Contains(notesOf(a), "rules 8x8") {
		t.Errorf("othello: %v, %s", err, notesOf(a))
	}
}

// Every algorithm finds that tic-tac-toe is drawn once it sees the end.
func TestTicTacToeIsDrawnByEverySearch(t *testing.T) {
	r := testkit.Must(Algorithms(t.Context(), ticTacToe(), AlgorithmsConfig{Rules: "standard", Depth: 12, Budget: engine.Duration{Duration: time.Hour}, HashMB: 1}, nil))(t)
	for _, c := range r.Columns {
		if last := c.Cells[len(c.Cells)-1]; len(c.Cells) < 9 || last.Score != 0 {
			t.Errorf("%s ends at %+v: want a draw, nine plies deep", c.Name, last)
		}
	}
	minimax := r.Columns[0].Cells
	// All positions below the start, by every order of moves, are 549946.
	if n := len(minimax); n != 10 || minimax[8].Nodes != 549946 || minimax[9].Nodes != 549946 {
		t.Errorf("minimax: %+v, want it to end where the tree does", minimax)
	}
}

func TestStudiesOfTicTacToe(t *testing.T) {
	s := ticTacToe()
	b, err := Orders(t.Context(), s, OrdersConfig{Sample: Sample{Rules: "standard", Positions: 10_000}, Depth: 3, FullDepth: 3}, nil)
	if err != nil || b.Positions < 20 || b.Positions > 765 {
		t.Errorf("%+v, error %v: want dozens of positions, of the 765 there are", b, err)
	}
	if strings.Contains(notesOf(b), "Sala Soler") {
		t.Error("the notes have the literature on oware")
	}
	_, err = Orders(t.Context(), s, OrdersConfig{Sample: Sample{Rules: "standard", Positions: 10}, Depth: 9, FullDepth: 9}, nil)
	testkit.ErrorContains(t, err, "smaller depth")
	if _, err := positions(t.Context(), s, Sample{Rules: "abapa", Positions: 1, Seed: 1}); err == nil {
		t.Error("tic-tac-toe under abapa rules")
	}
}

func TestResultsPrintAndDraw(t *testing.T) {
	a := testkit.Must(Algorithms(t.Context(), owareSubject(), AlgorithmsConfig{Rules: "abapa", Depth: 3, Budget: engine.Duration{Duration: time.Hour}, HashMB: 1}, nil))(t)
	orders := testkit.Must(Orders(t.Context(), owareSubject(), OrdersConfig{Sample: Sample{Rules: "abapa", Positions: 3}, Depth: 3, FullDepth: 2}, nil))(t)
	for _, r := range []Result{a, orders} {
		rows := tableOf(r)
		for _, row := range rows {
			testkit.Equal(t, len(row), len(rows[0]), "%T: a row of", r)
		}
		if f, err := chartOf(r).Draw(); err != nil || !strings.Contains(string(f.SVG), chartOf(r).Title) || strings.Contains(string(f.SVG), "no data") {
			t.Errorf("%T: %v", r, err)
		}
		if notesOf(r) == "" || len(rows) < 3 {
			t.Errorf("%T: %d rows", r, len(rows))
		}
	}
}

func TestStudiesStop(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Orders(ctx, owareSubject(), OrdersConfig{Sample: Sample{Rules: "abapa", Positions: 600}, Depth: 20}, nil); err == nil {
		t.Error("not stopped")
	}
}

// Each position before a move, as often as it comes up: the start of both games.
func TestRecordedGamesGiveTheirPositions(t *testing.T) {
	g := oware.Descriptor()
	records := testkit.Must(g.ParseRecords(strings.NewReader("[FEN \"4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\"]\n1. E b 2. D f *\n\n1. F f *\n"), "two.ogn"))(t)
	s := testkit.Must(owareSubject().WithRecords(records))(t)
	list, err := positions(t.Context(), s, Sample{Positions: 1})
	if err != nil || len(list) != 6 || list[0] != oware.Start(oware.Abapa) || list[4] != list[0] || list[5] != list[0].Play(5) {
		t.Errorf("%v, %v: want four positions and two", list, err)
	}
	_, err = positions(t.Context(), s, Sample{Rules: "awari"})
	testkit.ErrorContains(t, err, "under abapa rules")
	b, err := Orders(t.Context(), s, OrdersConfig{Depth: 2}, nil)
	if err != nil || b.Positions != 6 || !strings.Contains(notesOf(b), "6 positions of recorded games") {
		t.Errorf("%+v, %v", b, err)
	}
	if _, err := owareSubject().WithRecords(nil); err == nil {
		t.Error("no games: no error")
	}
}

// tableOf is the table of a result, its header first.
func tableOf(r Result) [][]string {
	t := r.Doc().Sections[0].Table
	return append([][]string{t.Header}, t.Rows...)
}

func chartOf(r Result) report.Chart { return r.Doc().Sections[0].Figures[0].(report.Chart) }

// notesOf is the text of a result, on one line.
func notesOf(r Result) string { return strings.Join(strings.Fields(r.Doc().Text("")), " ") }
