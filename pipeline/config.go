package pipeline

import (
	"embed"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/BurntSushi/toml"

	"kroo/engine/search"
	"kroo/features"
	"kroo/games/oware"
)

// Config says everything a run depends on. It is read from a TOML file;
// [Preset] gives embedded ones, commented for people to start from.
type Config struct {
	Rules   string `toml:"rules"`   // abapa, awari or simple
	Seed    uint64 `toml:"seed"`    // of every random choice in the run
	Workers int    `toml:"workers"` // searches at a time; 0 is one a processor

	Training   SampleConfig  `toml:"training"`
	Validation SampleConfig  `toml:"validation"`
	Label      SearchConfig  `toml:"label"`
	Features   FeatureConfig `toml:"features"`
	Fit        FitConfig     `toml:"fit"`
	Match      MatchConfig   `toml:"match"`
	Book       BookConfig    `toml:"book"`
	BookPlay   MatchConfig   `toml:"book_play"`
}

// SampleConfig says how positions are drawn.
type SampleConfig struct {
	Method string `toml:"method"` // uniform or pps
	N      int    `toml:"n"`      // positions
}

// SearchConfig bounds a search; at least one of the limits must be set.
type SearchConfig struct {
	Nodes    int64    `toml:"nodes,omitempty"`
	Depth    int      `toml:"depth,omitempty"`
	MoveTime Duration `toml:"movetime,omitempty"`
	HashMB   int      `toml:"hash_mb"`
	Threads  int      `toml:"threads,omitempty"` // of each search; more than one is not reproducible
	Tables   string   `toml:"tables,omitempty"`  // endgame tables: a file or folder, "none", or "" for the program's own
}

// FeatureConfig names the feature set.
type FeatureConfig struct {
	Set string `toml:"set"`
}

// FitConfig says how weights are fitted.
type FitConfig struct {
	Select    string  `toml:"select"`    // backward or none
	Tolerance float64 `toml:"tolerance"` // of R, for backward elimination
	Ridge     float64 `toml:"ridge"`
}

// MatchConfig says how a match is played.
type MatchConfig struct {
	Pairs        int `toml:"pairs"`         // of games, sides swapped
	OpeningPlies int `toml:"opening_plies"` // random moves before the players take over
	SearchConfig
}

// BookConfig says how the opening book is grown.
type BookConfig struct {
	Expansions int     `toml:"expansions"`
	Sides      string  `toml:"sides"` // both, south or north
	Omega      float64 `toml:"omega"`
	SearchConfig
}

// Duration is a time.Duration written as "200ms".
type Duration struct{ time.Duration }

// UnmarshalText parses the text form.
func (d *Duration) UnmarshalText(text []byte) (err error) {
	d.Duration, err = time.ParseDuration(string(text))
	return err
}

// MarshalText gives the text form, nothing for no duration.
func (d Duration) MarshalText() ([]byte, error) {
	if d.Duration == 0 {
		return nil, nil
	}
	return []byte(d.String()), nil
}

// Limits are the engine's limits of the search.
func (c SearchConfig) Limits() search.Limits {
	return search.Limits{Nodes: c.Nodes, Depth: c.Depth, Time: c.MoveTime.Duration}
}

// Options are the engine's options of the search.
func (c SearchConfig) Options() search.Options {
	return search.Options{HashMB: c.HashMB, Threads: c.Threads}
}

// Reproducible tells whether the same search gives the same result each time.
func (c SearchConfig) Reproducible() bool { return c.MoveTime.Duration == 0 && c.Threads <= 1 }

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
		{"fit.select", c.Fit.Select, []string{"backward", "none"}},
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
		search SearchConfig
	}{{"label", c.Label}, {"match", c.Match.SearchConfig}, {"book", c.Book.SearchConfig}, {"book_play", c.BookPlay.SearchConfig}} {
		if err := s.search.Check(); err != nil {
			return fmt.Errorf("%s: %w", s.name, err)
		}
	}
	return nil
}

// Check refuses a search without any limit, or with one out of range.
func (c SearchConfig) Check() error {
	l := c.Limits()
	if l == (search.Limits{}) {
		return fmt.Errorf("no limit on the search: set nodes, depth or movetime")
	}
	if l.Nodes < 0 || l.Depth < 0 || l.Depth > search.MaxPly || l.Time < 0 {
		return fmt.Errorf("nodes %d, depth %d, movetime %s: expected none negative and depth at most %d", l.Nodes, l.Depth, l.Time, search.MaxPly)
	}
	if c.Threads < 0 || c.Threads > search.MaxThreads {
		return fmt.Errorf("threads is %d: expected 0 (one) to %d", c.Threads, search.MaxThreads)
	}
	if c.HashMB < 1 || c.HashMB > 1<<16 {
		return fmt.Errorf("hash_mb is %d: expected 1 to 65536", c.HashMB)
	}
	return nil
}
