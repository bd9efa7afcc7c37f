package run

import (
	"cmp"
	"fmt"
	"slices"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/match"
	"kroo/regress"
	"kroo/sampler"
)

// A part is what a configuration says of one subject, which alone knows the limits of
// its settings.
type part struct {
	name     string
	settings interface{ Check() error }
}

// fit is the settings of a fit of oware's patterns.
type fit regress.PatternConfig

// Check refuses what is out of range. The sets are the same for all rules.
func (f fit) Check() error {
	return regress.CheckPatterns(patterns.PatternSets, "", regress.PatternConfig(f))
}

// named is a part of a configuration that others change or look at.
type named[T any] struct {
	name string
	of   *T
}

// matches returns all matches of the run, in the order of the configuration.
func (c *Config) matches() (list []named[match.Config]) {
	if c.counts() {
		list = append(list, named[match.Config]{"match", &c.Match})
	}
	if c.BookPlay != nil {
		list = append(list, named[match.Config]{"book_play", &c.BookPlay.Config})
	}
	if c.Champion != nil {
		list = append(list, named[match.Config]{"champion_match", c.Champion})
	}
	if c.Patterns != nil {
		list = append(list, named[match.Config]{"patterns.match", &c.Patterns.Match})
	}
	for i := range c.Rounds {
		round, name := &c.Rounds[i], roundName(i)
		if round.Screen != nil {
			list = append(list, named[match.Config]{name + "screen", round.Screen})
		}
		list = append(list, named[match.Config]{name + "gate", &round.Gate})
	}
	for i := range c.Finals {
		list = append(list, named[match.Config]{finalName(i), &c.Finals[i].Config})
	}
	return list
}

// searches returns the settings of all searches of the run, those of its matches included.
func (c *Config) searches() (list []named[engine.Config]) {
	list = c.programs()
	for _, m := range c.matches() {
		list = append(list, named[engine.Config]{m.name, &m.of.Config})
	}
	return list
}

// programs returns the settings of the searches that a program of [engine] does, but for games
// that positions are taken from.
func (c *Config) programs() (list []named[engine.Config]) {
	if c.counts() {
		list = append(list, named[engine.Config]{"label", &c.Label}, named[engine.Config]{"book", &c.Book.Config})
	}
	for i := range c.Rounds {
		list = append(list, named[engine.Config]{roundName(i) + "labels", &c.Rounds[i].Labels})
	}
	return list
}

// samples returns the settings of all positions.
func (c *Config) samples() (list []*sampler.Config) {
	if c.counts() {
		list = append(list, &c.Training, &c.Validation)
	}
	for i := range c.Rounds {
		list = append(list, &c.Rounds[i].Positions)
	}
	return list
}

// parts returns all settings that their subjects check.
func (c *Config) parts() (list []part) {
	if c.counts() {
		list = append(list, part{"training", c.Training}, part{"validation", c.Validation}, part{"fit", c.Fit},
			part{"book", dropout.Request{BookConfig: c.Book}})
	}
	if c.BookPlay != nil {
		list = append(list, part{"book_play", c.BookPlay.BookPolicy})
	}
	if c.Noise != nil {
		list = append(list, part{"noise", c.Noise})
	}
	if c.Patterns != nil {
		list = append(list, part{"patterns.fit", fit(c.Patterns.Fit)})
	}
	for i, round := range c.Rounds {
		name := roundName(i)
		list = append(list, part{name + "positions", round.Positions}, part{name + "fit", fit(round.Fit)})
		if round.Noise != nil {
			list = append(list, part{name + "noise", round.Noise})
		}
	}
	for _, s := range c.searches() {
		list = append(list, part{s.name, s.of})
	}
	for _, m := range c.matches() {
		list = append(list, part{m.name, m.of})
	}
	return list
}

func roundName(i int) string { return fmt.Sprintf("round %d: ", i+1) }
func finalName(i int) string { return fmt.Sprintf("final %d", i+1) }

// check checks a configuration: its parts, and what they must be to make a run.
func (c *Config) check() error {
	rules, err := oware.ParseRules(c.Rules)
	if err == nil && c.counts() { // which grows a book
		err = book.CheckRules(rules)
	}
	if err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	if !c.counts() && len(c.Rounds) == 0 {
		return fmt.Errorf("nothing to do: expected [training] and what follows, or a [[round]]")
	}
	if c.Workers < 0 || c.Workers > parallel.MaxWorkers {
		return fmt.Errorf("workers is %d: expected 0 to %d", c.Workers, parallel.MaxWorkers)
	}
	if err := c.Engine.Check(); err != nil {
		return fmt.Errorf("engine: %w", err)
	}
	for _, p := range c.parts() {
		if err := p.settings.Check(); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return cmp.Or(c.checkCounts(), c.checkRounds(), c.checkFinals(), c.checkOpenings())
}

// checkCounts checks what a run of seed counts wants of its parts.
func (c *Config) checkCounts() error {
	if !c.counts() {
		return nil
	}
	if _, err := patterns.Sets.ByName(c.Features.Set); err != nil {
		return fmt.Errorf("features.set: %w", err)
	}
	for _, s := range []named[sampler.Config]{{"training", &c.Training}, {"validation", &c.Validation}} {
		switch {
		case !slices.Contains([]string{sampler.Uniform, sampler.PPS}, s.of.Method):
			return fmt.Errorf("%s: method is %q: expected %s or %s", s.name, s.of.Method, sampler.Uniform, sampler.PPS)
		case s.of.N < leastSample:
			return fmt.Errorf("%s: n is %d: expected at least %d positions for a fit", s.name, s.of.N, leastSample)
		case s.of.Split != 0:
			return fmt.Errorf("%s: split is %g: expected none, [training] and [validation] are drawn one by one", s.name, s.of.Split)
		}
	}
	return nil
}

// leastSample is how many positions a fit of seed counts is worth being made of.
const leastSample = 100

// checkRounds checks what the rounds want of their parts.
func (c *Config) checkRounds() error {
	for i, round := range c.Rounds {
		name := roundName(i)
		if !(round.Positions.Split > 0) {
			return fmt.Errorf("%spositions: split is %g: expected a share above 0 for validation", name, round.Positions.Split)
		}
		if round.Keep < 0 || round.Keep > i {
			return fmt.Errorf("%skeep is %d: expected 0 to %d, the rounds before", name, round.Keep, i)
		}
	}
	return nil
}

// checkFinals checks the opponents of the last champion.
func (c *Config) checkFinals() error {
	if len(c.Finals) > 0 && len(c.Rounds) == 0 {
		return fmt.Errorf("final: nothing to play with: expected a [[round]]")
	}
	for i, f := range c.Finals {
		if f.Only != "" {
			if _, err := oware.ParseRules(f.Only); err != nil {
				return fmt.Errorf("%s: only_rules: %w", finalName(i), err)
			}
		}
		if f.Opponent == "" {
			return fmt.Errorf("%s: no opponent: expected the name of an evaluation, or a weights file", finalName(i))
		}
	}
	return nil
}

// fewOpenings is the length of opening from which on there are openings enough:
// oware has some 900 different positions after four plies.
const fewOpenings = 5

// checkOpenings checks that no match asks for more short openings than there are,
// which would otherwise show after hours of searches.
func (c *Config) checkOpenings() error {
	for _, m := range c.matches() {
		if m.of.OpeningPlies >= fewOpenings {
			continue
		}
		if _, err := match.Openings(oware.Descriptor(), c.Rules, m.of.Pairs, m.of.OpeningPlies, 0); err != nil {
			return fmt.Errorf("%s: %w", m.name, err)
		}
	}
	return nil
}
