package uci

import (
	"errors"
	"fmt"
	"strings"

	"kroo/games"
)

// position sets up a board and plays moves, for the next go: a search that runs has its
// own. After an error there is no position, so that no go answers for another one than the
// client has in mind.
func (c *session[P]) position(text string) error {
	var l *games.Line[P]
	if l, c.unknown = c.parsePosition(text); c.unknown != nil {
		return c.unknown
	}
	c.line = l
	return nil
}

func (c *session[P]) parsePosition(text string) (*games.Line[P], error) {
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
		return nil, err
	}
	l := c.kit.Game.NewLine(start)
	return l, l.PlayText(moves)
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
