package uci

import (
	"context"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
)

// Arena is the engine as a bot of the arena of CodinGame.
//
// For each of its moves a bot reads a line with the seeds of the twelve houses in the
// order of sowing, its own six first, and writes the number of the house that it sows, 0 to
// 5 from its left. It is told neither what has been captured nor what the other side has
// moved, so it follows the game: it looks for the move that leads from its own last
// one to the houses that it reads. Where there is none it continues from these, with what it
// knew to be its own captures; on the first line, with half of the seeds that are missing.
//
// One process plays one game. The first move may take longer, by the arena's rules.
type Arena struct {
	Player *engine.Player[oware.Position]
	// First and Move bound the time of the first and of every other move; where they are
	// 0 the limits of the player do.
	First, Move time.Duration
	Rules       oware.Rules

	line *games.Line[oware.Position] // the game so far, nil before the first move
	last time.Time                   // when the first move began to count, zero afterwards
}

// slack is the part of a move's time that the search leaves to the way through the pipes.
const slack = 10

// houses is what a bot is told: the seeds of its own houses, and of the other side's.
type houses [2 * oware.Houses]int

// Serve plays until the input or the context ends. began is when the process did, from
// which the time of the first move runs.
func (s *Arena) Serve(ctx context.Context, in io.Reader, out io.Writer, began time.Time) error {
	s.last = began
	over := make(chan struct{})
	defer close(over)
	for n, lines := 1, readLines(in, over); ; {
		var came []line
		select {
		case <-ctx.Done():
			return ctx.Err()
		case came = <-lines:
		}
		for _, l := range came {
			switch {
			case l.tooLong:
				l.err = fmt.Errorf("longer than %d bytes: expected the seeds of the houses", maxLine)
			case l.last && l.err == nil:
				return nil
			case !l.last:
				l.err = s.answer(ctx, l.text, out)
			}
			if l.err != nil {
				return fmt.Errorf("line %d: %w", n, l.err)
			}
			n++
		}
	}
}

// answer is a line with the move for the houses of a line.
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

// parseHouses reads a line. The text is hostile input.
func parseHouses(text string) (h houses, err error) {
	words := strings.Fields(text)
	if len(words) != len(h) {
		return h, fmt.Errorf("%d numbers: expected the seeds of %d houses", len(words), len(h))
	}
	left := oware.Seeds
	for i, w := range words {
		if h[i], err = strconv.Atoi(w); err != nil || h[i] < 0 || h[i] > left {
			return h, fmt.Errorf("house %d is %s: expected 0 to %d seeds", i, games.Quote(w), left)
		}
		left -= h[i]
	}
	return h, nil
}

// follow brings the game to where the houses are as told.
func (s *Arena) follow(h houses) error {
	if s.line == nil {
		s.line = oware.Descriptor().NewLine(oware.Start(s.Rules))
		if seen(s.line.Position()) == h {
			return nil
		}
	}
	p := s.line.Position()
	if _, over := p.Terminal(); !over {
		for _, m := range p.AppendMoves(nil) {
			if seen(p.Play(m)) == h && s.line.Play(m) == nil {
				return nil
			}
		}
	}
	return s.jump(h, p)
}

// jump begins the game again at houses that do not follow from p, where the other side was
// to move.
func (s *Arena) jump(h houses, p oware.Position) error {
	missing := oware.Seeds
	for _, n := range h {
		missing -= n
	}
	mine := min(p.OpponentStore(), missing)
	if s.line.Plies() == 0 {
		mine = missing / 2
	}
	at, err := oware.New(s.Rules, h, [2]int{mine, missing - mine}, oware.South)
	if err == nil {
		s.line = oware.Descriptor().NewLine(at)
	}
	return err
}

// seen is what the side to move learns of a position.
func seen(p oware.Position) (h houses) {
	for i := range h {
		h[i] = p.House(i)
	}
	return h
}

// move chooses a move and makes it. A game that is over, as far as the server knows, goes
// on with any legal move.
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

// limits are those of the next move.
func (s *Arena) limits() search.Limits {
	lim := s.Player.Limits()
	switch {
	case s.Move == 0:
	case s.last.IsZero():
		lim.Time = s.Move - s.Move/slack
	default:
		lim.Time = max(s.First-s.First/slack-time.Since(s.last), s.Move/2)
		s.last = time.Time{}
	}
	return lim
}
