package uci

import (
	"errors"
	"fmt"
	"strings"
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
	if err := l.PlayText(moves); err != nil {
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
