package book

import (
	"context"
	"fmt"

	"kroo/games/oware"
)

// CheckSound refuses a book with a fault in an entry, or in the list of searched moves
// of its header. All that computes with values, plays by them or writes them again asks
// it, so that none of them takes what Verify calls a fault. Whether entries agree with
// each other it does not ask: Merge and Prune make them agree.
func (b *Book) CheckSound(ctx context.Context, rules oware.Rules) error {
	return b.read(func() error {
		if _, err := b.passes(); err != nil {
			return b.unsound(err)
		}
		var first error
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
	})
}

// unsound is the error for a fault of the book.
func (b *Book) unsound(fault error) error {
	err := fmt.Errorf("%w: `train book verify` lists the faults", fault)
	if b.name == "" {
		return err
	}
	return fmt.Errorf("%s: %w", b.name, err)
}

// entryFaults calls report for every fault that entry i has on its own or by its place
// among the others. board is its position, "" if the key is none.
func (b *Book) entryFaults(rules oware.Rules, i int, report func(kind Kind, board, text string)) {
	e := b.At(i)
	p, err := oware.FromBookKey(rules, e.Key)
	fault := func(kind Kind, format string, args ...any) {
		board := ""
		if err == nil {
			board = p.String()
		}
		report(kind, board, fmt.Sprintf(format, args...))
	}
	if i > 0 {
		switch before := b.key(i - 1); {
		case e.Key < before:
			fault(badOrder, "key %d after %d", e.Key, before)
		case e.Key == before:
			fault(duplicate, "key %d a second time", e.Key)
		}
	}
	if err != nil {
		fault(badKey, "key %d: %v", e.Key, err)
		return
	}
	if !p.Reachable() {
		fault(unreachable, "a store holds exactly one seed")
	}
	legal, valued := p.Legal(), e.legal()
	if _, over := p.Terminal(); over {
		fault(gameOver, "the game is over: no move to choose")
		legal = valued
	}
	if legal&^valued != 0 {
		fault(legalUnmarked, "houses with values %06b, legal %06b (leftmost house last)", valued, legal)
	}
	if valued&^legal != 0 {
		fault(illegalValued, "houses with values %06b, legal %06b (leftmost house last)", valued, legal)
	}
	for h, s := range e.Scores {
		if s != Illegal && (s > maxScore || s < -maxScore) {
			fault(badScore, "house %d: %d points: expected -%d to %d", h+1, s, maxScore, maxScore)
			break
		}
	}
}
