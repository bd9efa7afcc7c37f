package uci

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"kroo/engine"
	"kroo/internal/vfs"
)

// checkFile returns an error if path is not a regular file: opening a pipe could block forever.
func checkFile(path string) error {
	info, err := vfs.Stat(path)
	if err == nil && !info.Mode().IsRegular() {
		err = fmt.Errorf("%s is not a regular file", quote(path))
	}
	return err
}

// setWeights loads an evaluation by name or by the path of a weights file.
func (c *session[P]) setWeights(value string) error {
	e := c.server.engine.Eval
	if value != "" && value != empty {
		err := checkFile(value)
		if err == nil || errors.Is(err, fs.ErrNotExist) {
			e, err = c.kit.Evaluation(value, c.rules)
		}
		if err != nil {
			return err
		}
	}
	c.chosen = e
	c.useEvaluation()
	return nil
}

// useEvaluation uses the chosen evaluation if it is for the current rules, else the game's default.
func (c *session[P]) useEvaluation() {
	c.eval = c.chosen
	if c.chosen.CheckRules(c.rules) != nil {
		e, err := c.kit.Evaluation("", c.rules)
		if err != nil {
			c.out.note("cannot load the default evaluation: %v", err)
			return
		}
		c.eval = e
	}
	c.dropSearcher() // its hash table is for the old evaluation
	c.reportEvaluation()
}

func (c *session[P]) reportEvaluation() {
	reason := ""
	if c.chosen.CheckRules(c.rules) != nil {
		reason = fmt.Sprintf(", because %s is for %s", nameOf(c.chosen), c.chosen.Rules)
	}
	c.out.note("evaluation %s%s", nameOf(c.eval), reason)
}

// nameOf returns the displayed name of an evaluation: for weights, file and hash.
func nameOf[P any](e engine.Evaluation[P]) string {
	if e.File == "" {
		return e.Name
	}
	return e.File + " " + strings.TrimPrefix(e.Name, "weights ")
}

// opening is a book; nil means none.
type opening[P any] struct {
	engine.Book[P]
	owned   bool  // opened by the session
	refused error // why the default book is not used
}

// openBook opens a book file, the default book, or the engine's book, which is the default book if it
// has none.
func (c *session[P]) openBook(value string) (o opening[P], err error) {
	given := value == "" || value == empty
	switch {
	case value == engine.NoBook || c.kit.Book == nil:
		return o, nil
	case given && c.server.engine.Book != nil:
		return opening[P]{Book: c.server.engine.Book}, nil
	case given:
		value = engine.DefaultName
	case value != engine.DefaultName:
		err = checkFile(value)
	}
	if err == nil {
		o.Book, err = c.kit.Book(value, "")
	}
	if o.owned = err == nil; given {
		o.refused, err = err, nil
	}
	return o, err
}

func (c *session[P]) setBook(value string) error {
	o, err := c.openBook(value)
	if err != nil {
		return err
	}
	c.book.close()
	c.book = o
	c.reportBook()
	return nil
}

func (o opening[P]) close() {
	if o.owned {
		o.Close()
	}
}

// bookRules returns the rules of the book: the game's default if it does not name any.
func (c *session[P]) bookRules() string { return cmp.Or(c.book.Rules(), c.kit.Game.Rules[0]) }

// reportBook describes the book if the game has books.
func (c *session[P]) reportBook() {
	switch o := c.book; {
	case c.kit.Book == nil:
	case o.refused != nil:
		c.out.note("no book: %v", o.refused)
	case o.Book == nil:
		c.out.note("no book")
	case c.bookRules() != c.rules:
		c.out.note("no book: it is for %.60s", c.bookRules())
	case !c.ownBook:
		c.out.note("book of %d positions, not used: OwnBook is false", o.Len())
	default:
		c.out.note("book of %d positions", o.Len())
	}
}

// fromBook returns a random book move, and the reply that the book expects, if the book can be used
// in this game.
func (c *session[P]) fromBook() (a answer, ok bool) {
	if !c.ownBook || c.book.Book == nil || c.bookRules() != c.rules {
		return answer{}, false
	}
	g, p := c.kit.Game, c.line.Position()
	e := engine.Engine[P]{Kit: c.kit, Book: c.book, Tables: c.openTables(), Spec: engine.Spec{Policy: engine.PolicyOfPoints(c.margin, c.variety)}}
	player := engine.Player[P]{Engine: &e, Level: c.level, Random: c.rng}
	pick, found, err := player.FromBook(c.line)
	if err != nil {
		c.out.note("%v: it plays %s", err, g.MoveName(p, pick.Move))
	}
	if err != nil || !found {
		return answer{}, false
	}
	a.best = g.MoveName(p, pick.Move)
	if pick.Reply {
		a.ponder = g.MoveName(p.Play(pick.Move), pick.Ponder)
	}
	c.out.note("book %s, %d points, chosen from %s", a.best, pick.Points, g.MoveNames(p, pick.From...))
	return a, true
}

// tables are endgame tables, opened when a search needs them.
type tables[P any] struct {
	path   string // "" means the default tables
	opened engine.Tables[P]
	given  bool // opened belongs to the engine and is not closed
	tried  bool
}

// openTables returns the tables, or nil. It reports an error only once.
func (c *session[P]) openTables() engine.Tables[P] {
	t := &c.tables
	if t.tried || t.path == engine.NoTables || c.kit.Tables == nil {
		return t.opened
	}
	t.tried = true
	var err error
	if t.opened, err = c.kit.Tables(t.path, c.rules); err != nil {
		c.out.note("no endgame tables: %v", err)
		t.opened = nil
	} else if t.path != "" { // opening a file verifies its checksums and the range of its values
		c.out.note("endgame tables: %s; checksums and values verified", t.opened.Name())
	}
	return t.opened
}

// useTables replaces the tables.
func (c *session[P]) useTables(t tables[P]) {
	c.tables.close()
	c.tables = t
	c.dropSearcher()
}

func (t *tables[P]) close() {
	if t.opened != nil && !t.given {
		t.opened.Close()
	}
	t.opened = nil
}

// setDefaultTables restores the tables of the engine.
func (c *session[P]) setDefaultTables() {
	e := c.server.engine
	t := tables[P]{path: e.Spec.Search.Tables}
	if e.Tables != nil && c.rules == e.Rules {
		t.opened, t.given, t.tried = e.Tables, true, true
	}
	c.useTables(t)
}

// setTables implements the option. A file is opened immediately, so that errors are reported.
func (c *session[P]) setTables(value string) error {
	t := tables[P]{path: strings.TrimPrefix(value, empty)}
	if t.path != "" && t.path != engine.NoTables {
		opened, err := c.kit.Tables(t.path, c.rules)
		if err != nil {
			return err
		}
		opened.Close()
	}
	c.useTables(t)
	c.openTables()
	return nil
}

// dropChanged stops using tables and a book whose file has changed since it was opened.
func (c *session[P]) dropChanged() {
	if err := engine.FileErr(c.tables.opened); err != nil {
		c.out.note("endgame tables no longer used: %v", err)
		c.useTables(tables[P]{path: c.tables.path, tried: true})
	}
	if err := engine.FileErr(c.book.Book); err != nil {
		c.out.note("book no longer used: %v", err)
		c.book.close()
		c.book = opening[P]{refused: err}
	}
}
