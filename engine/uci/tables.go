package uci

import "kroo/engine"

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
	opened, err := c.kit.Tables(t.path, c.rules)
	if err != nil {
		c.out.note("no endgame tables: %v", err)
		return nil
	}
	if t.path != "" { // a named file or folder
		c.reportTables(opened)
	}
	t.opened = opened
	return opened
}

// reportTables reports opened tables. Opening a file verifies its checksums and the range of its values.
func (c *session[P]) reportTables(t engine.Tables[P]) {
	c.out.note("endgame tables: %s; checksums and values verified", t.Name())
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

func (c *session[P]) useTables(t tables[P]) {
	c.tables.close()
	c.tables = t
	c.dropSearcher()
}

// setTables implements the option. A file is opened immediately, so that errors are reported.
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
		c.reportTables(t.opened)
		t.tried = true
	}
	c.useTables(t)
	return nil
}

// dropChanged stops using tables and a book whose file has changed since it was opened.
func (c *session[P]) dropChanged() {
	if err := engine.FileErr(c.tables.opened); err != nil {
		c.out.note("endgame tables no longer used: %v", err)
		c.useTables(tables[P]{path: c.tables.path, tried: true})
	}
	if err := engine.FileErr(c.book.book); err != nil {
		c.out.note("book no longer used: %v", err)
		c.book.close()
		c.book = opening[P]{refused: err}
	}
}
