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

// A part is a group of settings that its package validates.
type part struct {
	name     string
	settings interface{ Check() error }
}

// fit is the settings of a fit of oware's patterns.
type fit regress.PatternConfig

// Check validates the settings, with the sets for all rules.
func (f fit) Check() error {
	return regress.CheckPatterns(patterns.PatternSets, "", regress.PatternConfig(f))
}

// named is a part of a configuration with its name.
type named[T any] struct {
	name string
	of   *T
}

// matches returns the settings of all matches of the run, in the order of the configuration.
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

// searches returns the settings of all searches of the run, including those of its matches.
func (c *Config) searches() (list []named[engine.Config]) {
	list = c.programs()
	for _, m := range c.matches() {
		list = append(list, named[engine.Config]{m.name, &m.of.Config})
	}
	return list
}

// programs returns the settings of the searches of the program of [engine], except games for
// positions.
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

// parts returns all settings that their packages validate.
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

// check validates a configuration: its parts, and that they make a run.
func (c *Config) check() error {
	rules, err := oware.ParseRules(c.Rules)
	if err == nil && c.counts() { // the run grows a book
		err = book.CheckRules(rules)
	}
	if err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	if !c.counts() && len(c.Rounds) == 0 {
		return fmt.Errorf("nothing to do: expected [training] and the sections after it, or a [[round]]")
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

// checkCounts checks the additional requirements of a run of seed counts.
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
			return fmt.Errorf("%s: split is %g: expected 0, because [training] and [validation] are drawn separately", s.name, s.of.Split)
		}
	}
	return nil
}

// leastSample is the minimum number of positions for a fit of seed counts.
const leastSample = 100

// checkRounds checks the additional requirements of rounds.
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

// fewOpenings is the opening length from which there are enough different openings: after four
// plies oware has only some 900 positions.
const fewOpenings = 5

// checkOpenings checks that no match needs more short openings than exist, an error that would
// otherwise occur after hours of searches.
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
