package uci

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/games/oware"
)

// Arena is the engine as a bot for the CodinGame arena.
//
// For each move, a bot reads a line with the seeds of the twelve houses in sowing order,
// its own six first, and writes the number of the house to sow, 0 to 5 from its left. The
// input does not include stores or the opponent's move, so Arena tracks the game: it
// looks for the opponent's move that leads from its own last move to the given houses. If
// there is none it restarts from these, keeping its own captures; on the first line, each
// side gets half of the missing seeds.
//
// One process plays one game. By the arena's rules, the first move may take longer.
type Arena struct {
	Player *engine.Player[oware.Position]
	// First and Move limit the time of the first and of every other move. If Move is 0, the
	// player's limits apply to all moves.
	First, Move time.Duration
	Rules       oware.Rules

	line    *games.Line[oware.Position] // nil before the first move
	started time.Time                   // when the time of the first move started; zero afterwards
}

// slack is the fraction 1/slack of a move's time reserved for the pipes.
const slack = 10

// houses is the input for a move: the seeds of the bot's houses, then the opponent's.
type houses [2 * oware.Houses]int

// Serve plays until the input ends or the context is done. The time of the first move is
// measured from started, when the process started.
func (s *Arena) Serve(ctx context.Context, in io.Reader, out io.Writer, started time.Time) error {
	s.started = started
	done := make(chan struct{})
	defer close(done)
	for n, lines := 1, client.ReadLines(in, maxLine, done); ; {
		var batch []client.Line
		select {
		case <-ctx.Done():
			return ctx.Err()
		case batch = <-lines:
		}
		for _, l := range batch {
			switch {
			case l.TooLong:
				l.Err = fmt.Errorf("longer than %d bytes: expected the seeds of the houses", maxLine)
			case errors.Is(l.Err, io.EOF):
				return nil
			case l.Err == nil:
				l.Err = s.answer(ctx, l.Text, out)
			}
			if l.Err != nil {
				return fmt.Errorf("line %d: %w", n, l.Err)
			}
			n++
		}
	}
}

// answer writes the move for a line of input.
func (s *Arena) answer(ctx context.Context, text string, out io.Writer) error {
	h, err := parseHouses(text)
	if err == nil {
		err = s.follow(h)
	}
	if err != nil {
		return err
	}
	m, err := s.move(ctx)
	if err == nil {
		_, err = fmt.Fprintln(out, m)
	}
	return err
}

// parseHouses parses an untrusted line.
func parseHouses(text string) (h houses, err error) {
	words := strings.Fields(text)
	if len(words) != len(h) {
		return h, fmt.Errorf("%d numbers: expected the seeds of %d houses", len(words), len(h))
	}
	left := oware.Seeds
	for i, w := range words {
		h[i], err = strconv.Atoi(w)
		if err != nil || h[i] < 0 || h[i] > left {
			return h, fmt.Errorf("house %d is %s: expected 0 to %d seeds", i, games.Quote(w), left)
		}
		left -= h[i]
	}
	return h, nil
}

// follow advances the game to the given houses.
func (s *Arena) follow(h houses) error {
	isFirst := s.line == nil
	if isFirst {
		s.line = oware.Descriptor().NewLine(oware.Start(s.Rules))
		if housesOf(s.line.Position()) == h {
			return nil
		}
	}
	p := s.line.Position()
	if _, over := p.Terminal(); !over {
		for _, m := range p.AppendMoves(nil) {
			if housesOf(p.Play(m)) == h && s.line.Play(m) == nil {
				return nil
			}
		}
	}
	return s.jump(h, p, isFirst)
}

// jump restarts the game at houses that do not follow from p, where the opponent was to
// move. On the first line it is unknown which side has captured the missing seeds.
func (s *Arena) jump(h houses, p oware.Position, isFirst bool) error {
	missing := oware.Seeds
	for _, n := range h {
		missing -= n
	}
	mine := min(p.OpponentStore(), missing)
	if isFirst {
		mine = missing / 2
	}
	at, err := oware.New(s.Rules, h, [2]int{mine, missing - mine}, oware.South)
	if err == nil {
		s.line = oware.Descriptor().NewLine(at)
	}
	return err
}

// housesOf returns the houses from the point of view of the side to move.
func housesOf(p oware.Position) (h houses) {
	for i := range h {
		h[i] = p.House(i)
	}
	return h
}

// move chooses and plays a move. In a game that is over by the tracked state, any legal
// move will do.
func (s *Arena) move(ctx context.Context) (oware.Move, error) {
	p := s.line.Position()
	legal := p.AppendMoves(nil)
	if len(legal) == 0 {
		return 0, fmt.Errorf("no move in %s: expected houses of a game that is not over", p)
	}
	m := legal[0]
	if _, _, over := s.line.Over(); !over {
		c, err := s.Player.Think(ctx, s.line, s.limits(), search.Query{})
		if err != nil {
			return 0, err
		}
		m = c.Move
		return m, s.line.Play(m)
	}
	s.line = oware.Descriptor().NewLine(p.Play(m))
	return m, nil
}

// limits returns the limits of the next move.
func (s *Arena) limits() search.Limits {
	lim := s.Player.Limits()
	switch {
	case s.Move == 0:
	case s.started.IsZero():
		lim.Time = s.Move - s.Move/slack
	default:
		lim.Time = max(s.First-s.First/slack-time.Since(s.started), s.Move/2)
		s.started = time.Time{}
	}
	return lim
}
