package book

import (
	"context"
	"fmt"

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
func Merge(ctx context.Context, a, b *Book) (entries []Entry, err error) {
	err = readBoth(a, b, func() error {
		entries, err = merge(ctx, a, b)
		return err
	})
	return entries, err
}

func readBoth(a, b *Book, f func() error) error {
	return a.read(func() error { return b.read(f) })
}

func merge(ctx context.Context, a, b *Book) ([]Entry, error) {
	rules, err := soundFor(ctx, a, b)
	if err != nil {
		return nil, fmt.Errorf("cannot merge: %w", err)
	}
	merged := make([]Entry, 0, a.Len()+b.Len())
	pair(a, b, func(x, y *Entry) {
		if x == nil {
			x = y
		}
		merged = append(merged, *x)
	})
	return consistent(ctx, merged, rules)
}

// soundFor returns the common rules of two books, and an error unless both are sound.
func soundFor(ctx context.Context, a, b *Book) (oware.Rules, error) {
	rules, err := commonRules(a, b)
	if err != nil {
		return 0, err
	}
	if err := a.CheckSound(ctx, rules); err != nil {
		return 0, err
	}
	return rules, b.CheckSound(ctx, rules)
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

// pair walks through two books in the order of keys and calls visit with the entries of each key,
// nil for a book without the key.
func pair(a, b *Book, visit func(x, y *Entry)) {
	for i, j := 0, 0; i < a.Len() || j < b.Len(); {
		var x, y Entry
		if i < a.Len() {
			x = a.At(i)
		}
		if j < b.Len() {
			y = b.At(j)
		}
		switch {
		case j == b.Len() || i < a.Len() && x.Key < y.Key:
			i++
			visit(&x, nil)
		case i == a.Len() || y.Key < x.Key:
			j++
			visit(nil, &y)
		default:
			i, j = i+1, j+1
			visit(&x, &y)
		}
	}
}

// consistent makes the values of entries consistent.
func consistent(ctx context.Context, entries []Entry, rules oware.Rules) ([]Entry, error) {
	g, err := newGraph(ctx, inMemory(entries), rules)
	if err != nil {
		return nil, err
	}
	g.propagate()
	return g.entries, nil
}

// inMemory returns a book of the entries, without a header.
func inMemory(entries []Entry) *Book {
	b := &Book{entries: make([]byte, 0, len(entries)*entrySize)}
	for _, e := range entries {
		b.entries = e.appendTo(b.entries)
	}
	b.fences = b.newFences()
	return b
}
