package book

import (
	"context"
	"slices"

	"kroo/games/oware"
	"kroo/internal/spec"
)

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
// entry leads to, such as the start position. Values keep what they got from removed lines, except
// that a move to an entry which no longer closes a cycle takes the value of that entry.
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
		return !ours || c.Loss == nil || g.score(l) >= best-points(*c.Loss)
	})
}
