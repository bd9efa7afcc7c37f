package uci

import (
	"errors"
	"fmt"
	"strings"

	"kroo/games"
)

// position sets up a board and plays moves. On an error the old one stands.
func (c *session[P]) position(text string) error {
	board, moves := cutBoard(text)
	var start P
	var err error
	switch word, rest := cutWord(board); {
	case word == "":
		err = errors.New("expected startpos or a board")
	case word == "startpos" && rest != "":
		err = fmt.Errorf("%s after the board: expected moves", quote(rest))
	case word == "startpos":
		start, err = c.kit.Game.Start(c.rules)
	default:
		start, err = c.kit.Game.Parse(c.rules, board)
	}
	if err != nil {
		return err
	}
	l := c.kit.Game.NewLine(start)
	if err := playAll(c.kit.Game, l, moves); err != nil {
		return err
	}
	c.line = l
	return nil
}

// cutBoard splits a text at the word moves: boards of some games have blanks. The
// word fen before a board says nothing.
func cutBoard(text string) (board, moves string) {
	for rest := text; rest != ""; {
		var word string
		if word, rest = cutWord(rest); word == "moves" {
			text, moves = text[:len(text)-len(rest)], rest
			text = strings.TrimSuffix(strings.TrimSpace(text), word)
			break
		}
	}
	if word, rest := cutWord(text); word == "fen" {
		text = rest
	}
	return strings.TrimSpace(text), moves
}

// playAll plays moves given by their names, with or without blanks between
// them.
func playAll[P games.Position[P]](g *games.Game[P], l *games.Line[P], text string) error {
	for text = trim(text); text != ""; text = trim(text) {
		m, length, err := scanMove(g, l.Position(), text)
		if err == nil {
			err = l.Play(m)
		}
		if err != nil {
			return fmt.Errorf("move %d: %w", l.Plies()+1, err)
		}
		text = text[length:]
	}
	return nil
}

func trim(text string) string { return strings.TrimLeft(text, " \t") }

// scanMove reads the move of the side to move that a text begins with.
func scanMove[P games.Position[P]](g *games.Game[P], p P, text string) (m games.Move, length int, err error) {
	m, length, err = g.ScanMove(p, text)
	if err == nil {
		return m, length, nil
	}
	if name, ok := g.OpponentsMove(p, text); ok {
		err = fmt.Errorf("move %s is the opponent's: expected one of %s", name, g.MoveNames(p, p.AppendMoves(nil)...))
	}
	return 0, 0, err
}
