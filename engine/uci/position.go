package uci

import (
	"errors"
	"fmt"

	"kroo/games/oware"
)

// position sets up a board and plays moves. On an error the old one stands.
func (c *session) position(text string) error {
	word, rest := cutWord(text)
	if word == "fen" {
		word, rest = cutWord(rest)
	}
	start := oware.Start(c.rules)
	switch {
	case word == "":
		return errors.New("expected startpos or a board")
	case word != "startpos":
		var err error
		if start, err = oware.ParseBoard(c.rules, word); err != nil {
			return err
		}
	}
	g := oware.NewGame(start)
	if word, rest = cutWord(rest); word != "" && word != "moves" {
		return fmt.Errorf("%s after the board: expected moves", quote(word))
	}
	if err := playAll(g, rest); err != nil {
		return err
	}
	c.game = g
	return nil
}

// playAll plays moves given by their letters.
func playAll(g *oware.Game, text string) error {
	for i := range len(text) {
		if text[i] == ' ' || text[i] == '\t' {
			continue
		}
		m, err := parseMove(g.Position(), text[i])
		if err == nil {
			err = g.Play(m)
		}
		if err != nil {
			return fmt.Errorf("move %d: %w", g.Plies()+1, err)
		}
	}
	return nil
}

// parseMove reads a move of the player to move.
func parseMove(p oware.Position, letter byte) (oware.Move, error) {
	m, side, err := oware.ParseMove(letter)
	if err == nil && side != p.ToMove() {
		err = fmt.Errorf("move %c is the opponent's: expected one of %s", letter, letters(p, p.AppendMoves(nil)...))
	}
	return m, err
}
