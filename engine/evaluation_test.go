package engine

import (
	"errors"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/engine/search"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	tictactoefeatures "kroo/features/tictactoe"
	"kroo/games"
	"kroo/games/gametest"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	"kroo/internal/testkit"
)

// bookOf is a book of some positions.
type bookOf map[oware.Position][]BookMove

func (b bookOf) Moves(p oware.Position) []BookMove { return b[p] }
func (b bookOf) Rules() string                     { return "abapa" }
func (b bookOf) Len() int                          { return len(b) }
func (b bookOf) Checksum() string                  { return "1234abcd" }

// valued returns the moves from the left with their values.
func valued(points ...int) (list []BookMove) {
	for i, v := range points {
		list = append(list, BookMove{games.Move(i), v})
	}
	return list
}

func TestMovesWithinThePolicy(t *testing.T) {
	for _, c := range []struct {
		policy BookPolicy
		points []int
		want   []games.Move
	}{
		{BookPolicy{}, []int{-72, -34, -20, -37, -35, 5}, []games.Move{5}},
		{BookPolicy{}, []int{3, 5, 5}, []games.Move{1, 2}},
		{PolicyOfPoints(42, ""), []int{-72, -34, -20, -37, -38, 5}, []games.Move{1, 2, 3, 5}},
		{PolicyOfPoints(42, Weighted), []int{-72, -34, -20, -37, -38, 5}, []games.Move{1, 2, 3, 5}},
		{PolicyOfPoints(42, Guarded), []int{-72, -34, -20, -37, -38, 5}, []games.Move{1, 2, 3, 5}},
		{PolicyOfPoints(42, Guarded), []int{-41, -42, -43, -10}, []games.Move{0, 3}}, // above max(-52, -42)
		{PolicyOfPoints(42, Even), []int{-41, -42, -52, -53, -10}, []games.Move{0, 1, 2, 4}},
		{PolicyOfPoints(42, Guarded), []int{-60, -61, -60}, []games.Move{0, 2}}, // the best stay
		{PolicyOfPoints(152, Guarded), []int{-151, -152, -10}, []games.Move{0, 2}},
		{PolicyOfPoints(42, Guarded), []int{0, -42, -43}, []games.Move{0, 1}},
	} {
		list, weights := c.policy.playable(valued(c.points...))
		var got []games.Move
		for i, m := range list {
			got = append(got, m.Move)
			if want := 1; c.policy.Variety != Weighted && weights[i] != want {
				t.Errorf("%+v: weight %d", c.policy, weights[i])
			}
		}
		testkit.EqualSlices(t, got, c.want, "%+v, %v", c.policy, c.points)
	}
}

// Draws follow the weights: with a margin of 9 the best counts 10, a move 5 points
// worse 5.
func TestWeightedVarietyPrefersBetterMoves(t *testing.T) {
	p := oware.Start(oware.Abapa)
	b := bookOf{p: valued(5, 10, 0)}
	for variety, share := range map[Variety]float64{Weighted: 10.0 / 15, Even: 0.5, "": 0.5} {
		random := rand.New(rand.NewPCG(1, 1))
		counts := map[games.Move]int{}
		const n = 6000
		for range n {
			pick, found, err := pickMove(b, nil, PolicyOfPoints(9, variety), p, nil, random)
			if err != nil || !found || !slices.Equal(pick.From, []games.Move{0, 1}) {
				t.Fatal(pick, found, err)
			}
			counts[pick.Move]++
		}
		if got := float64(counts[1]) / n; math.Abs(got-share) > 0.03 {
			t.Errorf("%q: the best is played in a share of %.3f, want %.3f", variety, got, share)
		}
	}
}

func TestPickExpectsTheBooksReply(t *testing.T) {
	p := oware.Start(oware.Abapa)
	next := p.Play(5)
	b := bookOf{p: {{5, 3}}, next: valued(-3, -9, -3)}
	if pick, _, _ := pickMove(b, nil, BookPolicy{}, p, nil, nil); !pick.Reply || pick.Ponder != 0 {
		t.Errorf("%+v", pick)
	}
	if pick, found, _ := pickMove(b, nil, BookPolicy{}, p, []oware.Position{next.Play(0)}, nil); !found || pick.Reply {
		t.Errorf("a reply that repeats a position: %+v", pick)
	}
	b[next] = []BookMove{{9, 1}}
	if pick, found, _ := pickMove(b, nil, BookPolicy{}, p, nil, nil); !found || pick.Reply {
		t.Errorf("an illegal reply: %+v", pick)
	}
	delete(b, next)
	if pick, found, _ := pickMove(b, nil, BookPolicy{}, p, nil, nil); !found || pick.Reply {
		t.Errorf("no reply: %+v", pick)
	}
}

