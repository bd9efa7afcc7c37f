package endgame

import (
	"errors"
	"fmt"
	"path/filepath"

	"kroo/games/oware"
	"kroo/internal/vfs"
)

// FileName returns the name of a rule set's table in a folder of tables.
func FileName(r oware.Rules) string { return r.String() + ".endgame" }

// Find opens a table for the rules. path is a file, a folder of tables, or "" for
// the default table.
func Find(path string, rules oware.Rules) (*Table, error) {
	if path == "" {
		return Default(rules)
	}
	if _, err := ParseBounds("", rules); err != nil {
		return nil, err
	}
	path = File(path, rules)
	t, err := Open(path)
	if err != nil {
		return nil, err
	}
	if t.rules != rules {
		return nil, errors.Join(fmt.Errorf("%s: a table for %s: expected %s", path, t.rules, rules), t.Close())
	}
	return t, nil
}

// File is the file that a path of Find names: the path itself, or the one for the rules
// in a folder.
func File(path string, rules oware.Rules) string {
	if info, err := vfs.Stat(path); err != nil || !info.IsDir() {
		return path
	}
	folder, err := vfs.Resolve(path)
	if err != nil {
		return path
	}
	return filepath.Join(folder, FileName(rules))
}
