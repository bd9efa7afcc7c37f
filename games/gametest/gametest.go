// Package gametest has the tests that the description of every game must pass. Each game's
// package calls [Run] from a test, next to tests of its own. [RandomGame] and [RandomPositions]
// are helpers for the tests of all packages.
//
// Caveat: Run sees only positions of random games and of Game.Random.
package gametest

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"kroo/games"
)

// plies is the maximum length of a random game, more than any ply limit of the rules.
const plies = 210

// columns is the maximum width of a diagram: that of a narrow terminal.
const columns = 40

// Run tests the description of a game under each of its rule sets: names are valid; texts, keys,
// moves and records survive writing and reading; random positions are not final and depend only
// on the generator; errors are one short line.
func Run[P games.Position[P]](t *testing.T, g *games.Game[P]) {
	t.Run("Info", func(t *testing.T) { testInfo(t, g.Info) })
	t.Run("UnknownRules", func(t *testing.T) { testUnknownRules(t, g) })
	for _, rules := range g.Rules {
		t.Run(rules, func(t *testing.T) {
			t.Parallel()
			s := suite[P]{g, rules}
			t.Run("Start", s.start)
			t.Run("Random", s.random)
			t.Run("Games", s.games)
			t.Run("Refuses", s.refuses)
		})
	}
}

func testInfo(t *testing.T, i games.Info) {
	if i.Name == "" || i.Name != strings.ToLower(i.Name) || strings.ContainsAny(i.Name, " \t\n") {
		t.Errorf("name %q: want one lower-case word", i.Name)
	}
	for k, rules := range i.Rules {
		if rules == "" || rules != strings.ToLower(rules) || slices.Contains(i.Rules[:k], rules) {
			t.Errorf("rule set %q: want a lower-case name that appears once", rules)
		}
	}
	for name, text := range map[string]string{
		"Sides[0]": i.Sides[0], "Sides[1]": i.Sides[1], "Unit": i.Unit, "PhaseName": i.PhaseName,
		"BoardText": i.BoardText, "MoveText": i.MoveText, "Draws": i.Draws,
	} {
		if text == "" {
			t.Errorf("%s is empty", name)
		}
	}
	if len(i.Rules) == 0 || i.UnitsPerWin < 1 || i.MaxPhase < 1 || i.MaxMoves < 1 || i.Sides[0] == i.Sides[1] {
		t.Errorf("%+v: want rules, units, phases and two sides", i)
	}
}

func testUnknownRules[P games.Position[P]](t *testing.T, g *games.Game[P]) {
	start, err := g.Start(g.Rules[0])
	if err != nil {
		t.Fatal(err)
	}
	const unknown = "no such rules"
	_, errStart := g.Start(unknown)
	_, errParse := g.Parse(unknown, g.Print(start))
	_, errRandom := g.Random(generator(0), unknown)
	errs := map[string]error{
		"Start": errStart, "Parse": errParse, "Random": errRandom, "CheckRules": g.CheckRules(unknown),
	}
	if g.FromKey != nil {
		_, errs["FromKey"] = g.FromKey(unknown, 0)
	}
	for name, err := range errs {
		checkError(t, name, err)
	}
}

// suite is a game under one of its rule sets.
type suite[P games.Position[P]] struct {
	game  *games.Game[P]
	rules string
}

func generator(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 20)) }

func (s suite[P]) start(t *testing.T) {
	p, err := s.game.Start(s.rules)
	if err != nil {
		t.Fatal(err)
	}
	if s.game.SideToMove(p) != 0 {
		t.Errorf("side %d moves first", s.game.SideToMove(p))
	}
	if _, over := p.Terminal(); over {
		t.Error("the game is over")
	}
	s.position(t, p)
}

func (s suite[P]) random(t *testing.T) {
	one := generator(1)
	two := generator(1)
	other := generator(2)
	differ := false
	for range 300 {
		p, err := s.game.Random(one, s.rules)
		if err != nil {
			t.Fatal(err)
		}
		if _, over := p.Terminal(); over {
			t.Fatalf("%s: the game is over", s.game.Print(p))
		}
		if q, _ := s.game.Random(two, s.rules); q != p {
			t.Fatalf("the same seed gives %s and %s", s.game.Print(p), s.game.Print(q))
		}
		q, _ := s.game.Random(other, s.rules)
		differ = differ || p != q
		s.position(t, p)
	}
	if !differ {
		t.Error("another seed gives the same positions")
	}
}

