package match

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"

	"kroo/games/oware"
)

// openings gives every pair its opening: of those given, in order, or random.
func (c *Config) openings() ([]Opening, error) {
	if len(c.Openings) == 0 {
		return c.randomOpenings()
	}
	if c.OpeningPlies != 0 || c.Seed != 0 {
		return nil, fmt.Errorf("match: %d random plies, seed %d, with openings given: expected 0 for both", c.OpeningPlies, c.Seed)
	}
	if c.Pairs > len(c.Openings) && !c.RepeatOpenings {
		return nil, fmt.Errorf("match: %d pairs from %d openings: ask for fewer pairs, give more openings or let them be repeated", c.Pairs, len(c.Openings))
	}
	for i, o := range c.Openings {
		if err := c.checkOpening(o); err != nil {
			return nil, fmt.Errorf("match: opening %d: %w", i+1, err)
		}
	}
	openings := make([]Opening, c.Pairs)
	for i := range openings {
		openings[i] = c.Openings[i%len(c.Openings)]
	}
	return openings, nil
}

func (c *Config) randomOpenings() ([]Opening, error) {
	lines, err := Openings(c.Rules, c.Pairs, c.OpeningPlies, c.Seed)
	if err != nil {
		return nil, err
	}
	openings := make([]Opening, len(lines))
	for i, moves := range lines {
		openings[i] = Opening{oware.Start(c.Rules), moves}
	}
	return openings, nil
}

// checkOpening refuses what no game can go on from.
func (c *Config) checkOpening(o Opening) error {
	g, err := o.Game()
	if err != nil {
		return err
	}
	_, reason, over := g.Over()
	switch {
	case o.Start.Rules() != c.Rules:
		return fmt.Errorf("under %s rules: expected %s", o.Start.Rules(), c.Rules)
	case over:
		return fmt.Errorf("it ends the game (%s)", reason)
	case c.MaxPlies != 0 && c.MaxPlies <= len(o.Moves):
		return fmt.Errorf("%d plies: expected fewer than the %d at which games are adjudicated", len(o.Moves), c.MaxPlies)
	}
	return nil
}

// openingsHash tells lists of openings apart; "" is that of none.
func openingsHash(openings []Opening) string {
	if len(openings) == 0 {
		return ""
	}
	h := sha256.New()
	for _, o := range openings {
		fmt.Fprintln(h, o.Start, o.Moves)
	}
	return hex.EncodeToString(h.Sum(nil))[:16]
}
