package book

import (
	"fmt"

	"kroo/games/oware"
)

// RulesOf returns the rules that a book's header names, abapa if it names none.
func RulesOf(path string) (oware.Rules, error) {
	b, err := Open(path)
	if err != nil {
		return 0, err
	}
	defer b.Close()
	name := b.Header().Get(FieldRules)
	if name == "" {
		return oware.Abapa, nil
	}
	r, err := oware.ParseRules(name)
	if err != nil {
		return 0, fmt.Errorf("%s: %w", path, err)
	}
	return r, nil
}