func TestIllegalBookMovesAreNotPlayed(t *testing.T) {
	p := oware.Start(oware.Abapa).Play(5) // F is empty afterwards; play it again two plies later
	p = p.Play(0)
	if p.IsLegal(5) {
		t.Fatal("another position is needed")
	}
	if pick, found, err := pickMove(bookOf{p: valued(0, 0, 0, 0, 0, 1)}, nil, BookPolicy{}, p, nil, nil); found || !errors.Is(err, errBookWrong) || pick.Move != 5 {
		t.Errorf("%+v %t %v", pick, found, err)
	}
}

func TestBooksAreNotUsedAtARepetition(t *testing.T) {
	p := oware.Start(oware.Abapa)
	b := bookOf{p: valued(4, 4, 1)}
	for name, c := range map[string]struct {
		history []oware.Position
		found   bool
	}{
		"no history":             {nil, true},
		"the position":           {[]oware.Position{p}, false},
		"after the second best":  {[]oware.Position{p.Play(1)}, false},
		"after a move not drawn": {[]oware.Position{p.Play(2)}, true},
	} {
		if pick, found, err := pickMove(b, nil, BookPolicy{}, p, c.history, nil); err != nil || found != c.found {
			t.Errorf("%s: %+v %t %v", name, pick, found, err)
		}
	}
}

// tablesOf are bounds of some positions.
type tablesOf map[oware.Position][2]int

func (k tablesOf) Final(p oware.Position) (low, high int, ok bool) {
	b, ok := k[p]
	return b[0], b[1], ok
}

func TestPickSkipsMovesRefutedByTables(t *testing.T) {
	// F captures two; E captures nothing, and then the reply f captures.
	p := testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-1-1-1-2-0-0-1-6-18-18-S"))(t)
	b := bookOf{p: {{4, 10}, {5, 12}}}
	quiet, capture := p.Play(4), p.Play(5)
	var reply oware.Position
	for _, m := range quiet.AppendMoves(nil) {
		if q := quiet.Play(m); q.Progress() > quiet.Progress() {
			reply = q
		}
	}
	if capture.Progress() == p.Progress() || quiet.Progress() > p.Progress() || reply == (oware.Position{}) {
		t.Fatal("another position is needed")
	}
	for name, c := range map[string]struct {
		tables search.Prober[oware.Position]
		margin int
		want   []games.Move
	}{
		"no tables":            {nil, 5, []games.Move{4, 5}},
		"the capture loses":    {tablesOf{capture: {1, 3}}, 5, []games.Move{4}},
		"no other in reach":    {tablesOf{capture: {1, 3}}, 0, nil},
		"the capture may lose": {tablesOf{capture: {0, 3}}, 5, []games.Move{4, 5}},
		"the reply wins":       {tablesOf{reply: {-4, -2}}, 5, []games.Move{5}},
		"the reply may win":    {tablesOf{reply: {-4, 0}}, 5, []games.Move{4, 5}},
		"both lose":            {tablesOf{reply: {-4, -2}, capture: {2, 4}}, 5, nil},
		"a quiet move":         {tablesOf{quiet: {1, 3}}, 5, []games.Move{4, 5}},
	} {
		random := rand.New(rand.NewPCG(1, 1))
		pick, found, err := pickMove(b, c.tables, PolicyOfPoints(c.margin, ""), p, nil, random)
		if err != nil || found != (c.want != nil) || !slices.Equal(pick.From, c.want) && found {
			t.Errorf("%s: %+v %t %v, want one of %v", name, pick, found, err, c.want)
		}
	}
}

