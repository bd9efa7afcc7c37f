package run

import (
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/spec"
	"kroo/internal/testkit"
	"kroo/sampler"
)

func TestPresetsAreValid(t *testing.T) {
	for _, name := range PresetNames {
		text := testkit.Must(Preset(name))(t)
		c := testkit.Must(ParseConfig(text, name))(t)
		if line, _, _ := strings.Cut(text, "\n"); !strings.HasPrefix(line, "# "+name+": ") || !strings.Contains(line, " on two cores") {
			t.Errorf("%s: the first line, which a page shows, is %q: expected a name and a time", name, line)
		}
		if name == "evening" {
			testkit.Equal(t, c.Training.N, eveningSize, "boards")
		}
	}
	_, err := Preset("huge")
	testkit.ErrorContains(t, err, "quick, evening, thesis or full")
}

// The thesis drew 41 036 and 32 591 positions and searched 200 ms, two plies deeper each time
// (Sala Soler 2014).
func TestThesisPresetIsTheThesis(t *testing.T) {
	text := testkit.Must(Preset("thesis"))(t)
	c := testkit.Must(ParseConfig(text, "thesis"))(t)
	want := []map[string]any{{"n": 41036, "population": sampler.Thesis}, {"method": "pps", "n": 32591, "population": sampler.Thesis}}
	if !reflect.DeepEqual([]map[string]any{spec.Record(c.Training), spec.Record(c.Validation)}, want) || c.Label.MoveTime.Milliseconds() != 200 || c.Label.Reproducible() || !c.Label.FullWidth || c.Label.Step != 2 || c.Label.Tables != engine.NoTables {
		t.Errorf("thesis preset: %+v %+v %+v", c.Training, c.Validation, c.Label)
	}
}

// An error names the file, the section, the setting and what is expected, in one line.
func TestBadSettingsAreNamed(t *testing.T) {
	evening := testkit.Must(Preset("evening"))(t)
	for base, cases := range map[string][]struct{ old, bad, want string }{
		evening: {
			{`rules   = "abapa"`, `rules = "chess"`, "rules"},
			{`n      = 16000`, `n = 5`, "training: n is 5"},
			{`method = "pps"`, `method = "all"`, `validation.method is "all": expected uniform`},
			{`n      = 16000`, "n = 16000\nsplit = 0.5", "training: split"},
			{`nodes    = 120000`, ``, "label: no limit"},
			{`nodes    = 120000`, `nodes = -1`, "label.nodes is -1: expected 1 or more"},
			{`nodes    = 120000`, `movetime = "soon"`, "soon"},
			{`nodes    = 120000`, "nodes = 1000\nstep = -2", "label.step is -2"},
			{`set = "thesis"`, `set = "none"`, "features.set"},
			{`tolerance = 0.004`, `tolerance = nan`, "tolerance = nan: expected a number"},
			{`ridge     = 0.0`, `ridge = -1.0`, "fit.ridge is -1"},
			{`sides      = "both"`, `sides = "east"`, `book.sides is "east": expected south, north or both`},
			{"[book_play]", "[book_play]\nbook_variety = \"odd\"", "book_play.book_variety"},
			{"[book_play]", "[book_play]\nbook_loss = -1", "book_play.book_loss is -1: expected 0 to 24"},
			{`omega      = 2.0`, `omega = inf`, "omega = inf: expected a number"},
			{`hash_mb    = 8`, `hash_mb = 0`, "hash_mb"},
			{`seed    = 1`, `sede = 1`, `unknown setting "sede"`},
			{`[training]`, "[engine]\nprogram = \"cmd=./x\"\n[training]", `unknown setting "engine"`},
			{`seed    = 1`, `seed = `, "config.toml"},
			{`seed    = 1`, `seed = -1`, "seed is -1: expected 0 or more"},
		},
		tiny: {
			{`method = "uniform"`, `method = "games"`, "training: method is \"games\": expected uniform or pps"},
			{"n = 150", "n = 99", "validation: n is 99: expected at least 100 positions for a fit"},
			{"n = 150", "n = 200000000", "validation.n is 200000000: expected 1 to 100000000"},
		},
		tinyRounds: {
			{"split = 0.3\n[round.labels]", "[round.labels]", "positions: split"},
			{"keep = 1", "keep = 2", "keep"},
			{`sprt = "0,50"`, `sprt = "50"`, "gate.sprt is"},
			{"repeats = 2", "repeats = 1", "noise.repeats is 1: expected 2 to 1000"},
			{"pairs = 4\nopening_plies = 6", "pairs = 40\nopening_plies = 2", "only 36 different openings"},
			{"[round.gate]", "[round.screen]\npairs = 0\nnodes = 1\nhash_mb = 1\n[round.gate]", "screen.pairs is 0"},
			{`opponent = "thesis4"`, `opponent = ""`, "no opponent"},
			{"store+houses+adjacent", "store+house", "fit"},
			{"[round.labels]\nnodes = 100", "[round.labels]", "no limit"},
			{tinyRounds, "rules = \"abapa\"\n", "nothing to do"},
		},
	} {
		for _, c := range cases {
			text := strings.Replace(base, c.old, c.bad, 1)
			if text == base {
				t.Fatalf("%q is not in the configuration", c.old)
			}
			_, err := ParseConfig(text, "config.toml")
			if err == nil || !strings.Contains(err.Error(), c.want) || !strings.HasPrefix(err.Error(), "config.toml: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: error %v: want one line that names the file and %q", c.bad, err, c.want)
			}
		}
	}
}

