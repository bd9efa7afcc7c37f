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

// FileName returns the name of the table for the rules in a folder of tables.
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

// File returns the file that Find opens: the path, or the table for the rules in it if it
// is a folder.
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

// defaultSeeds is the highest level of the default tables.
const defaultSeeds = 12

// abapa is the default table for abapa, with sharp bounds. Compression makes the program 4 MB
// smaller; unpacking takes a few milliseconds at first use. To rebuild it:
//
//	train endgame build --rules abapa --seeds 12 --resolve 12 -o endgame
//	zstd --ultra -22 --no-check endgame/abapa.endgame
//
//go:embed abapa.endgame.zst
var abapa []byte

// defaults makes each table once, at first use. Simple-to-end shares the table of simple,
// because values do not depend on the stores.
var defaults = [...]func() (*Table, error){
	oware.Abapa:       sync.OnceValues(func() (*Table, error) { return parse("the default table", mapfile.Unpack(abapa)) }),
	oware.Awari:       sync.OnceValues(func() (*Table, error) { return buildDefault(oware.Awari) }),
	oware.Simple:      simple,
	oware.SimpleToEnd: simple,
}

var simple = sync.OnceValues(func() (*Table, error) { return buildDefault(oware.Simple) })

// Default returns the table that comes with the program. The first call unpacks and checks
// the table of abapa in about ten milliseconds, or builds that of other rules in about a
// second. Closing a default table does not affect later calls.
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
