package match

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"unicode"

	"kroo/games/oware"
)

// gameLog is all that is kept of a game; the rest follows by replaying it. It
// is what the log holds, in JSON.
type gameLog struct {
	Moves   string   `json:"moves"` // letters, the opening included
	Notes   []note   `json:"notes"` // one for each move after the opening
	Forfeit *forfeit `json:"forfeit,omitempty"`
}

// note is what a player thought of his move.
type note struct {
	Score int   `json:"s"`
	Depth int   `json:"d"`
	Nodes int64 `json:"n"`
	Time  int64 `json:"t,omitempty"` // microseconds, if they are recorded
}

// forfeit tells who lost without the rules saying so, and why ("time" if the
// flag fell).
type forfeit struct {
	Side   oware.Side `json:"side"`
	Reason string     `json:"reason"`
}

// seat holds a player and replaces it when it panics: it may be in any state.
type seat struct {
	make    func() Player
	player  Player
	control TimeControl
}

// guard turns a panic of the player into an error.
func (s *seat) guard(err *error) {
	if p := recover(); p != nil {
		s.close()
		*err = fmt.Errorf("panic: %v", p)
	}
}

// close gives the player up.
func (s *seat) close() {
	defer func() { _ = recover() }() // what a broken player does now matters no more
	c, closes := s.player.(io.Closer)
	s.player = nil
	if closes {
		c.Close()
	}
}

func (s *seat) newGame(ctx context.Context) (err error) {
	defer s.guard(&err)
	if s.player == nil {
		s.player = s.make()
	}
	return s.player.NewGame(ctx)
}

func (s *seat) move(ctx context.Context, g *oware.Game) (c Choice, err error) {
	defer s.guard(&err)
	return s.player.Move(ctx, g)
}

// playGame plays a game from an opening; seats are by side. What goes wrong
// with a player loses the player's game; the error is that of the context.
func (c *Config) playGame(ctx context.Context, opening Opening, seats [2]*seat) (gameLog, error) {
	var log gameLog
	g := oware.NewGame(opening.Start)
	for _, m := range opening.Moves {
		log.Moves += oware.MoveName(m, g.Position().ToMove())
		if err := g.Play(m); err != nil {
			return log, err
		}
	}
	for side, s := range seats {
		if err := s.newGame(ctx); err != nil {
			log.Forfeit = &forfeit{oware.Side(side), oneLine(err.Error())}
			return log, ctx.Err()
		}
	}
	clock := newClock(seats[oware.South].control, seats[oware.North].control)
	for !c.finished(g, log.Notes) {
		side := g.Position().ToMove()
		choice, err := clock.ask(ctx, seats[side], g)
		if ctx.Err() != nil {
			return log, ctx.Err()
		}
		if err != nil {
			log.Forfeit = &forfeit{side, oneLine(err.Error())}
			return log, nil
		}
		log.Moves += oware.MoveName(choice.Move, side)
		n := note{Score: choice.Score, Depth: choice.Depth, Nodes: choice.Nodes}
		if c.MoveTimes {
			n.Time = choice.Time.Microseconds()
		}
		log.Notes = append(log.Notes, n)
	}
	return log, nil
}

// ask lets the player make one move on the board.
func ask(ctx context.Context, s *seat, g *oware.Game) (Choice, error) {
	p, plies := g.Position(), g.Plies()
	choice, err := s.move(ctx, g)
	if g.Position() != p || g.Plies() != plies {
		return choice, errors.New("match: the player changed the game it was given")
	}
	if err != nil {
		return choice, err
	}
	return choice, g.Play(choice.Move)
}

// finished tells whether no more moves are to be made.
func (c *Config) finished(g *oware.Game, notes []note) bool {
	_, _, over := g.Over()
	_, judged := c.judged(g, notes)
	return over || judged || c.MaxPlies > 0 && g.Plies() >= c.MaxPlies
}

// replay checks a game and sets its last position up.
func (c *Config) replay(opening Opening, log gameLog) (*oware.Game, error) {
	if len(log.Moves) != len(opening.Moves)+len(log.Notes) {
		return nil, fmt.Errorf("%d moves with %d notes: expected an opening of %d", len(log.Moves), len(log.Notes), len(opening.Moves))
	}
	g := oware.NewGame(opening.Start)
	for i := range len(log.Moves) {
		m, side, err := oware.ParseMove(log.Moves[i])
		if err != nil {
			return nil, fmt.Errorf("ply %d: %w", i+1, err)
		}
		played := log.Notes[:max(0, i-len(opening.Moves))]
		if side != g.Position().ToMove() || c.finished(g, played) || i < len(opening.Moves) && m != opening.Moves[i] {
			return nil, fmt.Errorf("ply %d: move %c does not belong there", i+1, log.Moves[i])
		}
		if err := g.Play(m); err != nil {
			return nil, fmt.Errorf("ply %d: %w", i+1, err)
		}
	}
	switch {
	case log.Forfeit == nil && !c.finished(g, log.Notes):
		return nil, errors.New("the game is not finished")
	case log.Forfeit != nil && (c.finished(g, log.Notes) || log.Forfeit.Side > oware.North || log.Forfeit.Reason != oneLine(log.Forfeit.Reason)):
		return nil, fmt.Errorf("no forfeit that can be: side %d, reason %q", log.Forfeit.Side, log.Forfeit.Reason)
	}
	return g, nil
}

// verdict is the final difference in seeds, South minus North, the result as
// South's half-points, and how it came about.
func (c *Config) verdict(g *oware.Game, log gameLog) (diff, points int, termination string) {
	if f := log.Forfeit; f != nil {
		return 0, 2 * int(f.Side), "forfeit: " + f.Reason // North's loss is worth 2 to South
	}
	diff, reason, over := g.Over()
	termination = string(reason)
	if !over {
		if points, judged := c.judged(g, log.Notes); judged {
			if _, known := c.fromTable(g); known {
				return 0, points, "adjudication by table"
			}
			return 0, points, "adjudication by score"
		}
		south, north := g.Stores()
		diff, termination = int(south-north), "adjudication"
	}
	switch {
	case diff > 0:
		points = 2
	case diff == 0:
		points = 1
	}
	return diff, points, termination
}

// outcomeFor is a finished game as A sees it, who has the given side.
func (c *Config) outcomeFor(side oware.Side, g *oware.Game, log gameLog) outcome {
	diff, points, _ := c.verdict(g, log)
	if side == oware.North {
		diff, points = -diff, 2-points
	}
	_, judged := c.judged(g, log.Notes)
	o := outcome{points: points, seeds: diff, judged: judged}
	if log.Forfeit != nil {
		loser := 0 // A
		if log.Forfeit.Side != side {
			loser = 1
		}
		o.forfeit[loser] = true
	}
	return o
}

// oneLine makes a text fit for a tag and for JSON: short, printable, one line.
func oneLine(text string) string {
	const longest = 300
	text = strings.ToValidUTF8(text, "?")
	text = strings.Map(func(r rune) rune {
		if unicode.IsGraphic(r) || unicode.IsSpace(r) {
			return r
		}
		return '?'
	}, text)
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > longest {
		text = strings.TrimSpace(strings.ToValidUTF8(text[:longest], ""))
	}
	return text
}
