package run

import (
	"cmp"
	"embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"kroo/dropout"
	"kroo/engine"
	"kroo/features/oware/thesis"
	"kroo/games/oware"
	"kroo/internal/oneline"
	"kroo/internal/vfs"
	"kroo/match"
	"kroo/regress"
	"kroo/sampler"
)

// Config says everything a run depends on. It is read from a TOML file;
// [Preset] gives embedded ones, commented for people to start from.
//
// A run fits seed counts to boards drawn at random (training to book_play), or
// trains weights in rounds of play (round, final), or does both.
type Config struct {
	Rules   string `toml:"rules"`   // a rule set of oware
	Seed    uint64 `toml:"seed"`    // of every random choice in the run
	Workers int    `toml:"workers"` // searches at a time; 0 is one a processor

	Training   sampler.Config     `toml:"training,omitempty"`
	Validation sampler.Config     `toml:"validation,omitempty"`
	Label      engine.Config      `toml:"label,omitempty"`
	Noise      *Noise             `toml:"noise,omitempty"` // of the labels
	Features   FeatureConfig      `toml:"features,omitempty"`
	Fit        regress.Config     `toml:"fit,omitempty"`
	Match      match.Config       `toml:"match,omitempty"`
	Patterns   *Patterns          `toml:"patterns,omitempty"`
	Book       dropout.BookConfig `toml:"book,omitempty"`
	BookPlay   BookPlay           `toml:"book_play,omitempty"`

	Rounds []Round `toml:"round,omitempty"`
	Finals []Final `toml:"final,omitempty"`
}

// counts tells whether the run fits seed counts.
func (c *Config) counts() bool { return c.Training.N > 0 }

// Patterns says how patterns are fitted to the labels of the seed counts, and
// what their match against the seed counts is like.
type Patterns struct {
	Fit   regress.PatternConfig `toml:"fit"`
	Match match.Config          `toml:"match"`
}

// FeatureConfig names the feature set.
type FeatureConfig struct {
	Set string `toml:"set"`
}

//go:embed presets/*.toml
var presets embed.FS

// PresetNames are the embedded configurations, smallest first.
var PresetNames = []string{"quick", "thesis", "full"}

// Preset returns the text of an embedded configuration.
func Preset(name string) (string, error) {
	text, err := presets.ReadFile("presets/" + name + ".toml")
	if err != nil {
		return "", fmt.Errorf("unknown preset %q: expected one of %s", name, strings.Join(PresetNames, ", "))
	}
	return string(text), nil
}

// ReadConfigFile returns the text of a configuration file, refusing one of
// unlikely size.
func ReadConfigFile(path string) (string, error) {
	const limit = 1 << 20
	info, err := vfs.Stat(path)
	if err != nil {
		return "", fmt.Errorf("cannot read configuration: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return "", fmt.Errorf("%s: not a configuration: expected a text file of at most %d bytes", path, limit)
	}
	text, err := vfs.ReadFile(path)
	return string(text), err
}

// ParseConfig reads a configuration, refusing names it does not know and
// values that make no sense. name goes into errors.
func ParseConfig(text, name string) (*Config, error) {
	var c Config
	meta, err := toml.Decode(text, &c)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, oneline.Short(err.Error()))
	}
	if err := checkSeed(text); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: unknown setting %q: `train run --print-config` prints a configuration with every setting", name, unknown[0])
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &c, nil
}

// checkSeed refuses a negative seed, of which the decoder makes a large one.
func checkSeed(text string) error {
	var c struct {
		Seed int64 `toml:"seed"`
	}
	if _, err := toml.Decode(text, &c); err != nil {
		return errors.New(oneline.Short(err.Error()))
	}
	if c.Seed < 0 {
		return fmt.Errorf("seed is %d: expected 0 or more", c.Seed)
	}
	return nil
}

// bound is one numeric setting and its range.
type bound struct {
	name        string
	v, min, max float64
}

func (c *Config) check() error {
	if _, err := oware.ParseRules(c.Rules); err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	if !c.counts() && len(c.Rounds) == 0 {
		return fmt.Errorf("nothing to do: expected [training] and what follows, or a [[round]]")
	}
	if err := inRange([]bound{{"workers", float64(c.Workers), 0, 1024}}); err != nil {
		return err
	}
	if c.counts() {
		if err := c.checkCounts(); err != nil {
			return err
		}
	}
	if err := c.checkRounds(); err != nil {
		return err
	}
	return c.checkOpenings()
}

