package dropout

import (
	"cmp"
	"errors"
	"fmt"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/spec"
)

// defaultWidth is the number of leaves in flight: some forty searches, enough
// to keep a pool of a few workers busy. Take two leaves a worker for more.
const defaultWidth = 8

// Config is what is to be built.
type Config struct {
	Rules      oware.Rules
	Root       oware.Position   // the zero value represents the start position
	Sides      book.Sides       // "" represents book.ForBoth: alternately a leaf for South's book and one for North's
	Cover      []oware.Position // expanded before all others, in this order: see [Cover]
	Omega      float64          // plies a seed, not negative; 0 is a choice, not the default
	Fractional bool             // a node with few sensible moves counts less than a ply: see the package comment
	Window     float64          // seeds: leaves further from the root's own search are not expanded; 0 for no window
	Width      int              // leaves in flight; 0 represents defaultWidth
	Stop       Stop             // when to stop; something must be set
	Limits     search.Limits    // of each search; at least one is needed

	Prober search.Prober[oware.Position] // of endgame tables, nil for none
	Engine string                        // what the pool and the Prober are, to keep a log from being continued with something else
	Log    string                        // file of the finished searches, made if it is not there; "" for none
}

// normal fills in the defaults and refuses what makes no sense.
func (c Config) normal() (Config, error) {
	if c.Root == (oware.Position{}) {
		c.Root = oware.Start(c.Rules)
	}
	if c.Sides == "" {
		c.Sides = book.ForBoth
	}
	if c.Width == 0 {
		c.Width = defaultWidth
	}
	if err := c.checkBook(); err != nil {
		return c, err
	}
	return c, c.checkWork()
}

// checkBook checks what the book is.
func (c Config) checkBook() error {
	if err := errors.Join(c.Rules.Check(), book.CheckRules(c.Rules)); err != nil {
		return err
	}
	if c.Root.Rules() != c.Rules {
		return fmt.Errorf("the root is a position of %v, the rules are %v", c.Root.Rules(), c.Rules)
	}
	if _, over := c.Root.Terminal(); over {
		return errors.New("the game is over at the root")
	}
	return checkSettings(c.Sides, c.Omega, c.Window, c.Width)
}

// checkSettings checks what a [BookConfig] and a [Config] both have.
func checkSettings(sides book.Sides, omega, window float64, width int) error {
	return spec.Check(&BookConfig{
		Sides: string(sides), Omega: omega, Window: window, Width: cmp.Or(width, defaultWidth), Config: engine.Config{HashMB: 1},
	})
}

// checkWork checks how it is to be built.
func (c Config) checkWork() error {
	if l := c.Limits; l.Depth < 0 || l.Nodes < 0 || l.Time < 0 || l == (search.Limits{}) {
		return fmt.Errorf("limits %+v: expected a depth, a number of nodes or a time above 0", l)
	}
	return c.Stop.check()
}