// Presets work under other rules: all other settings are unchanged, and matches against weights
// of other rules are omitted.
func TestWithRules(t *testing.T) {
	for _, name := range PresetNames {
		text := testkit.Must(Preset(name))(t)
		awari := testkit.Must(Adapt(text, name, Changes{Rules: "awari"}))(t)
		before := testkit.Must(ParseConfig(text, name))(t)
		after := testkit.Must(ParseConfig(awari, name))(t)
		testkit.Equal(t, after.Rules, "awari", "%s: rules", name)
		if f := after.finals(); name == "full" && (len(f) != 1 || f[0].Opponent != "captures" || len(after.Finals) != 3) {
			t.Errorf("finals %v: want the one against captures", f)
		}
		if after.Rules = before.Rules; !reflect.DeepEqual(after, before) {
			t.Errorf("%s: more than the rules has changed:\n%+v\n%+v", name, after, before)
		}
		_, err := Adapt(text, name, Changes{Rules: "chess"})
		testkit.ErrorContains(t, err, "rules: ")
	}
	_, err := Adapt("sede = 1", "x", Changes{Rules: "awari"})
	testkit.ErrorContains(t, err, `x: unknown setting "sede"`)
}

// All matches and searches of a run are checked in the order of the configuration, and the error
// names the first invalid one.
func TestErrorNamesFirstInvalidMatch(t *testing.T) {
	text := strings.ReplaceAll(strings.ReplaceAll(tiny, "opening_plies = 4", "opening_plies = 41"), "opening_plies = 2", "opening_plies = 41") +
		strings.ReplaceAll(tinyRounds[strings.Index(tinyRounds, "[[round]]"):], "opening_plies = 6", "opening_plies = 41")
	for range 20 {
		if _, err := ParseConfig(text, "x"); err == nil || err.Error() != "x: match.opening_plies is 41: expected 0 to 40" {
			t.Fatalf("error %v", err)
		}
	}
	c := testkit.Must(decode(strings.ReplaceAll(text, "= 41", "= 4")))(t)
	var names []string
	for _, m := range c.matches() {
		names = append(names, m.name)
	}
	if want := []string{"match", "champion_match", "book_play", "round 1: gate", "round 2: gate", "final 1"}; !slices.Equal(names, want) {
		t.Errorf("matches %q, expected %q", names, want)
	}
}

func TestALimitByNodesMakesThePresetReproducible(t *testing.T) {
	text := testkit.Must(Preset("thesis"))(t)
	limited := testkit.Must(Adapt(text, "thesis", Changes{Limit: engine.Config{Nodes: 300_000}}))(t)
	c := testkit.Must(ParseConfig(limited, "limited"))(t)
	if c.Label.Nodes != 300_000 || c.Match.Nodes != 15_000 || c.Book.Nodes != 300_000 || c.BookPlay.Nodes != 15_000 {
		t.Errorf("%+v %+v %+v %+v", c.Label, c.Match, c.Book, c.BookPlay)
	}
	for _, e := range []engine.Config{c.Label, c.Match.Config, c.Book.Config, c.BookPlay.Config.Config} {
		if !e.Reproducible() {
			t.Errorf("%s: not reproducible", e)
		}
	}
	if !c.Label.FullWidth || len(c.Fit.Subsets) != 2 {
		t.Errorf("settings are lost: %+v %+v", c.Label, c.Fit)
	}
	again := testkit.Must(Adapt(limited, "limited", Changes{Limit: engine.Config{Nodes: 3000}}))(t)
	if c, err := ParseConfig(again, "again"); err != nil || c.Label.Nodes != 3000 || c.Book.Nodes != 3000 || c.Match.Nodes != 15_000 {
		t.Errorf("fewer nodes: %v, %+v: expected matches as they were", err, c)
	}
}