// checkCounts checks the settings of a run of seed counts.
func (c *Config) checkCounts() error {
	if _, err := thesis.ByName(c.Features.Set); err != nil {
		return fmt.Errorf("features.set: %w", err)
	}
	for _, w := range []struct {
		name, value string
		allowed     []string
	}{
		{"training.method", c.Training.Method, []string{"uniform", "pps"}},
		{"validation.method", c.Validation.Method, []string{"uniform", "pps"}},
		{"fit.select", c.Fit.Select, regress.Selections()},
		{"fit.beside", cmp.Or(c.Fit.Beside, regress.SelectNone), regress.Selections()},
		{"book.sides", c.Book.Sides, []string{"both", "south", "north"}},
	} {
		if !slices.Contains(w.allowed, w.value) {
			return fmt.Errorf("%s is %q: expected %s", w.name, w.value, strings.Join(w.allowed, " or "))
		}
	}
	for _, name := range c.Fit.Proven {
		if err := regress.CheckReading(name); err != nil {
			return fmt.Errorf("fit.proven: %w", err)
		}
	}
	for _, s := range []struct {
		name   string
		sample sampler.Config
	}{{"training", c.Training}, {"validation", c.Validation}} {
		if err := s.sample.Check(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
		if s.sample.Split != 0 {
			return fmt.Errorf("%s.split is %g: expected none, [training] and [validation] are drawn one by one", s.name, s.sample.Split)
		}
	}
	if err := inRange([]bound{
		{"training.n", float64(c.Training.N), 100, 1e8},
		{"validation.n", float64(c.Validation.N), 100, 1e8},
		{"fit.tolerance", c.Fit.Tolerance, 0, 1},
		{"fit.ridge", c.Fit.Ridge, 0, 1e12},
		{"match.pairs", float64(c.Match.Pairs), 1, 1e6},
		{"match.opening_plies", float64(c.Match.OpeningPlies), 0, 40},
		{"book_play.pairs", float64(c.BookPlay.Pairs), 1, 1e6},
		{"book_play.opening_plies", float64(c.BookPlay.OpeningPlies), 0, 40},
		{"book.expansions", float64(c.Book.Expansions), 1, 1e8},
		{"book.omega", c.Book.Omega, 0, 1e6},
		{"book.window", c.Book.Window, 0, oware.Seeds},
		{"book.width", float64(c.Book.Width), 0, dropout.MaxWidth},
	}); err != nil {
		return err
	}
	for _, s := range []struct {
		name   string
		config engine.Config
	}{{"label", c.Label}, {"match", c.Match.Config}, {"book", c.Book.Config}, {"book_play", c.BookPlay.Config.Config}} {
		if err := s.config.Check(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	if c.Noise != nil {
		if err := c.Noise.check(); err != nil {
			return err
		}
	}
	if err := c.BookPlay.BookPolicy.Check(); err != nil {
		return fmt.Errorf("book_play: %w", err)
	}
	if p := c.Patterns; p != nil {
		if err := p.Fit.Check(); err != nil {
			return fmt.Errorf("patterns.fit: %w", err)
		}
		return checkConditions("patterns.match", p.Match)
	}
	return nil
}

// checkRounds checks the settings of the rounds and the finals.
func (c *Config) checkRounds() error {
	for i, round := range c.Rounds {
		if err := round.check(i); err != nil {
			return fmt.Errorf("round %d: %w", i+1, err)
		}
	}
	if len(c.Finals) > 0 && len(c.Rounds) == 0 {
		return fmt.Errorf("final: nothing to play with: expected a [[round]]")
	}
	for i, f := range c.Finals {
		name := fmt.Sprintf("final %d", i+1)
		if f.Only != "" {
			if _, err := oware.ParseRules(f.Only); err != nil {
				return fmt.Errorf("%s.only_rules: %w", name, err)
			}
		}
		if f.Opponent == "" {
			return fmt.Errorf("%s: no opponent: expected the name of an evaluation, or a weights file", name)
		}
		if err := checkConditions(name, f.Config); err != nil {
			return err
		}
	}
	return nil
}

// check checks a round, the i-th from 0.
func (c Round) check(i int) error {
	if err := c.Positions.Check(); err != nil {
		return fmt.Errorf("positions: %w", err)
	}
	if !(c.Positions.Split > 0) {
		return fmt.Errorf("positions.split is %g: expected a share above 0 for validation", c.Positions.Split)
	}
	if err := c.Labels.Check(); err != nil {
		return fmt.Errorf("labels: %w", err)
	}
	if c.Noise != nil {
		if err := c.Noise.check(); err != nil {
			return err
		}
	}
	if err := inRange([]bound{{"keep", float64(c.Keep), 0, float64(i)}}); err != nil {
		return err
	}
	if err := c.Fit.Check(); err != nil {
		return fmt.Errorf("fit: %w", err)
	}
	if c.Screen != nil {
		if err := c.Screen.check("screen"); err != nil {
			return err
		}
	}
	return c.Gate.check("gate")
}

func (c Gate) check(name string) error {
	if c.SPRT != "" {
		if _, err := c.test(); err != nil {
			return fmt.Errorf("%s.sprt: %w", name, err)
		}
	}
	return checkConditions(name, c.Config)
}

func checkConditions(name string, c match.Config) error {
	if err := inRange([]bound{{name + ".pairs", float64(c.Pairs), 1, 1e6}, {name + ".opening_plies", float64(c.OpeningPlies), 0, 40}}); err != nil {
		return err
	}
	if err := c.Config.Check(); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	return nil
}

func inRange(bounds []bound) error {
	for _, b := range bounds {
		if !(b.v >= b.min && b.v <= b.max) {
			return fmt.Errorf("%s is %g: expected %g to %g", b.name, b.v, b.min, b.max)
		}
	}
	return nil
}
