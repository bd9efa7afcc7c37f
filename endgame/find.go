package endgame

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"path/filepath"
	"sync"

	"kroo/games/oware"
	"kroo/internal/mapfile"
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

// defaultSeeds is the most seeds in play of the default tables.
const defaultSeeds = 12

// abapa is the default table for abapa, with sharp bounds. Unpacking takes some milliseconds
// where the table is used, and spares 4 MB of the program. To build it again:
//
//	train endgame build --rules abapa --seeds 12 --resolve 12 -o endgame
//	zstd --ultra -22 --no-check endgame/abapa.endgame
//
//go:embed abapa.endgame.zst
var abapa []byte

// defaults make each table once, at first use. That of simple-to-end is simple's: the
// values do not depend on the stores.
var defaults = [...]func() (*Table, error){
	oware.Abapa:       sync.OnceValues(func() (*Table, error) { return parse("the default table", mapfile.Unpack(abapa)) }),
	oware.Awari:       sync.OnceValues(func() (*Table, error) { return buildDefault(oware.Awari) }),
	oware.Simple:      simple,
	oware.SimpleToEnd: simple,
}

var simple = sync.OnceValues(func() (*Table, error) { return buildDefault(oware.Simple) })

// Default returns the table that comes with the program. The first call unpacks
// and checks the table of abapa, in some ten milliseconds, or builds those of the other rules, in
// about a second. Closing a default table has no effect on the next call.
func Default(r oware.Rules) (*Table, error) {
	if err := r.Check(); err != nil {
		return nil, err
	}
	if _, err := ParseBounds("", r); err != nil {
		return nil, err
	}
	t, err := defaults[r]()
	if err != nil {
		return nil, err
	}
	shared := *t // so that closing one does not close all
	shared.rules = r
	return &shared, nil
}

func buildDefault(r oware.Rules) (*Table, error) {
	return Build(context.Background(), Config{Rules: r, Bounds: Exact, Seeds: defaultSeeds, Made: "at first use"}, nil)
}
