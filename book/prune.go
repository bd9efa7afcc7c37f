package book

import (
	"context"
	"fmt"
	"slices"

	"kroo/games/oware"
)

// PruneConfig says which entries to keep: those that a game from a root of the book
// can reach while the player of the book keeps to the limits.
type PruneConfig struct {
	Plies  int   `name:"plies" range:"0.." help:"keep the positions before this ply of the game (0 is all)"`
	Margin int   `name:"margin" default:"-1" range:"-1.." help:"how much worse than the best a move of the book's player may be, in points (42 are a seed; -1 is any)"`
	Sides  Sides `name:"side" default:"both" choices:"south north both" help:"whose player: south, north or both"` // an entry is kept if either needs it; the opponent plays any move of the book
}

// Sides says which side plays from a book, and so whom it is for.
type Sides string

// The sides a book can serve.
const (
	ForSouth Sides = "south"
	ForNorth Sides = "north"
	ForBoth  Sides = "both"
)

// Players are the sides.
func (s Sides) Players() []oware.Side {
	sides := []oware.Side{oware.South, oware.North}
	return slices.DeleteFunc(sides, func(side oware.Side) bool {
		return side == oware.South && s == ForNorth || side == oware.North && s == ForSouth
	})
}

// Check refuses sides that there are not.
func (s Sides) Check() error {
	if !slices.Contains([]Sides{"", ForSouth, ForNorth, ForBoth}, s) {
		return fmt.Errorf("unknown sides %q: expected south, north or both", string(s))
	}
	return nil
}

// Check refuses limits that make no sense.
func (c PruneConfig) Check() error {
	if err := c.Sides.Check(); err != nil {
		return err
	}
	if c.Plies < 0 {
		return fmt.Errorf("%d plies: expected 0 (all) or more", c.Plies)
	}
	return nil
}

// Prune returns the entries to keep, with their values. A root is an entry that no
// move of another leads to, such as the start. Values that a longer line has given
// to a move stay, except that a move to an entry which no longer closes a cycle
// takes the value of that entry.
func Prune(ctx context.Context, b *Book, rules oware.Rules, c PruneConfig) ([]Entry, error) {
	if err := c.Check(); err != nil {
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
	near := make([]bool, len(g.entries)) // a game continues from here
	g.walk(g.roots(), func(i, plies int) {
		near[i] = c.Plies == 0 || plies+1 < c.Plies
		keep[i] = true
	}, func(l link) bool {
		if !near[l.from] {
			return false
		}
		_, best := g.entries[l.from].Best()
		ours := g.position(l.from).ToMove() == side
		return !ours || c.Margin < 0 || g.score(l) >= best-c.Margin
	})
}