func TestInvalidPoliciesAreRejected(t *testing.T) {
	for policy, good := range map[BookPolicy]bool{
		{}: true, PolicyOfPoints(42, Guarded): true, PolicyOfPoints(MaxBookMargin, ""): true,
		{Loss: -1}: false, {Loss: 24.1}: false, {Variety: "often"}: false,
	} {
		if err := policy.Check(); (err == nil) != good {
			t.Errorf("%+v: %v", policy, err)
		}
	}
}

func TestDefaultBookIsOpenedByName(t *testing.T) {
	c := Config{Depth: 1, HashMB: 1, Tables: NoTables}
	e := testkit.Must(Open(t.Context(), Oware(), Spec{Weights: CapturesName, Book: DefaultName, Search: c}, "abapa"))(t)
	defer e.Close()
	p := Player[oware.Position]{Engine: e}
	if c, err := p.Move(t.Context(), e.Kit.Game.NewLine(oware.Start(oware.Abapa)), p.Limits(), search.Query{}); err != nil || !c.Book || c.Move != 5 || e.BookName() == "" {
		t.Errorf("%+v %q %v", c, e.BookName(), err)
	}
	if _, err := Open(t.Context(), Oware(), Spec{Weights: CapturesName, Book: DefaultName, Search: c}, "simple"); err == nil {
		t.Error("there is a default book for simple")
	}
	for _, none := range []string{"", NoBook} {
		if e, err := Open(t.Context(), Oware(), Spec{Weights: CapturesName, Book: none, Search: c}, "awari"); err != nil || e.Book != nil || e.BookName() != "" {
			t.Errorf("%q: %v", none, err)
		}
	}
}

func randomBoards(t *testing.T, n int) []oware.Position {
	return gametest.RandomPositions(t, oware.Descriptor(), rand.New(rand.NewPCG(1, 7)), "abapa", n)
}

// thesisFile saves weights of the thesis's four features.
func thesisFile(t *testing.T) (string, *owarefeatures.Model) {
	t.Helper()
	w, _ := owarefeatures.FindPublished("thesis4")
	path := filepath.Join(t.TempDir(), "w.json")
	testkit.NoError(t, w.Save(path))
	return path, w
}

func TestNamedEvaluationsOfOware(t *testing.T) {
	k := Oware()
	for _, name := range k.Names {
		e, err := k.Evaluation(name, "abapa")
		if err != nil || e.Known != name || e.File != "" {
			t.Fatalf("%s: known as %q, file %q, error %v", name, e.Known, e.File, err)
		}
		if name == DefaultName {
			continue
		}
		if rules, ok := strings.CutPrefix(name, DefaultName+"-"); ok {
			if same, err := k.Evaluation(DefaultName, rules); err != nil || same.Name != e.Name || e.CheckRules(rules) != nil || e.CheckRules("abapa") == nil {
				t.Errorf("%s is %s for %s, default there %s; error %v", name, e.Name, e.Rules, same.Name, err)
			}
			continue
		}
		if !strings.HasPrefix(e.Name, name) || !e.Antisymmetric || e.CheckRules("abapa") != nil {
			t.Errorf("%s: %+v", name, e)
		}
		m, ok := owarefeatures.FindByName(name)
		if !ok {
			t.Fatal(name)
		}
		for _, p := range randomBoards(t, 300) {
			want := 2.4 * m.Exact(p)
			if got := float64(e.Evaluate(p)); got < want-0.6 || got > want+0.6 {
				t.Fatalf("%s %v: %g: want %g", name, p, got, want)
			}
		}
	}
	if e, _ := k.Evaluation("captures", "awari"); e.CheckRules("awari") != nil {
		t.Error("captures do not serve awari")
	}
	if e, _ := k.Evaluation("thesis4", "awari"); e.CheckRules("awari") == nil {
		t.Error("published weights for abapa serve awari")
	}
}

func TestTheDefaultIsTheChampionOrCaptures(t *testing.T) {
	for _, rules := range []string{"abapa", "awari", "simple"} {
		champion := testkit.Must(owarefeatures.Default(rules))(t)
		for _, name := range []string{"", DefaultName} {
			e := testkit.Must(Oware().Evaluation(name, rules))(t)
			want := CapturesName
			if champion != nil {
				want = DefaultName + " " + champion.Hash()
			}
			if e.Name != want || e.CheckRules(rules) != nil {
				t.Errorf("%s %q: %s for %s: want %s", rules, name, e.Name, e.Rules, want)
			}
		}
	}
}