// position tests the properties of every position.
func (s suite[P]) position(t *testing.T, p P) {
	s.identity(t, p)
	g, text := s.game, s.game.Print(p)
	if side := g.SideToMove(p); side != 0 && side != 1 {
		t.Fatalf("%s: side %d to move", text, side)
	}
	if phase := g.Phase(p); phase < 0 || phase > g.MaxPhase {
		t.Fatalf("%s: phase %d, want 0 to %d", text, phase, g.MaxPhase)
	}
	if d := g.Diagram(p); !strings.HasSuffix(d, "\n") || strings.TrimSpace(d) == "" {
		t.Fatalf("%s: drawn as %q, want lines", text, d)
	} else {
		for line := range strings.Lines(d) {
			if n := utf8.RuneCountInString(strings.TrimSuffix(line, "\n")); n > columns {
				t.Fatalf("%s: %q has %d characters, want at most %d", text, line, n, columns)
			}
		}
	}
	if _, over := p.Terminal(); !over {
		s.moves(t, p)
	} else if r := g.EndReason(p); r == "" || r == games.Repeated || r == games.NoProgress || r == games.PlyLimit {
		t.Fatalf("%s: over for the reason %q", text, r)
	}
}

// identity tests that text and rules, or the key, determine the position.
func (s suite[P]) identity(t *testing.T, p P) {
	g, text := s.game, s.game.Print(p)
	if q, err := g.Parse(s.rules, text); err != nil || q != p {
		t.Fatalf("%s: read as %s, error %v", text, g.Print(q), err)
	}
	if strings.ContainsAny(text, "\n\"\\") || strings.TrimSpace(text) != text {
		t.Fatalf("%q: want a text that fits on a line and into a tag", text)
	}
	if g.RulesOf(p) != s.rules {
		t.Fatalf("%s: rules %s, want %s", text, g.RulesOf(p), s.rules)
	}
	if g.Exchange != nil {
		q, r := g.Exchange(p), g.Pass(p)
		if g.Orbit(q) != g.Orbit(p) || g.SideToMove(q) == g.SideToMove(p) || g.Exchange(q) != p {
			t.Fatalf("%s: with the sides exchanged %s", text, g.Print(q))
		}
		if g.SideToMove(r) == g.SideToMove(p) || g.Phase(r) != g.Phase(p) || g.Pass(g.Pass(r)) != r {
			t.Fatalf("%s: with the other side to move %s", text, g.Print(r))
		}
	}
	if key, ok := g.Key(p); ok {
		if q, err := g.FromKey(s.rules, key); err != nil || q != p {
			t.Fatalf("%s: key %d is that of %s, error %v", text, key, g.Print(q), err)
		}
	}
}

// moves tests that the moves of a position have different names, which can be read alone and
// followed by other text.
func (s suite[P]) moves(t *testing.T, p P) {
	g, names := s.game, map[string]bool{}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 || len(moves) > g.MaxMoves {
		t.Fatalf("%s: %d moves in a game that is not over, want 1 to %d", g.Print(p), len(moves), g.MaxMoves)
	}
	for _, m := range moves {
		name := g.MoveName(p, m)
		if names[name] {
			t.Fatalf("%s: two moves %s", g.Print(p), name)
		}
		names[name] = true
		if strings.ContainsAny(name[:1], "0123456789[]{}()!?.$;*+ ") {
			t.Fatalf("move %s begins like another part of a record", name)
		}
		if got, err := g.ParseMove(p, name); err != nil || got != m {
			t.Fatalf("%s: move %s read as %d, error %v, want %d", g.Print(p), name, got, err, m)
		}
		if got, n, err := g.ScanMove(p, name+" "+name); err != nil || got != m || n != len(name) {
			t.Fatalf("%s: move %s read as %d of %d bytes, error %v", g.Print(p), name, got, n, err)
		}
		if q := p.Play(m); g.SideToMove(q) == g.SideToMove(p) {
			t.Fatalf("%s: %s leaves the turn where it is", g.Print(p), name)
		}
	}
	if g.MoveName(p, 0xffff) == "" {
		t.Error("a move that does not exist has no name for errors")
	}
}

// games plays random games, and writes and reads the text and the record of each.
func (s suite[P]) games(t *testing.T) {
	g, rng := s.game, generator(3)
	var file strings.Builder
	var written []games.Record[P]
	for i := range 30 {
		l := s.playout(t, rng, s.somewhere(t, rng, i))
		again := g.NewLine(l.Start())
		if err := again.PlayText(l.Text()); err != nil || !slices.Equal(again.Moves(), l.Moves()) {
			t.Fatalf("%s: read as %s, error %v", l.Text(), again.Text(), err)
		}
		rec := l.Record(games.Tag{Name: "Round", Value: fmt.Sprint(i)}, games.Tag{Name: games.TagRules, Value: s.rules},
			games.Tag{Name: games.TagFEN, Value: g.Print(l.Start())})
		if err := g.WriteRecord(&file, rec); err != nil {
			t.Fatal(err)
		}
		written = append(written, rec)
	}
	read, err := g.ParseRecords(strings.NewReader(file.String()), "games")
	if err != nil {
		t.Fatal(err)
	}
	same := func(a, b games.Record[P]) bool {
		return a.Start == b.Start && a.Result == b.Result && reflect.DeepEqual(a.Moves, b.Moves) && slices.Equal(a.Tags, b.Tags)
	}
	if !slices.EqualFunc(read, written, same) {
		t.Errorf("records read as\n%+v\nwant\n%+v", read, written)
	}
}

