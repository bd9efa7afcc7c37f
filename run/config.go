package run

import (
	"embed"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"

	"kroo/dropout"
	"kroo/engine"
	"kroo/features"
	"kroo/games/oware"
	"kroo/match"
	"kroo/regress"
	"kroo/sampler"
)

// Config says everything a run depends on. It is read from a TOML file;
// [Preset] gives embedded ones, commented for people to start from.
type Config struct {
	Rules   string `toml:"rules"`   // abapa, awari or simple
	Seed    uint64 `toml:"seed"`    // of every random choice in the run
	Workers int    `toml:"workers"` // searches at a time; 0 is one a processor

	Training   sampler.Config     `toml:"training"`
	Validation sampler.Config     `toml:"validation"`
	Label      engine.Config      `toml:"label"`
	Features   FeatureConfig      `toml:"features"`
	Fit        regress.Config     `toml:"fit"`
	Match      match.Conditions   `toml:"match"`
	Book       dropout.BookConfig `toml:"book"`
	BookPlay   match.Conditions   `toml:"book_play"`
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
	info, err := os.Stat(path)
	if err != nil {
		return "", fmt.Errorf("cannot read configuration: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > limit {
		return "", fmt.Errorf("%s: not a configuration: expected a text file of at most %d bytes", path, limit)
	}
	text, err := os.ReadFile(path)
	return string(text), err
}

// ParseConfig reads a configuration, refusing names it does not know and
// values that make no sense. name goes into errors.
func ParseConfig(text, name string) (*Config, error) {
	var c Config
	meta, err := toml.Decode(text, &c)
	if err != nil {
		return nil, fmt.Errorf("%s: %s", name, oneLine(err.Error()))
	}
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("%s: unknown setting %q: `train run --print-config` prints a configuration with every setting", name, unknown[0])
	}
	if err := c.check(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return &c, nil
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }

// bound is one numeric setting and its range.
type bound struct {
	name        string
	v, min, max float64
}

func (c *Config) check() error {
	if _, err := oware.ParseRules(c.Rules); err != nil {
		return fmt.Errorf("rules: %w", err)
	}
	if _, err := features.ByName(c.Features.Set); err != nil {
		return fmt.Errorf("features.set: %w", err)
	}
	for _, w := range []struct {
		name, value string
		allowed     []string
	}{
		{"training.method", c.Training.Method, []string{"uniform", "pps"}},
		{"validation.method", c.Validation.Method, []string{"uniform", "pps"}},
		{"fit.select", c.Fit.Select, regress.Selections()},
		{"book.sides", c.Book.Sides, []string{"both", "south", "north"}},
	} {
		if !slices.Contains(w.allowed, w.value) {
			return fmt.Errorf("%s is %q: expected %s", w.name, w.value, strings.Join(w.allowed, " or "))
		}
	}
	for _, b := range []bound{
		{"workers", float64(c.Workers), 0, 1024},
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
	} {
		if !(b.v >= b.min && b.v <= b.max) {
			return fmt.Errorf("%s is %g: expected %g to %g", b.name, b.v, b.min, b.max)
		}
	}
	for _, s := range []struct {
		name   string
		config engine.Config
	}{{"label", c.Label}, {"match", c.Match.Config}, {"book", c.Book.Config}, {"book_play", c.BookPlay.Config}} {
		if err := s.config.Check(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}
