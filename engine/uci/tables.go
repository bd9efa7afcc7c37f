package uci

import (
	"kroo/endgame"
	"kroo/games/oware"
)

// noTables as the value of Tables means to do without.
const noTables = "none"

// tables are endgame tables that are opened when a search needs them.
type tables struct {
	rules  oware.Rules
	path   string // "" for the ones of the program
	opened *endgame.Table
	tried  bool
}

// open gives the table, nil if there is none. Why there is none it says once.
func (t *tables) open(out *output) *endgame.Table {
	if t.tried || t.path == noTables {
		return t.opened
	}
	t.tried = true
	var err error
	if t.opened, err = endgame.Find(t.path, t.rules); err != nil {
		out.note("no endgame tables: %v", err)
		return nil
	}
	return t.opened
}

func (t *tables) close() {
	if t.opened != nil {
		t.opened.Close()
		t.opened = nil
	}
}

// setDefaultTables goes back to the tables of the configuration.
func (c *session) setDefaultTables() { c.useTables(c.cfg.Tables) }

func (c *session) useTables(path string) {
	c.tables.close()
	c.tables = tables{rules: c.rules, path: path}
	c.searcher = nil
}

// setTables carries out the option. A file that cannot be used is told at once.
func (c *session) setTables(value string) error {
	if value == empty {
		value = ""
	}
	if value != "" && value != noTables {
		found, err := endgame.Find(value, c.rules)
		if err != nil {
			return err
		}
		found.Close()
	}
	c.useTables(value)
	return nil
}