func TestWeightsFilesOfEveryKindAreLoaded(t *testing.T) {
	m, _ := owarefeatures.FindByName("thesis4")
	m.Provenance.Name = ""
	c := testkit.Must(owarefeatures.Compile(m))(t)
	dir := t.TempDir()
	model, compiled := filepath.Join(dir, "w.model"), filepath.Join(dir, "w.weights")
	kept := &features.Model[oware.Position]{Rules: m.Rules, Set: m.Set, Weights: m.Weights, Provenance: m.Provenance}
	if _, err := owarefeatures.Sets.Patterns.Keep(kept, compiled, model); err != nil {
		t.Fatal(err)
	}
	json, w := thesisFile(t)
	for path, name := range map[string]string{model: "weights " + c.Hash(), compiled: "weights " + c.Hash(), json: "weights " + w.Hash()} {
		e := testkit.Must(Oware().Evaluation(path, "abapa"))(t)
		if e.Name != name || e.File != path || e.Known != "" || e.Rules != "abapa" {
			t.Errorf("%s: %+v: want %s", path, e, name)
		}
		for _, p := range randomBoards(t, 300) {
			want := 2.4 * w.Exact(p)
			if got := float64(e.Evaluate(p)); got < want-0.6 || got > want+0.6 {
				t.Fatalf("%s %v: %g: want %g", path, p, got, want)
			}
		}
	}
}

func TestUnknownEvaluationsAreRejected(t *testing.T) {
	dir := t.TempDir()
	broken := filepath.Join(dir, "broken.weights")
	testkit.NoError(t, os.WriteFile(broken, []byte(features.PackedMagic+"and no more"), 0o644))
	short := filepath.Join(dir, "short.json")
	testkit.NoError(t, os.WriteFile(short, []byte("{"), 0o644))
	for _, path := range []string{broken, short} {
		_, err := Oware().Evaluation(path, "abapa")
		testkit.ErrorContains(t, err, path)
	}
	_, err := Oware().Evaluation("thesis5", "abapa")
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "quick4") {
		t.Errorf("error %v: want one that lists the names", err)
	}
}

func TestFittedWeightsOfTicTacToeAreLoaded(t *testing.T) {
	w := testkit.Must(features.New("tictactoe", "standard", tictactoefeatures.Sets.All[0].Info, tictactoefeatures.Sets.All[0].Names(), []float64{40, 300}))(t)
	path := filepath.Join(t.TempDir(), "w.json")
	testkit.NoError(t, w.Save(path))
	e, err := TicTacToe().Evaluation(path, "standard")
	if err != nil || e.File != path || e.Name != "weights "+w.Hash() {
		t.Fatalf("%+v, %v", e, err)
	}
	p := testkit.Must(tictactoe.ParseBoard("X...O...."))(t)
	if got := e.Evaluate(p); got != -4 { // X to move: two lines with a stone against three
		t.Errorf("%d hundredths of a win: want -4", got)
	}
	for _, name := range []string{"", "level", "default"} {
		if e, err := TicTacToe().Evaluation(name, "standard"); err != nil || e.Name != "level" || e.Evaluate(p) != 0 {
			t.Errorf("%q: %+v, %v", name, e, err)
		}
	}
	other, _ := thesisFile(t)
	for name, want := range map[string]string{"captures": "expected level", other: "weights for oware: expected weights for tictactoe"} {
		_, err := TicTacToe().Evaluation(name, "standard")
		testkit.ErrorContains(t, err, want)
	}
}

// withInPlay is a random position with n seeds in play.
func withInPlay(t *testing.T, n int) oware.Position {
	t.Helper()
	rng := rand.New(rand.NewPCG(uint64(n), 0))
	for range 1_000_000 {
		p := testkit.Must(oware.Descriptor().Random(rng, oware.Abapa.String()))(t)
		if p.SeedsInPlay() == n {
			return p
		}
	}
	t.Fatalf("no position with %d seeds in play", n)
	return oware.Position{}
}

