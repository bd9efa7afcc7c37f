package run

import (
	"embed"
	"fmt"
	"regexp"
	"strings"

	"kroo/dropout"
	"kroo/engine"
	"kroo/internal/spec"
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
	Rules   string `name:"rules" help:"a rule set of oware: abapa, awari or simple"`
	Seed    uint64 `name:"seed" help:"random seed of the run"`
	Workers int    `name:"workers" range:"0..1024" help:"searches at a time; 0: one per processor"`

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

// counts reports whether the run fits seed counts.
func (c *Config) counts() bool { return c.Training.N > 0 }

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
		return "", fmt.Errorf("unknown preset %q: expected one of %s", name, strings.Join(PresetNames, ", "))
	}
	return string(text), nil
}

// ParseConfig reads a configuration, and returns an error for unknown names and invalid values.
// name is for errors.
func ParseConfig(text, name string) (*Config, error) {
	return checked(text, name, spec.Decode)
}

// goneSettings matches settings that older builds had: another program that searches, further fits for
// comparison, and the memory of a fit.
var goneSettings = regexp.MustCompile(`(?m)^[ \t]*(\[engine\]|(program|beside|proven|cache_mb)[ \t]*=).*$`)

// parseOwn reads the configuration in a run folder, which may be from an older build.
func parseOwn(text, name string) (*Config, error) {
	return checked(goneSettings.ReplaceAllString(text, ""), name, spec.DecodeOld)
}

// decode reads a configuration and checks only the ranges of its settings.
func decode(text string, read func(string, any, string) error) (*Config, error) {
	c := new(Config)
	return c, read(text, c, "`train run --print-config` prints a configuration with every setting")
}

func checked(text, name string, read func(string, any, string) error) (*Config, error) {
	c, err := decode(text, read)
	if err == nil {
		err = c.check()
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return c, nil
}

// Text returns a configuration file with every setting, its help and its range.
func (c *Config) Text() string { return spec.Encode(c) }
