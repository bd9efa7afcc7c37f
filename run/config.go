package run

import (
	"cmp"
	"embed"
	"fmt"
	"reflect"
	"slices"
	"time"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/spec"
	"kroo/internal/wording"
	"kroo/match"
	"kroo/regress"
	"kroo/sampler"
)

// Config is everything that a run depends on. It is read from a TOML file; [Preset] returns
// embedded ones with comments, to start from.
//
// A run fits seed counts to random boards (training to book_play), or trains weights in rounds
// of play (round, final), or both.
type Config struct {
	Rules   string `name:"rules" help:"a rule set of oware: abapa, awari, simple or simple-to-end"`
	Seed    uint64 `name:"seed" help:"random seed of the run"`
	Workers int    `name:"workers" range:"0..1024" made:"-" help:"searches at a time; 0: one per processor"`

	Training   sampler.Config       `name:"training" help:"the sample the weights are fitted to"`
	Validation sampler.Config       `name:"validation" help:"for measuring only, never fitted"`
	Label      engine.Config        `name:"label" help:"the search that gives each position its value"`
	Noise      *sampler.NoiseConfig `name:"noise" help:"label noise: repeated searches of the same positions"`
	Features   FeatureConfig        `name:"features" help:"the features that the weights are fitted to"`
	Fit        regress.Config       `name:"fit" help:"the fit of the weights"`
	Match      match.Config         `name:"match" help:"fitted weights against captures-only"`
	Champion   *match.Config        `name:"champion_match" help:"fitted weights against those that the program comes with"`
	Patterns   *Patterns            `name:"patterns" help:"patterns fitted to the same labels, for comparison"`
	Book       dropout.BookConfig   `name:"book" help:"drop-out expansion from the start position"`
	BookPlay   *BookPlay            `name:"book_play" help:"fitted weights with the book against the same without it"`

	Rounds []Round `name:"round" help:"a round of training by play; several make a champion"`
	Finals []Final `name:"final" help:"a match of the last champion against an opponent"`
}

// fitsCounts reports whether the run fits seed counts.
func (c *Config) fitsCounts() bool { return c.Training.N > 0 }

// BookPlay is the settings of a match of play with the book against play without it.
type BookPlay struct {
	match.Config
	engine.BookPolicy // policy of the player with the book
}

// Patterns is the settings of the fit of patterns to the labels of the seed counts, and of their
// match against the seed counts.
type Patterns struct {
	Fit   regress.PatternConfig `name:"fit" help:"the fit of patterns"`
	Match match.Config          `name:"match" help:"patterns against the selected seed counts"`
}

// FeatureConfig names the feature set.
type FeatureConfig struct {
	Set string `name:"set" help:"a set of features: see train help sets"`
}

//go:embed presets/*.toml
var presets embed.FS

// PresetNames are the embedded configurations, smallest first.
var PresetNames = []string{"quick", "evening", "thesis", "full"}

// Preset returns the text of an embedded configuration.
func Preset(name string) (string, error) {
	text, err := presets.ReadFile("presets/" + name + ".toml")
	if err != nil {
		return "", fmt.Errorf("unknown preset %q: %s", name, wording.Expect(name, PresetNames))
	}
	return string(text), nil
}