// Time or depth limits labels, books and games for positions, in proportion where possible. Matches stay
// as they are.
func TestOtherLimits(t *testing.T) {
	for _, preset := range PresetNames {
		text := testkit.Must(Preset(preset))(t)
		was := testkit.Must(ParseConfig(text, preset))(t)
		for how, limited := range map[string]func() (string, error){
			"depth": func() (string, error) { return Adapt(text, preset, Changes{Limit: engine.Config{Depth: 7}}) },
			"time":  func() (string, error) { return Adapt(text, preset, Changes{Limit: timed(60 * time.Millisecond)}) },
		} {
			text := testkit.Must(limited())(t)
			c := testkit.Must(ParseConfig(text, preset))(t)
			all := slices.DeleteFunc(parts[*engine.Config](c), func(s named[*engine.Config]) bool { return c.ofMatch(s.of) })
			for i := range c.Rounds {
				e := c.Rounds[i].Positions.Searches()
				all = append(all, named[*engine.Config]{"positions", &e})
			}
			for _, s := range all {
				if s.of.Nodes != 0 || (s.of.Depth == 7) != (how == "depth") || (s.of.MoveTime.Duration > 0) != (how == "time") {
					t.Errorf("%s, %s: %s: %s", preset, how, s.name, s.of)
				}
			}
			for i, m := range c.matches() {
				testkit.Equal(t, m.of.Config, was.matches()[i].of.Config, "%s, %s: %s is now", preset, how, m.name)
			}
		}
	}
	quick, _ := Preset("quick")
	text := testkit.Must(Adapt(quick, "quick", Changes{Limit: timed(60 * time.Millisecond)}))(t)
	testkit.Contains(t, text, "# quick, labels limited by movetime 60ms, default tables\n")
	if c, err := ParseConfig(text, "quick"); err != nil || c.Label.MoveTime.Duration != 60*time.Millisecond || c.Book.MoveTime.Duration != 200*time.Millisecond {
		t.Errorf("labels %s, book %s, error %v: want 60ms and, as it had 100000 nodes against 30000, 200ms", c.Label, c.Book.Config, err)
	}
}

func timed(of time.Duration) engine.Config {
	return engine.Config{MoveTime: engine.Duration{Duration: of}}
}

// Patterns, rounds and finals have searches too.
func TestALimitByNodesIsOfEverySearch(t *testing.T) {
	quick := testkit.Must(Preset("quick"))(t)
	full := testkit.Must(Preset("full"))(t)
	rounds := full[strings.Index(full, "[[round]]"):]
	text := regexp.MustCompile(`(?m)^(\s*)nodes +=.*$`).ReplaceAllString(quick, `${1}movetime = "40ms"`) + rounds
	limited := testkit.Must(Adapt(text, "both", Changes{Limit: engine.Config{Nodes: 1000}}))(t)
	if strings.Contains(limited, "\nmovetime") {
		t.Errorf("a search is still limited by time:\n%s", limited)
	}
	c := testkit.Must(ParseConfig(limited, "limited"))(t)
	if c.Patterns.Match.Nodes != 1000 || c.Rounds[4].Gate.Nodes != 1250 || c.Finals[0].Nodes != 1250 || c.Rounds[4].Labels.Nodes != 8000 {
		t.Errorf("nodes %d, %d, %d and %d", c.Patterns.Match.Nodes, c.Rounds[4].Gate.Nodes, c.Finals[0].Nodes, c.Rounds[4].Labels.Nodes)
	}
	byTime := testkit.Must(Adapt(full, "full", Changes{Limit: timed(100 * time.Millisecond)}))(t)
	limited = testkit.Must(Adapt(byTime, "timed", Changes{Limit: engine.Config{Nodes: 5000}}))(t)
	if c, err := ParseConfig(limited, "limited"); err != nil || strings.Contains(limited, "\nmovetime") || c.Rounds[0].Positions.Nodes != 400 || c.Rounds[0].Labels.Nodes != 5000 {
		t.Errorf("%v, rounds by time and then by nodes:\n%s", err, limited)
	}
	_, err := Adapt(strings.Replace(text, "[label]", "[label]\nthreads = 2", 1), "threads", Changes{Limit: engine.Config{Nodes: 1000}})
	testkit.ErrorContains(t, err, "reproducible")
}

