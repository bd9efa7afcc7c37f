// Package nboard is the engine as a program for Othello that speaks NBoard, the protocol
// of the board of that name and of programs such as Edax, Ntest and Egaroucid: version 2, as
// C. Welty describes it, a line a command.
//
//	nboard 2              the handshake: the answer is set myname
//	set depth N           how deep to search
//	set game GGF          the game so far ([othello.ParseGGF])
//	move F5/EVAL/SECONDS  a move in it; F5 alone as well, and PA for a pass
//	go                    === MOVE/EVAL/SECONDS, which is not made yet
//	hint N                search PV EVAL 0 DEPTH for the N best moves
//	ping N                stop thinking; pong N
//	learn                 learned: nothing is
//	quit                  end
//
// Other lines are passed over, as the protocol wants it. Values are in discs for the side
// to move, with a proven win as 64. Where the game tells a time, a move takes its share of
// what is left of it ([search.TimeBudget]). A command that changes the game, quit and ping
// stop the thinking, whose answer is then not given; other commands wait for it.
//
// Caveats: the board has 8×8 squares; set contempt and analyze are passed over.
package nboard

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"sync"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/othello"
	"kroo/internal/input"
)

// longestLine is the longest line that is read, in bytes.
const longestLine = 1 << 16

// deepest is the largest depth that a client can set; a game is shorter.
const deepest = 60

// Server speaks the protocol. Serve may be called once.
type Server struct {
	Player *engine.Player[othello.Position]
	Name   string // of the program, one word
	Depth  int    // until the client sets one

	line     *games.Line[othello.Position]
	left     [2]float64 // seconds of the sides, 0 for no limit
	out      io.Writer
	mu       sync.Mutex // of out and failed
	failed   error
	stop     context.CancelFunc // of the thinking; nil for none
	thinking sync.WaitGroup
}

// Serve answers commands until quit, the end of the input, or of the context. At the end
// of the input the thinking goes on to its answer.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	s.out, s.line = out, othello.Descriptor().NewLine(othello.Start(othello.Large))
	s.Depth = min(max(s.Depth, 1), deepest)
	quit := false
	err := input.Lines(ctx, in, longestLine, func(text string) (bool, error) {
		quit = s.command(ctx, strings.TrimSpace(text))
		return quit, nil
	})
	if quit || ctx.Err() != nil {
		s.halt()
	}
	s.thinking.Wait()
	return cmp.Or(err, s.error())
}

// command obeys a line; quit tells that it is the last.
func (s *Server) command(ctx context.Context, text string) (quit bool) {
	word, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	switch word {
	case "quit":
		return true
	case "ping":
		s.halt()
		s.say("pong %d", number(rest))
	case "nboard":
		s.say("set myname %s", s.Name)
	case "set":
		s.set(rest)
	case "move":
		s.move(rest)
	case "go":
		s.think(ctx, 1, true)
	case "hint":
		s.think(ctx, number(rest), false)
	case "learn":
		s.thinking.Wait()
		s.say("learned")
	default:
		if len(word) == 2 && rest == "" { // as version 1 sends moves
			s.move(word)
		}
	}
	return false
}

// number reads a whole number, 0 if there is none.
func number(text string) int {
	n, err := strconv.Atoi(text)
	if err != nil {
		return 0
	}
	return n
}

// set obeys set depth and set game.
func (s *Server) set(text string) {
	what, value, _ := strings.Cut(text, " ")
	switch what {
	case "depth":
		s.thinking.Wait()
		s.Depth = min(max(number(strings.TrimSpace(value)), 1), deepest)
	case "game":
		s.halt()
		line, left, err := othello.ParseGGF(value)
		if err != nil {
			s.warn(err)
			return
		}
		s.line, s.left = line, left
	}
}

// move makes a move of the game.
func (s *Server) move(text string) {
	s.halt()
	m, err := othello.ParseGGFMove(othello.Large, text)
	if err == nil {
		err = s.line.Play(m)
	}
	if err != nil {
		s.warn(err)
	}
}

// warn tells what is wrong with a command: the protocol has nothing better than the status.
func (s *Server) warn(err error) { s.say("status error: %v", err) }

// halt stops the thinking, whose answer is not given.
func (s *Server) halt() {
	if s.stop != nil {
		s.stop()
		s.stop = nil
	}
	s.thinking.Wait()
}

// think begins to search, for the move to play or for hints of the best n moves.
func (s *Server) think(ctx context.Context, n int, play bool) {
	s.thinking.Wait()
	if _, reason, over := s.line.Over(); over {
		s.say("status the game is over: %s", reason)
		return
	}
	ctx, s.stop = context.WithCancel(ctx)
	line, lim := s.line.Clone(), s.limits(play)
	s.thinking.Go(func() { s.answer(ctx, line, lim, n, play) })
}

// limits are those of a search: hints have the time that they want.
func (s *Server) limits(play bool) search.Limits {
	lim := search.Limits{Depth: s.Depth}
	if left := s.left[othello.Descriptor().SideToMove(s.line.Position())]; play && left > 0 {
		lim = lim.UnderClock(time.Duration(left*float64(time.Second)), 0, 0, search.DefaultOverhead)
	}
	return lim
}

// answer searches and tells what it finds, unless it is stopped.
func (s *Server) answer(ctx context.Context, line *games.Line[othello.Position], lim search.Limits, n int, play bool) {
	s.say("status %s is thinking", s.Name)
	q := search.Query{AllMoves: n > 1}
	if !play {
		q.Info = func(r search.Result) { s.hint(ctx, line.Position(), r, 1) }
	}
	s.Player.Searcher.Clear() // answers do not depend on earlier searches
	r, best, err := s.Player.Search(ctx, line, lim, q)
	if ctx.Err() != nil {
		return
	}
	if err != nil {
		s.warn(err)
		return
	}
	s.say("nodestats %d %.2f", r.Nodes, r.Time.Seconds())
	if play {
		s.say("=== %s/%.2f/%.2f", othello.GGFMove(othello.Large, best.Move), discs(best.Score), r.Time.Seconds())
	} else {
		s.hint(ctx, line.Position(), r, n)
	}
	s.say("status %s is waiting", s.Name)
}

// hint tells the n best moves of a result.
func (s *Server) hint(ctx context.Context, p othello.Position, r search.Result, n int) {
	if ctx.Err() != nil {
		return
	}
	for i, l := range r.Lines {
		if i >= max(n, 1) || i > 0 && !l.Exact {
			break
		}
		var pv strings.Builder
		for _, m := range l.PV {
			pv.WriteString(othello.GGFMove(othello.Large, m))
		}
		if l.PV == nil {
			pv.WriteString(othello.GGFMove(othello.Large, l.Move))
		}
		s.say("search %s %.2f 0 %d", pv.String(), discs(l.Score), r.Depth)
	}
}

// discs is a score in discs.
func discs(score int) float64 { return min(max(float64(score)/100, -64), 64) }

// say writes a line.
func (s *Server) say(format string, args ...any) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.failed == nil {
		_, s.failed = fmt.Fprintf(s.out, format+"\n", args...)
	}
}

func (s *Server) error() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.failed
}