// ParseConfig reads a configuration, and returns an error for unknown names and invalid values.
// name is for errors.
func ParseConfig(text, name string) (*Config, error) {
	c, err := decode(text)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// decode reads a configuration and checks only the ranges of its settings.
func decode(text string) (*Config, error) {
	c := new(Config)
	return c, spec.Decode(text, c, "`train run --print-config` prints a configuration with every setting")
}

// Text returns a configuration file with every setting, its help and its range.
func (c *Config) Text() string { return spec.Encode(c) }

// Changes are what a command line changes of a configuration; zero values leave it as it is.
type Changes struct {
	Rules string
	// Limit is one limit (nodes, depth or time) of the first labels. Other searches get the same depth, or
	// nodes or time in proportion to their own. Matches change only if they are limited by time and the
	// others are to be reproducible, by nodes.
	Limit engine.Config
}

// Adapt rewrites a configuration, and notes the changes in a comment. name is for errors.
func Adapt(text, name string, to Changes) (string, error) {
	if to == (Changes{}) {
		return text, nil
	}
	c, err := decode(text)
	how := ""
	if to.Rules != "" {
		c.Rules, how = to.Rules, how+", under "+to.Rules+" rules"
	}
	if to.Limit != (engine.Config{}) && err == nil {
		how += ", labels limited by " + to.Limit.String()
		err = c.limit(to.Limit)
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	text = fmt.Sprintf("# %s%s\n", name, how) + c.Text()
	_, err = ParseConfig(text, name)
	return text, err
}

// limit changes the limits of searches, as [Changes] describes.
func (c *Config) limit(to engine.Config) error {
	label := c.Label
	if !c.fitsCounts() && len(c.Rounds) > 0 {
		label = c.Rounds[0].Labels
	}
	for _, s := range parts[*sampler.Config](c) {
		if e := s.of.Searches(); s.of.Plays() {
			s.of.Nodes, s.of.Depth, s.of.MoveTime = scaleLimits(label, e, to)
		}
	}
	for _, s := range parts[*engine.Config](c) {
		if !c.ofMatch(s.of) || to.Nodes > 0 && s.of.MoveTime.Duration > 0 {
			s.of.Nodes, s.of.Depth, s.of.MoveTime = scaleLimits(label, *s.of, to)
		}
		if to.Nodes > 0 && !s.of.Reproducible() {
			return fmt.Errorf("%s: searches with %s are not reproducible: expected one thread each", s.name, s.of)
		}
	}
	if to.Nodes > 0 { // a clock limits searches by time too
		for _, m := range c.matches() {
			m.of.TimeControl = engine.TimeControl{}
		}
	}
	return nil
}

// scaleLimits returns the limits of a search when those of a label change to others.
func scaleLimits(label, search, to engine.Config) (nodes int64, depth int, movetime engine.Duration) {
	share := 1.0
	switch timed := label.MoveTime.Duration > 0; {
	case label.Nodes > 0 && search.Nodes > 0:
		share = float64(search.Nodes) / float64(label.Nodes)
	case timed && search.MoveTime.Duration > 0:
		share = float64(search.MoveTime.Duration) / float64(label.MoveTime.Duration)
	case timed && search.Nodes > 0 && to.Nodes > 0: // has such a limit already
		return search.Nodes, search.Depth, search.MoveTime
	}
	if to.Nodes > 0 {
		nodes = max(1, int64(share*float64(to.Nodes)))
	}
	if to.MoveTime.Duration > 0 {
		movetime.Duration = max(time.Millisecond, time.Duration(share*float64(to.MoveTime.Duration)))
	}
	return nodes, to.Depth, movetime
}

// named is a part of a configuration with its name.
type named[T any] struct {
	name string
	of   T
}

// parts returns the parts of type T of the sections that are given, in order.
func parts[T any](c *Config) (list []named[T]) {
	v := reflect.ValueOf(c).Elem()
	for i := range v.NumField() {
		if c.fitsCounts() || !v.Field(i).IsZero() {
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

// ofMatch reports whether a search belongs to a match.
func (c *Config) ofMatch(e *engine.Config) bool {
	return slices.ContainsFunc(c.matches(), func(m named[*match.Config]) bool { return e == &m.of.Config })
}

// check validates a configuration: its parts, and that they make a run.
func (c *Config) check() error {
	rules, err := oware.ParseRules(c.Rules)
	if err == nil && c.fitsCounts() { // the run grows a book
		err = book.CheckRules(rules)
	}
	if err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	if !c.fitsCounts() && len(c.Rounds) == 0 {
		return fmt.Errorf("nothing to do: expected [training] and the sections after it, or a [[round]]")
	}
	for _, p := range parts[any](c) {
		if err := checkPart(p.of); err != nil {
			return fmt.Errorf("%s: %w", p.name, err)
		}
	}
	return cmp.Or(c.checkCounts(), c.checkRounds(), c.checkOpenings())
}

// checkPart validates settings by their package.
func checkPart(part any) error {
	switch p := part.(type) {
	case *dropout.BookConfig:
		return dropout.Request{BookConfig: *p}.Check()
	case *regress.PatternConfig:
		return regress.CheckPatterns(owarefeatures.Sets, *p)
	case interface{ Check() error }:
		return p.Check()
	}
	return nil
}

// checkCounts checks the additional requirements of a run of seed counts.
func (c *Config) checkCounts() error {
	if !c.fitsCounts() {
		return nil
	}
	if _, err := owarefeatures.Sets.ByName(c.Features.Set); err != nil {
		return fmt.Errorf("features.set: %w", err)
	}
	for _, s := range []named[*sampler.Config]{{"training", &c.Training}, {"validation", &c.Validation}} {
		switch {
		case !slices.Contains([]string{sampler.Uniform, sampler.PPS}, s.of.Method):
			return fmt.Errorf("%s: method is %q: expected %s or %s", s.name, s.of.Method, sampler.Uniform, sampler.PPS)
		case s.of.N < leastSample:
			return fmt.Errorf("%s: n is %d: expected at least %d positions for a fit", s.name, s.of.N, leastSample)
		case s.of.Split != 0:
			return fmt.Errorf("%s: split is %g: expected 0, because [training] and [validation] are drawn separately",
				s.name, s.of.Split)
		}
	}
	return nil
}

// leastSample is the minimum number of positions for a fit of seed counts.
const leastSample = 100

// checkRounds checks the additional requirements of rounds, and the opponents of the last champion.
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
	for i, f := range c.Finals {
		switch _, err := oware.ParseRules(cmp.Or(f.Only, c.Rules)); {
		case err != nil:
			return fmt.Errorf("final %d: only_rules: %w", i+1, err)
		case f.Opponent == "":
			return fmt.Errorf("final %d: no opponent: expected the name of an evaluation, or a weights file", i+1)
		case len(c.Rounds) == 0:
			return fmt.Errorf("final %d: nothing to play with: expected a [[round]]", i+1)
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
		if m.of.Openings == "" && m.of.OpeningPlies < fewOpenings {
			if _, err := match.Openings(oware.Descriptor(), c.Rules, m.of.Pairs, m.of.OpeningPlies, 0, false); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
		}
	}
	return nil
}