// A clock makes a match depend on the machine, as a time per move does.
func TestALimitByNodesRemovesClocks(t *testing.T) {
	text := strings.ReplaceAll(tinyRounds, "[round.gate]", "[round.gate]\ntc = \"10+0.1\"")
	limited := testkit.Must(Adapt(text, "rounds", Changes{Limit: engine.Config{Nodes: 1000}}))(t)
	for _, m := range testkit.Must(ParseConfig(limited, "limited"))(t).matches() {
		if m.of.TimeControl.IsSet() {
			t.Errorf("%s: tc is %s", m.name, m.of.TimeControl)
		}
	}
	byDepth := testkit.Must(Adapt(text, "rounds", Changes{Limit: engine.Config{Depth: 5}}))(t)
	if c := testkit.Must(ParseConfig(byDepth, "by depth"))(t); !c.Rounds[0].Gate.TimeControl.IsSet() {
		t.Error("another limit of labels removes the clock of a match")
	}
}

// With a file of openings, opening_plies is ignored.
func TestOpeningsOfAFileMayBeMany(t *testing.T) {
	text := strings.Replace(tiny, "pairs = 3\nopening_plies = 4", "pairs = 100\nopening_plies = 0", 1)
	_, err := ParseConfig(text, "plies")
	testkit.ErrorContains(t, err, "match: found only")
	_, err = ParseConfig(strings.Replace(text, "[match]", "[match]\nopenings = \"suite.ogn\"", 1), "suite")
	testkit.NoError(t, err)
}

// A new run refuses evaluations and openings that it could not use after hours. An old run remains readable.
func TestNewRunChecksWhatItsMatchesName(t *testing.T) {
	suite := filepath.Join(t.TempDir(), "suite.txt")
	testkit.NoError(t, os.WriteFile(suite, []byte(oware.Start(oware.Abapa).String()+"\n"), 0o666))
	final := func(opponent, more string) string {
		return strings.Replace(tinyRounds, `opponent = "thesis4"`, fmt.Sprintf("opponent = %q\n%s", opponent, more), 1)
	}
	withSuite := func(path string, pairs int) string {
		old := "pairs = 2\nopening_plies = 2"
		return strings.Replace(tiny, old, fmt.Sprintf("pairs = %d\nopenings = %q", pairs, path), 1)
	}
	dir := filepath.Join(t.TempDir(), "run")
	for _, c := range []struct{ text, want string }{
		{final("thesis5", ""), "text: champion against thesis5: opponent: "},
		{final("thesis5", `only_rules = "awari"`), ""}, // the match is left out
		{final(filepath.Join(dir, "round1.weights"), ""), ""},
		{final("thesis4", fmt.Sprintf("openings = %q", filepath.Join(dir, "round1-gate.ogn"))), ""},
		{withSuite(suite, 1), ""},
		{withSuite(suite, 2), "text: book against no book: openings: 2 pairs from 1 openings"},
		{strings.Replace(withSuite(suite, 2), "[book_play]", "[book_play]\nbook_loss = 1.0", 1), ""}, // it varies
		{withSuite(suite+"x", 1), "suite.txtx"},
	} {
		r, err := New(dir, c.text, "text")
		if c.want != "" {
			testkit.ErrorContains(t, err, c.want)
			if _, err := os.Stat(dir); err == nil {
				t.Errorf("%s: a folder was made", c.want)
			}
			continue
		}
		testkit.NoError(t, err)
		r.Close()
		testkit.NoError(t, os.RemoveAll(dir))
	}
	r := begun(t, withSuite(suite, 1))
	r.Close()
	testkit.NoError(t, os.Remove(suite))
	_, err := readRun(r.Dir)
	testkit.NoError(t, err)
}

// The runs recorded in the documents are readable.
func TestRecordedRunsAreReadable(t *testing.T) {
	for _, name := range []string{"champion", "thesis"} {
		r, err := readRun(filepath.Join("..", "docs", name))
		testkit.NoError(t, err)
		if !r.manifest.IsFinished() {
			t.Errorf("%s is unfinished", name)
		}
	}
}

// An accepted configuration is still valid with nodes as limits.
func FuzzParseConfig(f *testing.F) {
	f.Add(tiny)
	f.Add(tinyRounds)
	for _, name := range PresetNames {
		text := testkit.Must(Preset(name))(f)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		_, err := ParseConfig(text, "name")
		if err != nil {
			if !strings.HasPrefix(err.Error(), "name: ") || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: want one line that begins with the name", err)
			}
			return
		}
		limited, err := Adapt(text, "name", Changes{Limit: engine.Config{Nodes: 1000}})
		if err != nil {
			return
		}
		if _, err := ParseConfig(limited, "name"); err != nil {
			t.Errorf("limited by nodes it is refused: %v\n%s", err, limited)
		}
	})
}
