package run

import (
	"cmp"
	"fmt"
	"reflect"
	"slices"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/match"
	"kroo/regress"
	"kroo/sampler"
)

// named is a part of a configuration with its name.
type named[T any] struct {
	name string
	of   T
}

// parts returns the parts of type T of the sections that are given, in order.
func parts[T any](c *Config) (list []named[T]) {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if c.counts() || !v.Field(i).IsZero() {
			walk(v.Field(i), v.Type().Field(i).Tag.Get("name"), "", func(name string, part any) {
				if of, ok := part.(T); ok {
					list = append(list, named[T]{name, of})
				}
			})
		}
	}
	return list
}

// walk calls see with a pointer to each struct in v, and its name as in errors of files.
func walk(v reflect.Value, name, sep string, see func(name string, part any)) {
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			walk(v.Elem(), name, sep, see)
		}
	case reflect.Slice:
		for i := range v.Len() {
			walk(v.Index(i), fmt.Sprintf("%s %d", name, i+1), ": ", see)
		}
	case reflect.Struct:
		see(name, v.Addr().Interface())
		for i := range v.NumField() {
			switch f := v.Type().Field(i); {
			case f.Anonymous:
				walk(v.Field(i), name, sep, see)
			case f.Tag.Get("name") != "" && f.Tag.Get("name") != ".": // "." is checked by the struct around it
				walk(v.Field(i), name+cmp.Or(sep, ".")+f.Tag.Get("name"), "", see)
			}
		}
	}
}

// matches returns the settings of all matches of the run.
func (c *Config) matches() []named[*match.Config] { return parts[*match.Config](c) }

// searches returns the settings of all searches but those of matches and of games for positions.
func (c *Config) searches() []named[*engine.Config] {
	return slices.DeleteFunc(parts[*engine.Config](c), func(s named[*engine.Config]) bool {
		return slices.ContainsFunc(c.matches(), func(m named[*match.Config]) bool { return s.of == &m.of.Config })
	})
}

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
	for _, p := range parts[any](c) {
		if err := checkPart(p.of); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return cmp.Or(c.checkCounts(), c.checkRounds(), c.checkFinals(), c.checkOpenings())
}

// checkPart validates settings by their package.
func checkPart(part any) error {
	switch p := part.(type) {
	case *dropout.BookConfig:
		return dropout.Request{BookConfig: *p}.Check()
	case *regress.PatternConfig:
		return regress.CheckPatterns(patterns.PatternSets, "", *p)
	case interface{ Check() error }:
		return p.Check()
	}
	return nil
}

// checkCounts checks the additional requirements of a run of seed counts.
func (c *Config) checkCounts() error {
	if !c.counts() {
		return nil
	}
	if _, err := patterns.Sets.ByName(c.Features.Set); err != nil {
		return fmt.Errorf("features.set: %w", err)
	}
	for _, s := range parts[*sampler.Config](c)[:2] {
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
		name := fmt.Sprintf("round %d: ", i+1)
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
				return fmt.Errorf("%s: only_rules: %w", fmt.Sprintf("final %d", i+1), err)
			}
		}
		if f.Opponent == "" {
			return fmt.Errorf("%s: no opponent: expected the name of an evaluation, or a weights file", fmt.Sprintf("final %d", i+1))
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
