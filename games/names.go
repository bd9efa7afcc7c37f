package games

import (
	"fmt"
	"strconv"
	"strings"
)

// ParseMove reads the name of a move of the side to move. The move may be illegal.
func (g *Game[P]) ParseMove(p P, text string) (Move, error) {
	m, length, err := g.ScanMove(p, text)
	if err == nil && length < len(text) {
		err = fmt.Errorf("%s is not a single move: expected %s", Quote(text), g.MoveText)
	}
	return m, err
}

// NextMove reads the move at the beginning of text like ScanMove. Its error states if the move is
// the opponent's.
func (g *Game[P]) NextMove(p P, text string) (m Move, length int, err error) {
	if m, length, err = g.ScanMove(p, text); err == nil {
		return m, length, nil
	}
	if name, ok := g.OpponentsMove(p, text); ok {
		err = fmt.Errorf("move %s is the opponent's: expected one of %s", name, g.MoveNames(p, p.AppendMoves(nil)...))
	}
	return 0, 0, err
}

// OpponentsMove reports whether text begins with the name of a move of the opponent
// instead of the side to move, and returns that name.
func (g *Game[P]) OpponentsMove(p P, text string) (name string, ok bool) {
	moves := p.AppendMoves(nil)
	if _, _, err := g.ScanMove(p, text); err == nil || len(moves) == 0 {
		return "", false
	}
	_, length, err := g.ScanMove(p.Play(moves[0]), text)
	if err != nil {
		return "", false
	}
	return text[:length], true
}

// MoveNames joins the names of moves of one position with the game's separator.
func (g *Game[P]) MoveNames(p P, moves ...Move) string {
	return strings.Join(g.namesOf(p, moves), g.Separator)
}

func (g *Game[P]) namesOf(p P, moves []Move) (names []string) {
	for _, m := range moves {
		names = append(names, g.MoveName(p, m))
	}
	return names
}

// LineNames joins the names of consecutive legal moves from p.
func (g *Game[P]) LineNames(p P, moves []Move) string {
	var names strings.Builder
	for i, m := range moves {
		if i > 0 {
			names.WriteString(g.Separator)
		}
		names.WriteString(g.MoveName(p, m))
		p = p.Play(m)
	}
	return names.String()
}

// legalNames lists the legal moves for an error message.
func (g *Game[P]) legalNames(p P) string {
	return strings.Join(g.namesOf(p, p.AppendMoves(nil)), ", ")
}

// Quote quotes a text for one line of an error message, and truncates it if it is long.
func Quote(s string) string {
	const maxLength = 60
	if len(s) > maxLength {
		return strconv.Quote(s[:maxLength]) + "…"
	}
	return strconv.Quote(s)
}
