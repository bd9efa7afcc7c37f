package uci

import (
	"slices"

	"kroo/book"
	"kroo/games/oware"
)

// opening is a book and the rules it serves.
type opening struct {
	book    *book.Book // nil for none
	rules   oware.Rules
	owned   bool // opened by the session
	refused bool // the one of the Config names unknown rules
}

// givenBook is the book of the Config.
func (c *session) givenBook() opening {
	if c.cfg.Book == nil {
		return opening{}
	}
	rules, ok := bookRules(c.cfg.Book)
	if !ok {
		return opening{refused: true}
	}
	return opening{book: c.cfg.Book, rules: rules}
}

// openBook opens a file.
func openBook(path string) (opening, error) {
	if err := checkFile(path); err != nil {
		return opening{}, err
	}
	b, err := book.Open(path)
	if err != nil {
		return opening{}, err
	}
	rules, ok := bookRules(b)
	if !ok {
		b.Close()
		return opening{}, errBookRules
	}
	return opening{book: b, rules: rules, owned: true}, nil
}

// bookRules tells the rules of a book; not ok if it names unknown ones.
func bookRules(b *book.Book) (r oware.Rules, ok bool) {
	name := b.Header().Get(book.FieldRules)
	if name == "" {
		return oware.Abapa, true
	}
	r, err := oware.ParseRules(name)
	return r, err == nil
}

func (o opening) close() {
	if o.owned {
		o.book.Close()
	}
}

// fromBook chooses a move of the book, if it has the position and its values
// can be trusted in this game.
func (c *session) fromBook() (best string, ok bool) {
	if !c.ownBook || c.book.book == nil || c.book.rules != c.rules {
		return "", false
	}
	p := c.game.Position()
	entry, ok := c.book.book.Lookup(p.BookKey())
	if !ok {
		return "", false
	}
	choices := entry.Choices(c.margin)
	for _, m := range choices {
		if !p.IsLegal(m) {
			c.out.note("the book is wrong about this position: it plays %s", letters(p, m))
			return "", false
		}
	}
	if len(choices) == 0 || c.recurs(p, choices) {
		return "", false
	}
	m := choices[0]
	if c.margin == 0 {
		m, _ = entry.Best()
	} else if len(choices) > 1 {
		m = choices[c.rng.IntN(len(choices))]
	}
	best = letters(p, m)
	c.out.note("book %s, %d points, chosen from %s", best, entry.Scores[m], letters(p, choices...))
	return best, true
}

// recurs tells whether the position, or one after a choice, has been before.
func (c *session) recurs(p oware.Position, choices []oware.Move) bool {
	history := c.game.History()
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
