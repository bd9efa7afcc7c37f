package play

import (
	"errors"
	"strings"

	"kroo/games"
)

// Errors of what cannot be done now.
var (
	ErrOver          = errors.New("the game is over")
	errTurn          = errors.New("it is the other side's turn")
	errNothingToUndo = errors.New("no move of yours to take back")
)

// Move makes the person's move. Its name may be in the wrong case, where the
// other case names a move. An error leaves the game as it is.
func (g *Game[P]) Move(name string) error {
	if err := g.turn(g.person); err != nil {
		return err
	}
	m, err := g.parse(strings.TrimSpace(name))
	if err != nil {
		return err
	}
	return g.line.Play(m)
}

// parse reads a move as it is written, or in another case.
func (g *Game[P]) parse(name string) (games.Move, error) {
	p := g.line.Position()
	m, asWritten := g.game.ParseMove(p, name)
	if asWritten == nil {
		return m, nil
	}
	for _, other := range []string{strings.ToUpper(name), strings.ToLower(name)} {
		if m, err := g.game.ParseMove(p, other); err == nil {
			return m, nil
		}
	}
	return 0, asWritten
}

// turn refuses to act for a side when it is not to move.
func (g *Game[P]) turn(side int) error {
	switch s := g.State(); {
	case s.Over:
		return ErrOver
	case s.Turn != side:
		return errTurn
	}
	return nil
}

// Undo takes back the person's last move and what the engine answered. A
// resignation it takes back alone.
func (g *Game[P]) Undo() error {
	if g.resigned {
		g.resigned = false
		return nil
	}
	plies := 1
	if g.game.SideToMove(g.line.Position()) == g.person {
		plies = 2 // the engine has answered
	}
	if g.line.Plies() < plies {
		return errNothingToUndo
	}
	for range plies {
		g.line.Undo()
	}
	return nil
}

// Resign gives the game up for the person.
func (g *Game[P]) Resign() error {
	if g.State().Over {
		return ErrOver
	}
	g.resigned = true
	return nil
}
