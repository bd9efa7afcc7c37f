package uci

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// newArena returns a bot that counts captured seeds and searches few nodes.
func newArena(t testing.TB) *Arena {
	t.Helper()
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: 1, Nodes: 100}}, oware.Arena.String()))(t)
	return &Arena{Player: &engine.Player[oware.Position]{Engine: e, Searcher: e.NewSearcher()}, Rules: oware.Arena}
}

// inputLine returns the line that a bot reads.
func inputLine(p oware.Position) string {
	text := fmt.Sprint(housesOf(p))
	return strings.Trim(text, "[]") + "\n"
}

// The bot plays against random moves, first and second: it tracks stores and plies without being
// given them.
func TestArenaFollowsTheGame(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for game := range 8 {
		s := newArena(t)
		l := oware.Descriptor().NewLine(oware.Start(oware.Arena))
		for ply := 0; ; ply++ {
			if _, _, over := l.Over(); over {
				break
			}
			p := l.Position()
			legal := p.AppendMoves(nil)
			m := legal[rng.IntN(len(legal))]
			if ply%2 == game%2 {
				h, err := parseHouses(inputLine(p))
				testkit.NoError(t, err)
				testkit.NoError(t, s.follow(h))
				if s.line.Plies() != ply || s.line.Position() != p {
					t.Fatalf("game %d: the server is at ply %d, %v: expected %d, %v", game, s.line.Plies(), s.line.Position(), ply, p)
				}
				m = testkit.Must(s.move(context.Background()))(t)
			}
			testkit.NoError(t, l.Play(m))
		}
		if l.Plies() < 10 {
			t.Fatalf("a game of %d plies", l.Plies())
		}
	}
}

// It keeps its own captures.
func TestArenaRestartsFromHousesThatDoNotFollow(t *testing.T) {
	s := newArena(t)
	var out strings.Builder
	in := "4 4 4 4 4 4 4 4 4 4 4 4\n1 2 3 4 5 6 0 1 2 3 4 5\n"
	testkit.NoError(t, s.Serve(context.Background(), strings.NewReader(in), &out, time.Now()))
	testkit.Equal(t, strings.Count(out.String(), "\n"), 2, "answers %q", out.String())
	if p := s.line.Start(); p.Store() != 0 || p.OpponentStore() != 12 {
		t.Errorf("stores %d and %d of %v", p.Store(), p.OpponentStore(), p)
	}
	s = newArena(t)
	testkit.NoError(t, s.Serve(context.Background(), strings.NewReader("1 2 3 4 5 6 0 1 2 3 4 4\n"), &out, time.Now()))
	if p := s.line.Start(); p.Store() != 6 || p.OpponentStore() != 7 {
		t.Errorf("stores %d and %d at the first line", p.Store(), p.OpponentStore())
	}
}

func TestArenaRejectsInvalidInput(t *testing.T) {
	for in, want := range map[string]string{
		"4 4 4\n":                       "line 1: 3 numbers: expected the seeds of 12 houses",
		"4 4 4 4 4 4 4 4 4 4 4 5\n":     `house 11 is "5": expected 0 to 4 seeds`,
		"4 4 4 4 4 -4 4 4 4 4 4 4\n":    `house 5 is "-4"`,
		"\n4 4 4 4 x 4 4 4 4 4 4 4\n":   `house 4 is "x"`,
		"0 0 0 0 0 0 4 4 4 4 4 4\n":     "no move in",
		strings.Repeat("4 ", maxLine):   "longer than",
		strings.Repeat("4 ", 13) + "\n": "13 numbers",
	} {
		var out strings.Builder
		err := newArena(t).Serve(context.Background(), strings.NewReader(in), &out, time.Now())
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%.40q: error %v, want %s", in, err, want)
		}
	}
}

func TestFirstMoveHasItsOwnTime(t *testing.T) {
	s := newArena(t)
	s.First, s.Move, s.started = time.Second, 50*time.Millisecond, time.Now()
	if got := s.limits().Time; got < 800*time.Millisecond || got > 900*time.Millisecond {
		t.Errorf("first move: %s", got)
	}
	testkit.Equal(t, s.limits().Time, 45*time.Millisecond, "second move")
	s.started = time.Now().Add(-time.Minute) // the start took longer than the limit
	testkit.Equal(t, s.limits().Time, 25*time.Millisecond, "a late first move")
}

func FuzzHouses(f *testing.F) {
	f.Add("4 4 4 4 4 4 4 4 4 4 4 4")
	f.Add("0 0 0 0 0 1 1 0 0 0 0 0")
	s := newArena(f)
	f.Fuzz(func(t *testing.T, text string) {
		h, err := parseHouses(text)
		if err != nil {
			return
		}
		s.line = (*games.Line[oware.Position])(nil)
		if err := s.follow(h); err != nil {
			t.Fatalf("%v: %v", h, err)
		}
		if got := housesOf(s.line.Position()); got != h {
			t.Fatalf("%v: at %v", h, got)
		}
	})
}
