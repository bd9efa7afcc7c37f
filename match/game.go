package match

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"

	"kroo/engine"
	"kroo/games"
	"kroo/internal/oneline"
	"kroo/match/elo"
)

// gameLog is all that is kept of a game; the rest follows by replaying it. It
// is what the log holds, in JSON.
type gameLog struct {
	Moves   string   `json:"moves"` // names, the opening included
	Notes   []note   `json:"notes"` // one for each move after the opening
	Forfeit *forfeit `json:"forfeit,omitempty"`
}

// note is what a player thought of its move.
type note struct {
	Score int   `json:"s"`
	Depth int   `json:"d"`
	Nodes int64 `json:"n"`
	Time  int64 `json:"t,omitempty"` // microseconds, if they are recorded
	Book  bool  `json:"b,omitempty"` // the move is from a book
}

// forfeit tells who lost without the rules saying so, and why ("time" if the
// flag fell).
type forfeit struct {
	Side   int    `json:"side"`
	Reason string `json:"reason"`
}

// playGame plays a game of a pair from its opening; seats are by side. What
// goes wrong with a player loses the player's game; the error is that of the
// context.
func (m *match[P]) playGame(ctx context.Context, number int, opening Opening[P], seats [2]*seat[P], control [2]TimeControl) (gameLog, error) {
	l, err := opening.line(m.Game)
	if err != nil {
		return gameLog{}, err
	}
	log := gameLog{Moves: l.Text()}
	for side, s := range seats {
		if err := s.newGame(ctx, m.gameSeed(number, side)); err != nil {
			log.Forfeit = &forfeit{side, oneline.Short(err.Error())}
			return log, ctx.Err()
		}
	}
	clock := newClock(control, m.Margin)
	for !m.finished(l, log.Notes) {
		p := l.Position()
		side := m.Game.SideToMove(p)
		choice, err := seats[side].timed(ctx, clock, side, l)
		if ctx.Err() != nil {
			return log, ctx.Err()
		}
		if err != nil {
			log.Forfeit = &forfeit{side, oneline.Short(err.Error())}
			return log, nil
		}
		if log.Moves != "" {
			log.Moves += m.Game.Separator
		}
		log.Moves += m.Game.MoveName(p, choice.Move) // not the line's text: a player may have harmed the line
		log.Notes = append(log.Notes, m.noteOf(choice))
	}
	return log, nil
}

// gameSeed is the seed of what a side draws in a game, which are numbered from
// 0 on, two a pair.
func (m *match[P]) gameSeed(number, side int) uint64 {
	return rand.NewPCG(m.Seed, uint64(2*number+side)).Uint64()
}

func (m *match[P]) noteOf(c engine.Choice) note {
	n := note{Score: c.Score, Depth: c.Depth, Nodes: c.Nodes, Book: c.Book}
	if c.Book {
		n = note{Book: true}
	}
	if m.MoveTimes {
		n.Time = c.Time.Microseconds()
	}
	return n
}

// finished tells whether no more moves are to be made.
func (m *match[P]) finished(l *games.Line[P], notes []note) bool {
	_, _, over := l.Over()
	_, adjudicated := m.adjudicated(l, notes)
	return over || adjudicated || m.MaxPlies > 0 && l.Plies() >= m.MaxPlies
}

// replay checks a game and sets its last position up.
func (m *match[P]) replay(opening Opening[P], log gameLog) (*games.Line[P], error) {
	moves, err := m.parseMoves(opening.Start, log.Moves)
	if err != nil {
		return nil, err
	}
	if len(moves) != len(opening.Moves)+len(log.Notes) {
		return nil, fmt.Errorf("%d moves with %d notes: expected an opening of %d", len(moves), len(log.Notes), len(opening.Moves))
	}
	l := m.Game.NewLine(opening.Start)
	for i, move := range moves {
		played := log.Notes[:max(0, i-len(opening.Moves))]
		if m.finished(l, played) || i < len(opening.Moves) && move != opening.Moves[i] {
			return nil, fmt.Errorf("ply %d: move %s does not belong there", i+1, m.Game.MoveName(l.Position(), move))
		}
		if err := l.Play(move); err != nil {
			return nil, fmt.Errorf("ply %d: %w", i+1, err)
		}
	}
	switch f := log.Forfeit; {
	case f == nil && !m.finished(l, log.Notes):
		return nil, errors.New("the game is not finished")
	case f != nil && (m.finished(l, log.Notes) || f.Side < 0 || f.Side > 1 || f.Reason != oneline.Short(f.Reason)):
		return nil, fmt.Errorf("no forfeit that can be: side %d, reason %q", f.Side, f.Reason)
	}
	return l, nil
}

// parseMoves reads the moves of a log. They may go on after the end of a game.
func (m *match[P]) parseMoves(p P, text string) (moves []games.Move, err error) {
	l := m.Game.NewLine(p)
	if err := l.PlayText(text); err != nil {
		return nil, err
	}
	return l.Moves(), nil
}

// verdict is the final difference in the game's units, first side minus
// second, the result as the first side's half-points, and how it came about.
func (m *match[P]) verdict(l *games.Line[P], log gameLog) (diff, points int, termination string) {
	if f := log.Forfeit; f != nil {
		return 0, 2 * f.Side, "forfeit: " + f.Reason // the second side's loss is worth 2 to the first
	}
	diff, reason, over := l.Over()
	termination = string(reason)
	if !over {
		if points, ok := m.adjudicated(l, log.Notes); ok {
			if _, ok := m.fromTables(l); ok {
				return 0, points, "adjudication by table"
			}
			return 0, points, "adjudication by score"
		}
		diff, termination = m.lead(l), "adjudication"
	}
	return diff, 1 + cmp.Compare(diff, 0), termination
}

// lead is by how much the first side leads, rounded towards 0; 0 in games that
// count nothing.
func (m *match[P]) lead(l *games.Line[P]) int {
	if m.Game.Tally == nil {
		return 0
	}
	first, second := m.Game.Tally(l)
	return int(first - second)
}

// outcomeFor is a finished game as A sees it, who has the given side.
func (m *match[P]) outcomeFor(side int, l *games.Line[P], log gameLog) elo.Outcome {
	diff, points, _ := m.verdict(l, log)
	if side == 1 {
		diff, points = -diff, 2-points
	}
	_, adjudicated := m.adjudicated(l, log.Notes)
	o := elo.Outcome{Points: points, Diff: diff, NoDiff: adjudicated}
	if log.Forfeit != nil {
		loser := 0 // A
		if log.Forfeit.Side != side {
			loser = 1
		}
		o.Forfeit[loser], o.Reason = true, log.Forfeit.Reason
	}
	return o
}
