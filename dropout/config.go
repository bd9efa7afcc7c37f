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

// defaultWidth is the number of leaves in flight: about forty searches, enough to keep a pool of a
// few workers busy. For more workers use two leaves per worker.
const defaultWidth = 8

// Config describes the book to build.
type Config struct {
	Rules  oware.Rules
	Root   oware.Position   // the zero value means the start position
	Sides  book.Sides       // "" means book.ForBoth: leaves for South's and North's book in turn
	Cover  []oware.Position // expanded before all other leaves, in this order: see [Cover]
	Omega  float64          // plies per seed, 0 or more; 0 is not replaced by a default
	Width  int              // leaves in flight; 0 means defaultWidth
	Stop   Stop             // at least one limit must be set
	Limits search.Limits    // of each search; at least one must be set

	Prober search.Prober[oware.Position] // endgame tables; may be nil
	Engine string                        // identifies the pool and the Prober; a log is only continued with the same
	Log    string                        // file of the finished searches, created if missing; "" means no log
}

// normal fills in the defaults and returns an error for settings that make no sense.
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

// checkBook checks the settings of the book.
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
	return checkSettings(c.Sides, c.Omega, c.Width)
}

// checkSettings checks the settings that [BookConfig] and [Config] share.
func checkSettings(sides book.Sides, omega float64, width int) error {
	return spec.Check(&BookConfig{
		Sides: string(sides), Omega: omega, Width: cmp.Or(width, defaultWidth), Config: engine.Config{HashMB: 1},
	})
}

// checkWork checks the settings of the job.
func (c Config) checkWork() error {
	if l := c.Limits; l.Depth < 0 || l.Nodes < 0 || l.Time < 0 || l == (search.Limits{}) {
		return fmt.Errorf("limits %+v: expected a depth, a number of nodes or a time above 0", l)
	}
	return c.Stop.check()
}