// somewhere returns the start position for even i, a random one for odd.
func (s suite[P]) somewhere(t *testing.T, rng *rand.Rand, i int) P {
	p, err := s.game.Start(s.rules)
	if i%2 == 1 {
		p, err = s.game.Random(rng, s.rules)
	}
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// playout plays random moves to the end, or at most plies, and compares the line with a slow
// replay.
func (s suite[P]) playout(t *testing.T, rng *rand.Rand, start P) *games.Line[P] {
	g, l := s.game, s.game.NewLine(start)
	history, p := []P{}, start
	for l.Plies() < plies {
		s.position(t, p)
		if s.checkOver(t, l, p, history) {
			break
		}
		moves := p.AppendMoves(nil)
		m := moves[rng.IntN(len(moves))]
		if err := l.Play(m); err != nil {
			t.Fatal(err)
		}
		history, p = append(history, p), p.Play(m)
		if l.Position() != p || !slices.Equal(l.History(), history) {
			t.Fatalf("the line is at %s, want %s", g.Print(l.Position()), g.Print(p))
		}
	}
	return l
}

// checkOver compares the line's Over with the position's own methods and a count of its
// occurrences.
func (s suite[P]) checkOver(t *testing.T, l *games.Line[P], p P, history []P) bool {
	times := 1
	for _, q := range history {
		if q == p {
			times++
		}
	}
	diff, ends := p.Terminal()
	repeats := false
	if !ends {
		diff, repeats = p.Repetition(times)
	}
	still := 0 // plies without progress
	for _, q := range history {
		if q.Progress() == p.Progress() {
			still++
		}
	}
	stalls := !ends && !repeats && p.DrawClock() > 0 && still >= p.DrawClock()
	limit, then := p.PlyLimit()
	stops := !ends && !repeats && !stalls && limit > 0 && len(history) >= limit
	if stops {
		diff = then
	}
	want := ends || repeats || stalls || stops
	if !want {
		diff = 0
	} else if s.game.SideToMove(p) == 1 {
		diff = -diff
	}
	got, reason, over := l.Over()
	if got != diff || over != want || (reason != "") != want || (reason == games.Repeated) != repeats ||
		(reason == games.NoProgress) != stalls || (reason == games.PlyLimit) != stops {
		t.Fatalf("%s, seen %d times: Over() = %d, %q, %v, want %d and %v",
			s.game.Print(p), times, got, reason, over, diff, want)
	}
	return over
}

// refuses tests that invalid input is refused with a one-line error.
func (s suite[P]) refuses(t *testing.T) {
	g := s.game
	start, err := g.Start(s.rules)
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{"", " ", "no board", "\x00", strings.Repeat("-", 10_000)} {
		_, err := g.Parse(s.rules, text)
		checkError(t, fmt.Sprintf("Parse(%.20q)", text), err)
	}
	for _, text := range []string{"", "\x00", "§", strings.Repeat("~", 10_000)} {
		_, err := g.ParseMove(start, text)
		checkError(t, fmt.Sprintf("ParseMove(%.20q)", text), err)
	}
	if g.FromKey != nil {
		_, err = g.FromKey(s.rules, -1)
		checkError(t, "FromKey(-1)", err)
	}
	checkError(t, "Play of no move", g.NewLine(start).Play(0xffff))
}

func checkError(t *testing.T, what string, err error) {
	t.Helper()
	if err == nil || strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
		t.Errorf("%s: error %v, want one line", what, err)
	}
}

// RandomGame plays up to plies random moves from p, and stops before a move that ends the game.
// It returns the last position and those before it, in order.
func RandomGame[P games.Position[P]](rng *rand.Rand, p P, plies int) (last P, history []P) {
	for range plies {
		moves := p.AppendMoves(nil)
		q := p.Play(moves[rng.IntN(len(moves))])
		if _, over := q.Terminal(); over {
			break
		}
		history = append(history, p)
		p = q
	}
	return p, history
}

// RandomPositions draws n positions with the game's Random.
func RandomPositions[P games.Position[P]](t testing.TB, g *games.Game[P], rng *rand.Rand, rules string, n int) []P {
	t.Helper()
	ps := make([]P, n)
	for i := range ps {
		var err error
		ps[i], err = g.Random(rng, rules)
		if err != nil {
			t.Fatal(err)
		}
	}
	return ps
}

// Walk returns n positions of random games from start, the same in every call.
func Walk[P games.Position[P]](start P, n int) (ps []P) {
	rng := generator(7)
	for p := start; len(ps) < n; ps = append(ps, p) {
		if _, over := p.Terminal(); over {
			p = start
		}
		moves := p.AppendMoves(nil)
		p = p.Play(moves[rng.IntN(len(moves))])
	}
	return ps
}
