package uci

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"regexp"
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

// Only the first line of input tells nothing about the captures.
func TestArenaKeepsItsCapturesAfterAGameThatWasOver(t *testing.T) {
	s := newArena(t)
	over := testkit.Must(oware.New(s.Rules, houses{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2}, [2]int{5, 30}, oware.South))(t)
	s.line = oware.Descriptor().NewLine(over)
	testkit.NoError(t, s.follow(houses{0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 4}))
	if p := s.line.Start(); p.Store() != 30 || p.OpponentStore() != 13 {
		t.Errorf("stores %d and %d of %v", p.Store(), p.OpponentStore(), p)
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

// answers matches all lines of output, including the board.
var answers = regexp.MustCompile(`^(id (name|author) .+|option name .+ type .+|uciok|readyok|info string .+` +
	`|info depth \d+ (multipv [1-6] )?score cp -?\d+ (wdl \d+ \d+ \d+ )?nodes \d+ nps \d+ time \d+ pv (([A-F][a-f])*[A-F]?|([a-f][A-F])*[a-f]?)` +
	`|info nodes \d+ nps \d+ time \d+|bestmove (\(none\)|0000)|bestmove [A-F]( ponder [a-f])?|bestmove [a-f]( ponder [A-F])?` +
	`|   [a-f].*|   A.*|[+][+-]+|[|][ 0-9|]+|North \d+, South \d+, [SN] to move|board [0-9-]+[SN]|rules (abapa|awari|simple|simple-to-end|arena)|moves ([A-F]+|[a-f]+)|a later position was rejected|over .+|evaluation .+)$`)

// FuzzServe sends arbitrary input to an oware service.
func FuzzServe(f *testing.F) {
	fuzzServe(f, "testdata/*.txt", answers, func(t *testing.T) service {
		s := newServer(t, setup{HashMB: 1, Tuning: true})
		s.maxHash = 2
		return s
	})
}

// chessAnswers is answers for chess.
var chessAnswers = regexp.MustCompile(`^(id (name|author) .+|option name .+ type .+|uciok|readyok|info string .+` +
	`|info depth \d+ (multipv \d+ )?score (cp -?\d+|mate -?\d+) nodes \d+ nps \d+ time \d+ pv ([a-h][1-8][a-h][1-8][qrbn]? ?)*` +
	`|info nodes \d+ nps \d+ time \d+|bestmove (\(none\)|0000)|bestmove [a-h][1-8][a-h][1-8][qrbn]?( ponder [a-h][1-8][a-h][1-8][qrbn]?)?` +
	`|( |[1-8]).*|(White|Black) to move(, in check)?|board .+ [wb] .+|rules (full|lamosca)|moves [a-h1-8qrbn ]+|a later position was rejected|over .+|evaluation lamosca)$`)

// FuzzServeChess is FuzzServe for a game whose boards contain blanks.
func FuzzServeChess(f *testing.F) {
	fuzzServe(f, "testdata/chess/*.txt", chessAnswers, func(t *testing.T) service {
		s := plainServer(t, engine.Chess())
		s.maxHash = 2
		return s
	})
}

// fuzzServe sends arbitrary input: the service must write only lines that match answers, answer each go
// with one best move, and return. A timeout limits its searches. Coverage varies between runs, with the
// moment at which a search stops: fuzz with -fuzzminimizetime 10x, or most time goes to minimizing.
func fuzzServe(f *testing.F, transcripts string, answers *regexp.Regexp, serve func(t *testing.T) service) {
	scripts, err := filepath.Glob(transcripts)
	if err != nil || len(scripts) == 0 {
		f.Fatalf("no transcripts: %v", err)
	}
	for _, path := range scripts {
		text := testkit.Read(f, path)
		var commands strings.Builder
		for l := range strings.Lines(string(text)) {
			if c, ok := strings.CutPrefix(l, "> "); ok {
				commands.WriteString(c)
			}
		}
		f.Add([]byte(commands.String()))
	}
	f.Add([]byte("go infinite\ngo ponder movetime 1\nponderhit\nstop\ngo nodes 1"))
	f.Fuzz(func(t *testing.T, in []byte) {
		var out bytes.Buffer
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Millisecond)
		defer cancel()
		ended := serve(t).Serve(ctx, bytes.NewReader(in), &out)
		if ended != nil && !errors.Is(ended, context.DeadlineExceeded) {
			t.Fatal(ended)
		}
		best := 0
		for l := range strings.Lines(out.String()) {
			l = strings.TrimSuffix(l, "\n")
			if !answers.MatchString(l) {
				t.Errorf("unexpected line %q", l)
			}
			if strings.HasPrefix(l, "bestmove") {
				best++
			}
		}
		if gos := countGo(string(in)); best > gos || ended == nil && best < gos {
			t.Errorf("%d best moves for %d go commands", best, gos)
		}
	})
}

// countGo counts the lines with go before quit.
func countGo(in string) (n int) {
	for l := range strings.Lines(in) {
		name, _ := cutCommand(commands[oware.Position](), strings.TrimSpace(l))
		switch name {
		case "go":
			n++
		case "quit":
			return n
		}
	}
	return n
}
