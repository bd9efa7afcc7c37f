package run

import (
	"fmt"

	"kroo/games/oware"
	"kroo/match"
)

// fewOpenings is the length of opening from which on there are openings enough:
// oware has some 900 different positions after four plies.
const fewOpenings = 5

// checkOpenings checks that no match asks for more short openings than there are,
// which would otherwise show after hours of searches.
func (c *Config) checkOpenings() error {
	matches := map[string]match.Config{"match": c.Match, "book_play": c.BookPlay.Config}
	if c.Patterns != nil {
		matches["patterns.match"] = c.Patterns.Match
	}
	for i, r := range c.Rounds {
		matches[fmt.Sprintf("round %d: gate", i+1)] = r.Gate.Config
		if r.Screen != nil {
			matches[fmt.Sprintf("round %d: screen", i+1)] = r.Screen.Config
		}
	}
	for i, f := range c.finals() {
		matches[fmt.Sprintf("final %d", i+1)] = f.Config
	}
	for name, m := range matches {
		if m.Pairs == 0 || m.OpeningPlies >= fewOpenings {
			continue
		}
		if _, err := match.Openings(oware.Descriptor(), c.Rules, m.Pairs, m.OpeningPlies, 0); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}
