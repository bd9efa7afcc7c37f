package book

import (
	"context"
	"fmt"

	"kroo/games/oware"
)

// CheckSound returns an error for a book with a fault in an entry. Everything that computes with
// values, plays by them or rewrites them calls it first. It does not check whether entries are
// consistent with each other, since Merge and Prune make them so.
func (b *Book) CheckSound(ctx context.Context, rules oware.Rules) (first error) {
	for i := 0; i < b.Len() && first == nil; i++ {
		if i%checkEvery == 0 && ctx.Err() != nil {
			return context.Cause(ctx)
		}
		b.entryFaults(rules, i, func(kind Kind, board, text string) {
			if first == nil {
				first = b.unsound(fmt.Errorf("entry %d %s: %s: %s", i, board, kind, text))
			}
		})
	}
	return first
}

// unsound returns the error for a fault of the book.
func (b *Book) unsound(fault error) error {
	err := fmt.Errorf("%w: `train book verify` lists the errors", fault)
	if b.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", b.name, err)
}
