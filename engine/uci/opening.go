package uci

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"kroo/engine"
	"kroo/games"
)

// opening is a book and the rules it serves.
type opening[P any] struct {
	book    engine.Book[P] // nil for none
	rules   string
	owned   bool  // opened by the session
	refused error // why the book of the engine is not played from
}

// givenBook is the book of the engine.
func (c *session[P]) givenBook() opening[P] {
	if c.server.engine.Book == nil {
		return opening[P]{}
	}
	rules, err := c.bookRules(c.server.engine.Book)
	if err != nil {
		return opening[P]{refused: err}
	}
	return opening[P]{book: c.server.engine.Book, rules: rules}
}

// openBook opens a file.
func (c *session[P]) openBook(path string) (opening[P], error) {
	if err := checkFile(path); err != nil {
		return opening[P]{}, err
	}
	b, err := c.kit.Book(path, "")
	if err != nil {
		return opening[P]{}, err
	}
	rules, err := c.bookRules(b)
	if err != nil {
		return opening[P]{}, errors.Join(err, b.Close())
	}
	return opening[P]{book: b, rules: rules, owned: true}, nil
}

// bookRules tells the rules of a book: the game's default if it does not say.
func (c *session[P]) bookRules(b engine.Book[P]) (string, error) {
	info := c.kit.Game.Info
	rules := b.Rules()
	if rules == "" {
		return info.Rules[0], nil
	}
	if info.CheckRules(rules) != nil {
		return "", fmt.Errorf("the book names unknown rules: expected %s", listed(info.Rules, "or"))
	}
	return rules, nil
}

func (o opening[P]) close() {
	if o.owned {
		o.book.Close()
	}
}

// fromBook chooses a move of the book, if it has the position and its values
// can be trusted in this game.
func (c *session[P]) fromBook() (best string, ok bool) {
	if !c.ownBook || c.book.book == nil || c.book.rules != c.rules {
		return "", false
	}
	g, p := c.kit.Game, c.line.Position()
	choices := c.book.book.Choices(p, c.margin)
	legal := p.AppendMoves(nil)
	moves := make([]games.Move, len(choices))
	for i, choice := range choices {
		if moves[i] = choice.Move; !slices.Contains(legal, choice.Move) {
			c.out.note("the book is wrong about this position: it plays %s", g.MoveName(p, choice.Move))
			return "", false
		}
	}
	if len(choices) == 0 || c.recurs(p, moves) {
		return "", false
	}
	chosen := choices[0] // without a margin all are the best: the first one is played
	if c.margin > 0 && len(choices) > 1 {
		chosen = choices[c.rng.IntN(len(choices))]
	}
	best = g.MoveName(p, chosen.Move)
	c.out.note("book %s, %d points, chosen from %s", best, chosen.Points, g.MoveNames(p, moves...))
	return best, true
}

// recurs tells whether the position, or one after a choice, has been before.
func (c *session[P]) recurs(p P, choices []games.Move) bool {
	history := c.line.History()
	if slices.Contains(history, p) {
		return true
	}
	for _, m := range choices {
		if slices.Contains(history, p.Play(m)) {
			return true
		}
	}
	return false
}

func (c *session[P]) setBook(value string) error {
	o := c.givenBook()
	if value != "" && value != empty {
		var err error
		if o, err = c.openBook(value); err != nil {
			return err
		}
	}
	c.book.close()
	c.book = o
	c.tellBook()
	return nil
}

// tellBook tells of the book, in a game that has books.
func (c *session[P]) tellBook() {
	switch o := c.book; {
	case c.kit.Book == nil:
	case o.refused != nil:
		c.out.note("no book, since %v", o.refused)
	case o.book == nil:
		c.out.note("no book")
	case o.rules != c.rules:
		c.out.note("no book, since it is for %s", o.rules)
	default:
		c.out.note("book of %d positions", o.book.Len())
	}
}

// listed is "a", "a or b", "a, b or c", for any word in the place of or.
func listed(words []string, word string) string {
	last := len(words) - 1
	if last < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:last], ", ") + " " + word + " " + words[last]
}
