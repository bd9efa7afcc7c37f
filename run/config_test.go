package run

import (
	"kroo/sampler"
	"strings"
	"testing"
)

func TestPresetsAreValid(t *testing.T) {
	for _, name := range PresetNames {
		text, err := Preset(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := ParseConfig(text, name); err != nil {
			t.Errorf("preset %s: %v", name, err)
		}
	}
	if _, err := Preset("huge"); err == nil || !strings.Contains(err.Error(), "quick, thesis, full") {
		t.Errorf("unknown preset: %v: want the list of presets", err)
	}
}

// The thesis drew 41 036 and 32 591 positions and searched 200 ms (Sala Soler 2014).
func TestThesisPresetIsTheThesis(t *testing.T) {
	text, err := Preset("thesis")
	if err != nil {
		t.Fatal(err)
	}
	c, err := ParseConfig(text, "thesis")
	if err != nil {
		t.Fatal(err)
	}
	if c.Training != (sampler.Config{Method: "uniform", N: 41036}) || c.Validation != (sampler.Config{Method: "pps", N: 32591}) || c.Label.MoveTime.Milliseconds() != 200 || c.Label.Reproducible() {
		t.Errorf("thesis preset: %+v %+v %+v", c.Training, c.Validation, c.Label)
	}
}

func TestBadSettingsAreNamed(t *testing.T) {
	good, err := Preset("quick")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ old, bad, want string }{
		{`rules   = "abapa"`, `rules = "chess"`, "rules"},
		{`n      = 16000`, `n = 5`, "training.n"},
		{`method = "pps"`, `method = "all"`, "validation.method"},
		{`nodes    = 120000`, ``, "label: no limit"},
		{`nodes    = 120000`, `nodes = -1`, "label: nodes -1"},
		{`nodes    = 120000`, `movetime = "soon"`, "soon"},
		{`set = "thesis"`, `set = "none"`, "features.set"},
		{`tolerance = 0.004`, `tolerance = nan`, "fit.tolerance"},
		{`ridge     = 0.0`, `ridge = -1.0`, "fit.ridge"},
		{`sides      = "both"`, `sides = "east"`, "book.sides"},
		{`omega      = 2.0`, `omega = inf`, "book.omega"},
		{`hash_mb    = 8`, `hash_mb = 0`, "hash_mb"},
		{`seed    = 1`, `sede = 1`, `unknown setting "sede"`},
		{`seed    = 1`, `seed = `, "config.toml"},
	} {
		text := strings.Replace(good, c.old, c.bad, 1)
		if text == good {
			t.Fatalf("%q is not in the preset", c.old)
		}
		_, err := ParseConfig(text, "config.toml")
		if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "config.toml: ") || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v: want one line that names the file and %q", c.bad, err, c.want)
		}
	}
}
