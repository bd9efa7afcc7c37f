package uci

import "kroo/engine"

// tables are endgame tables that are opened when a search needs them.
type tables[P any] struct {
	path   string // "" for the ones of the program
	opened engine.Tables[P]
	given  bool // opened is that of the engine, and stays open
	tried  bool
}

// openTables gives the tables, nil if there are none. Why there are none it
// says once.
func (c *session[P]) openTables() engine.Tables[P] {
	t := &c.tables
	if t.tried || t.path == engine.NoTables || c.kit.Tables == nil {
		return t.opened
	}
	t.tried = true
	opened, err := c.kit.Tables(t.path, c.rules)
	if err != nil {
		c.out.note("no endgame tables: %v", err)
		return nil
	}
	if t.path != "" { // a file or folder that somebody named
		c.tellTables(opened)
	}
	t.opened = opened
	return opened
}

// tellTables says what was opened, and that it was checked: opening a file compares all its
// checksums and refuses values that no position can have.
func (c *session[P]) tellTables(t engine.Tables[P]) {
	c.out.note("endgame tables: %s; checksums and values are right", t.Name())
}

func (t *tables[P]) close() {
	if t.opened != nil && !t.given {
		t.opened.Close()
	}
	t.opened = nil
}

// setDefaultTables goes back to the tables of the engine.
func (c *session[P]) setDefaultTables() {
	e := c.server.engine
	t := tables[P]{path: e.Spec.Search.Tables}
	if e.Tables != nil && c.rules == e.Rules {
		t.opened, t.given, t.tried = e.Tables, true, true
	}
	c.useTables(t)
}

func (c *session[P]) useTables(t tables[P]) {
	c.tables.close()
	c.tables = t
	c.dropSearcher()
}

// setTables carries out the option. It opens a file at once, and refuses one
// that cannot be used.
func (c *session[P]) setTables(value string) error {
	if value == empty {
		value = ""
	}
	t := tables[P]{path: value}
	if value != "" && value != engine.NoTables {
		var err error
		if t.opened, err = c.kit.Tables(value, c.rules); err != nil {
			return err
		}
		c.tellTables(t.opened)
		t.tried = true
	}
	c.useTables(t)
	return nil
}

// dropChanged gives up tables and a book whose file was changed under the service, and
// says so.
func (c *session[P]) dropChanged() {
	if err := engine.FileErr(c.tables.opened); err != nil {
		c.out.note("no endgame tables any more: %v", err)
		c.useTables(tables[P]{path: c.tables.path, tried: true})
	}
	if err := engine.FileErr(c.book.book); err != nil {
		c.out.note("no book any more: %v", err)
		c.book.close()
		c.book = opening[P]{refused: err}
	}
}
