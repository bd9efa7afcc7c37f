package uci

import (
	"errors"
	"fmt"

	"kroo/engine"
	"kroo/games"
)

// opening is a book and its rules.
type opening[P any] struct {
	book    engine.Book[P] // nil means no book
	rules   string
	owned   bool  // opened by the session
	refused error // why the engine's book is not used
}

// givenBook returns the engine's book, or the default book if it has none.
func (c *session[P]) givenBook() opening[P] {
	if c.kit.Book == nil {
		return opening[P]{}
	}
	if c.server.engine.Book == nil {
		o, err := c.openBook(engine.DefaultName)
		if err != nil {
			return opening[P]{refused: err}
		}
		return o
	}
	rules, err := c.bookRules(c.server.engine.Book)
	if err != nil {
		return opening[P]{refused: err}
	}
	return opening[P]{book: c.server.engine.Book, rules: rules}
}

// openBook opens a book file or the default book.
func (c *session[P]) openBook(path string) (opening[P], error) {
	if path != engine.DefaultName {
		if err := checkFile(path); err != nil {
			return opening[P]{}, err
		}
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

// bookRules returns the rules of a book: the game's default if it does not name any.
func (c *session[P]) bookRules(b engine.Book[P]) (string, error) {
	info := c.kit.Game.Info
	rules := b.Rules()
	if rules == "" {
		return info.Rules[0], nil
	}
	if info.CheckRules(rules) != nil {
		return "", fmt.Errorf("the book names unknown rules: expected %s", games.OrList(info.Rules))
	}
	return rules, nil
}

func (o opening[P]) close() {
	if o.owned {
		o.book.Close()
	}
}

// fromBook returns a random book move, and the reply that the book expects, if the book can be used
// in this game.
func (c *session[P]) fromBook() (a answer, ok bool) {
	if !c.ownBook || c.book.book == nil || c.book.rules != c.rules {
		return answer{}, false
	}
	g, p := c.kit.Game, c.line.Position()
	e := engine.Engine[P]{Kit: c.kit, Book: c.book.book, Tables: c.openTables(), Spec: engine.Spec{Policy: engine.PolicyOfPoints(c.margin, c.variety)}}
	player := engine.Player[P]{Engine: &e, Level: c.level, Random: c.rng}
	pick, found, err := player.FromBook(c.line)
	switch {
	case err != nil:
		c.out.note("%v: it plays %s", err, g.MoveName(p, pick.Move))
		return answer{}, false
	case !found:
		return answer{}, false
	}
	a.best = g.MoveName(p, pick.Move)
	if pick.Reply {
		a.ponder = g.MoveName(p.Play(pick.Move), pick.Ponder)
	}
	c.out.note("book %s, %d points, chosen from %s", a.best, pick.Points, g.MoveNames(p, pick.From...))
	return a, true
}

func (c *session[P]) setBook(value string) error {
	var o opening[P]
	switch value {
	case "", empty:
		o = c.givenBook()
	case engine.NoBook:
	default:
		var err error
		if o, err = c.openBook(value); err != nil {
			return err
		}
	}
	c.book.close()
	c.book = o
	c.reportBook()
	return nil
}

// reportBook describes the book if the game has books.
func (c *session[P]) reportBook() {
	switch o := c.book; {
	case c.kit.Book == nil:
	case o.refused != nil:
		c.out.note("no book: %v", o.refused)
	case o.book == nil:
		c.out.note("no book")
	case o.rules != c.rules:
		c.out.note("no book: it is for %s", o.rules)
	case !c.ownBook:
		c.out.note("book of %d positions, not used: OwnBook is false", o.book.Len())
	default:
		c.out.note("book of %d positions", o.book.Len())
	}
}
