package book

import (
	_ "embed"
	"fmt"
	"sync"

	"kroo/games/oware"
	"kroo/internal/mapfile"
	"kroo/internal/vfs"
)

// DefaultName names the built-in book wherever a path of a book is expected.
const DefaultName = "default"

//go:embed default.bin.zst
var packedBook []byte

var defaultBook = sync.OnceValue(func() []byte { return mapfile.Unpack(packedBook) })

// read returns the bytes of the book at a path, or of the built-in one.
func read(path string) ([]byte, error) {
	if path == DefaultName {
		return defaultBook(), nil
	}
	return vfs.ReadFile(path)
}

// FindFor is [Open] for play under rules by name; "" means the rules of the book. It
// refuses a book for other rules, and accepts one that names no rules.
func FindFor(path, rules string) (b *Book, r oware.Rules, err error) {
	if rules != "" {
		if r, err = oware.ParseRules(rules); err == nil {
			err = CheckRules(r)
		}
		if err != nil {
			return nil, r, err
		}
	}
	if b, err = Open(path); err != nil {
		return nil, r, err
	}
	if rules == "" {
		if r, err = b.Rules(); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
	} else {
		err = b.checkRules(path, r)
	}
	if err != nil {
		return nil, r, err
	}
	return b, r, nil
}

// CheckRules returns an error for rules that books cannot serve: under those of [oware.Arena] the
// value of a position depends on the plies left in the game, which a book does not record.
func CheckRules(rules oware.Rules) error {
	if rules == oware.Arena {
		return fmt.Errorf("no opening books for %s: there the value of a position depends on the plies left", rules)
	}
	return nil
}

func (b *Book) checkRules(path string, rules oware.Rules) error {
	named := b.header.Get(FieldRules)
	switch {
	case named == "" || named == rules.String():
		return nil
	case path == DefaultName:
		return fmt.Errorf("there is no default book for %s: expected a file, or the rules %s", rules, named)
	}
	return fmt.Errorf("%s: a book for %s: expected %s", path, named, rules)
}

// Rules returns the rules that the header names. For a header without them, as in books of Sala
// Soler 2014, these are those of abapa.
func (b *Book) Rules() (oware.Rules, error) {
	name := b.header.Get(FieldRules)
	if name == "" {
		return oware.Abapa, nil
	}
	r, err := oware.ParseRules(name)
	if err == nil {
		err = CheckRules(r)
	}
	return r, err
}
