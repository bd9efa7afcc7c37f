package book

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kroo/games/oware"
)

// Merge joins two books for the same rules. The result has all positions of both, with consistent
// values. A position in both gets the values of a, since a player compares the values within an
// entry, and they should come from the same searches. Then, from the ends of the lines back to their
// beginning, every move to a position of the union gets the negative of the best value there, and a
// move that closes a cycle gets the result that the rules give for the repetition. The caller
// provides the header.
//
// Merge returns an error for books that are for different rules or not sound.
func Merge(ctx context.Context, a, b *Book) ([]Entry, error) {
	rules, err := commonRules(a, b)
	if err != nil {
		return nil, fmt.Errorf("cannot merge: %w", err)
	}
	for _, b := range []*Book{a, b} {
		if err := b.CheckSound(ctx, rules); err != nil {
			return nil, fmt.Errorf("cannot merge: %w", err)
		}
	}
	merged := slices.Concat(a.entries, b.entries)
	slices.SortStableFunc(merged, func(x, y Entry) int { return cmp.Compare(x.Key, y.Key) })
	return consistent(ctx, slices.CompactFunc(merged, func(x, y Entry) bool { return x.Key == y.Key }), rules)
}

// commonRules returns the rules of two books.
func commonRules(a, b *Book) (oware.Rules, error) {
	ra, err := a.Rules()
	if err != nil {
		return 0, err
	}
	rb, err := b.Rules()
	if err == nil && ra != rb {
		err = fmt.Errorf("one book is for the rules %q, the other for %q: expected the same", ra, rb)
	}
	return ra, err
}

// consistent makes the values of entries consistent.
func consistent(ctx context.Context, entries []Entry, rules oware.Rules) ([]Entry, error) {
	g, err := newGraph(ctx, &Book{entries: entries}, rules)
	if err != nil {
		return nil, err
	}
	g.propagate()
	return g.entries, nil
}
