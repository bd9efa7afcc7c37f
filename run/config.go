package run

import (
	"embed"
	"fmt"
	"strings"

	"kroo/dropout"
	"kroo/engine"
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

	Engine *Engine `toml:"engine,omitempty"` // nil searches with Kroo's engine

	Training   sampler.Config       `toml:"training,omitempty"`
	Validation sampler.Config       `toml:"validation,omitempty"`
	Label      engine.Config        `toml:"label,omitempty"`
	Noise      *sampler.NoiseConfig `toml:"noise,omitempty"` // of the labels
	Features   FeatureConfig        `toml:"features,omitempty"`
	Fit        regress.Config       `toml:"fit,omitempty"`
	Match      match.Config         `toml:"match,omitempty"`
	Champion   *match.Config        `toml:"champion_match,omitempty"` // against the program's own weights; nil for no such match
	Patterns   *Patterns            `toml:"patterns,omitempty"`
	Book       dropout.BookConfig   `toml:"book,omitempty"`
	BookPlay   *BookPlay            `toml:"book_play,omitempty"` // nil does not play from the book

	Rounds []Round `toml:"round,omitempty"`
	Finals []Final `toml:"final,omitempty"`
}

// counts tells whether the run fits seed counts.
func (c *Config) counts() bool { return c.Training.N > 0 }

// BookPlay says how play from the book is measured against play without it.
type BookPlay struct {
	match.Config
	engine.BookPolicy // of the player with the book
}

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
var PresetNames = []string{"quick", "evening", "thesis", "full"}

// Preset returns the text of an embedded configuration.
func Preset(name string) (string, error) {
	text, err := presets.ReadFile("presets/" + name + ".toml")
	if err != nil {
		return "", fmt.Errorf("unknown preset %q: expected one of %s", name, strings.Join(PresetNames, ", "))
	}
	return string(text), nil
}

// ParseConfig reads a configuration, refusing names it does not know and
// values that make no sense. name goes into errors.
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