// prospects are those of the program's own weights.
func prospects(t *testing.T, p oware.Position, score int) Prospects {
	t.Helper()
	e := testkit.Must(Oware().Evaluation("", oware.Abapa.String()))(t)
	s, ok := Oware().Prospects(e, p, score)
	if !ok {
		t.Fatal("the program's own weights are not calibrated")
	}
	return s
}

// Fitted weights without a calibration have the chances of the program's own weights, and say so; captured
// seeds alone have none.
func TestWeightsWithoutACalibrationBorrowOne(t *testing.T) {
	path, _ := thesisFile(t)
	own := testkit.Must(Oware().Evaluation("", oware.Abapa.String()))(t)
	fitted := testkit.Must(Oware().Evaluation(path, oware.Abapa.String()))(t)
	p := withInPlay(t, 30)
	got, ok := Oware().Prospects(fitted, p, 300)
	if want := prospects(t, p, 300); !ok || got != want {
		t.Errorf("%+v, %t: want %+v", got, ok, want)
	}
	if c, borrowed := Oware().CalibrationOf(fitted); c == nil || !borrowed {
		t.Errorf("weights without a calibration: %v, borrowed %t", c, borrowed)
	}
	if c, borrowed := Oware().CalibrationOf(own); c == nil || borrowed {
		t.Errorf("the program's own weights: %v, borrowed %t", c, borrowed)
	}
	if c, borrowed := Oware().CalibrationOf(Captures()); c != nil || borrowed {
		t.Errorf("captured seeds: %v, borrowed %t", c, borrowed)
	}
	if _, ok := TicTacToe().Prospects(Evaluation[tictactoe.Position]{Rules: "standard"}, tictactoe.Position{}, 1); ok {
		t.Error("tic-tac-toe has chances")
	}
}

func TestChancesAddUp(t *testing.T) {
	for _, n := range []int{20, 30, 40} {
		p := withInPlay(t, n)
		for _, score := range []int{-20000, -9000, -500, 0, 7, 500, 9000, 19_990} {
			s, other := prospects(t, p, score), prospects(t, p, -score)
			if s.Win+s.Draw+s.Loss != 1000 || min(s.Win, s.Draw, s.Loss) < 0 || other != (Prospects{s.Loss, s.Draw, s.Win, -s.Margin}) {
				t.Errorf("%d in play, %d: %+v, other side %+v", n, score, s, other)
			}
		}
	}
	if s := prospects(t, withInPlay(t, 40), 19_990); s.Win != 1000 {
		t.Errorf("a proven win: %+v", s)
	}
}

func TestALeadIsLostMoreRarelyWithFewerSeedsInPlay(t *testing.T) {
	few, many := withInPlay(t, 20), withInPlay(t, 46)
	for _, score := range []int{100, 300, 600} {
		a, b := prospects(t, few, score), prospects(t, many, score)
		if a.Loss >= b.Loss && b.Loss > 0 || b.Loss > 300 || a.Margin >= b.Margin {
			t.Errorf("%d ahead: %+v with 20 in play, %+v with 46", score, a, b)
		}
	}
	if a, b := prospects(t, few, 0), prospects(t, many, 0); b.Draw >= a.Draw {
		t.Errorf("level: %+v with 46 in play, %+v with 20", b, a)
	}
}

func TestNoProspectsWithoutCalibration(t *testing.T) {
	if s, ok := Oware().Prospects(Captures(), oware.Start(oware.Abapa), 100); ok {
		t.Errorf("%+v of captures alone", s)
	}
}

func TestPoints(t *testing.T) {
	for _, tt := range []struct{ score, want int }{
		{0, 0}, {1, 0}, {2, 1}, {-1, 0}, {-2, -1}, // 10/24 of a centi-seed
		{100, 42}, {-100, -42}, // a seed: 41.67
		{6, 3}, {-6, -3}, // 2.5 goes away from zero
		{2400, 1000}, {-2400, -1000}, {4800, 1000}, {search.MaxHeuristic, 1000}, {-search.MaxHeuristic, -1000},
		{search.Win - 300, 1000}, {300 - search.Win, -1000}, {search.Win, 1000}, {-search.Win, -1000},
	} {
		testkit.Equal(t, Points(oware.Descriptor().Info, tt.score), tt.want, "Points(%d)", tt.score)
	}
}
