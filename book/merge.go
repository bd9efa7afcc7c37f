package book

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"kroo/games/oware"
	"kroo/internal/spec"
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

// PruneConfig says which entries to keep: those that a game from a root can reach while the player
// of the book stays within the limits.
type PruneConfig struct {
	Plies int      `name:"plies" range:"0.." help:"keep the positions before this ply of the game (0 is all)"`
	Loss  *float64 `name:"loss" range:"0..48" help:"most seeds that a move of the book's player may lose to the best (default any)"`
	Sides Sides    `name:"side" default:"both" choices:"south north both" help:"whose player: south, north or both"` // an entry is kept if either needs it; the opponent plays any move of the book
}

// Sides is the side, or sides, that play from a book.
type Sides string

// The sides that a book can serve.
const (
	ForSouth Sides = "south"
	ForNorth Sides = "north"
	ForBoth  Sides = "both"
)

// Players returns the sides.
func (s Sides) Players() []oware.Side {
	sides := []oware.Side{oware.South, oware.North}
	return slices.DeleteFunc(sides, func(side oware.Side) bool {
		return side == oware.South && s == ForNorth || side == oware.North && s == ForSouth
	})
}

// Prune returns the entries to keep, with their values. A root is an entry that no move of another
// entry leads to, such as the start position. Moves to removed entries keep their values. The others
// are made consistent as by [Merge]: a move to an entry gets the negative of its best value, also
// where endgame tables had bounded the move.
func Prune(ctx context.Context, b *Book, rules oware.Rules, c PruneConfig) ([]Entry, error) {
	if err := spec.Check(&c); err != nil {
		return nil, err
	}
	g, err := newGraph(ctx, b, rules)
	if err != nil {
		return nil, err
	}
	keep := make([]bool, len(g.entries))
	for _, side := range c.Sides.Players() {
		g.keep(c, side, keep)
	}
	var kept []Entry
	for i, e := range g.entries {
		if keep[i] {
			kept = append(kept, e)
		}
	}
	return consistent(ctx, kept, rules)
}

// keep marks the entries that the player of a side needs.
func (g *graph) keep(c PruneConfig, side oware.Side, keep []bool) {
	near := make([]bool, len(g.entries)) // entries where games go on within the limits
	g.walk(g.roots(), func(i, plies int) {
		near[i] = c.Plies == 0 || plies+1 < c.Plies
		keep[i] = true
	}, func(l link) bool {
		if !near[l.from] {
			return false
		}
		_, best := g.entries[l.from].Best()
		ours := g.position(l.from).ToMove() == side
		return !ours || c.Loss == nil || g.score(l) >= best-Points(*c.Loss)
	})
}
