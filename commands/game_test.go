package commands

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"kroo/dropout"
	"kroo/games/oware"
	"kroo/internal/testkit"
	"kroo/regress"
)

// checkSets returns an error if the game lacks its default set or default pattern set.
func (g gameOf[P]) checkSets(rules string) error {
	if patterns := g.kit.Sets.Patterns; patterns != nil {
		if err := regress.CheckPatterns(g.kit.Sets, regress.PatternConfig{Set: patterns.DefaultSet}); err != nil {
			return err
		}
	}
	set := g.kit.Sets.Default(rules)
	if _, err := g.kit.Sets.ByName(set); err != nil || rules == "6x6" && set != "squares6" {
		return fmt.Errorf("default set %s: %w", set, err)
	}
	return nil
}

func TestDefaultSetsExist(t *testing.T) {
	for _, g := range allGames {
		for _, rules := range g.info().Rules {
			testkit.NoError(t, g.(interface{ checkSets(string) error }).checkSets(rules))
		}
	}
}

func TestHelpNamesEveryGame(t *testing.T) {
	help := good(t, t.TempDir(), "perft", "--help")
	for _, name := range gameNames() {
		testkit.Contains(t, help, name)
	}
}

// printNoResults lists the commands without --json, with the reason.
var printNoResults = map[string]string{
	"uci": "speaks UCI", "cg": "speaks CodinGame's protocol", "serve": "serves pages", "play": "is a game in the terminal",
	"book dump": "writes a book in a format of its own", "weights export": "writes weights in a format of its own",
	"completion": "prints a script of a shell", "help": "prints help",
}

func TestEveryCommandPrintsJSON(t *testing.T) {
	root := newRoot()
	match, _, err := root.Find([]string{"match"}) // has subcommands
	testkit.NoError(t, err)
	for _, cmd := range append(runnable(root), match) {
		_, path, _ := strings.Cut(cmd.CommandPath(), " ")
		why, none := printNoResults[path]
		if there := cmd.Flags().Lookup("json") != nil; there == none {
			t.Errorf("%s: has --json: %v; the command %s", path, there, why)
		}
	}
}

// Numbers far beyond any range are wrong usage, for every flag.
func TestHugeNumbersAreWrongUsage(t *testing.T) {
	values := map[string][]string{"int": {"9223372036854775807", "-9223372036854775808"}, "float64": {"NaN", "Inf", "-Inf"}}
	values["int64"], values["numbers"] = values["int"], values["int"]
	flags := 0
	for _, cmd := range runnable(newRoot()) {
		cmd.Flags().VisitAll(func(f *pflag.Flag) {
			for _, value := range values[f.Value.Type()] {
				flags++
				if cmd.Flags().Set(f.Name, value) == nil {
					t.Errorf("%s --%s=%s is taken", cmd.CommandPath(), f.Name, value)
				}
			}
		})
	}
	if flags < 100 {
		t.Errorf("%d flags", flags)
	}
}

// A valid ridge has a number of 0 or more for each family that it names.
func FuzzRidge(f *testing.F) {
	for _, text := range []string{"10", "10,houses=1", "houses=1,pairs=2,3", "nan", "inf", "-0", "=1", "a==1", ",", "1e13"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		var r ridge
		err := r.UnmarshalText([]byte(text))
		if err != nil {
			if strings.Contains(err.Error(), "\n") || len(err.Error()) > 500 {
				t.Errorf("%q: want one short line", err)
			}
			return
		}
		for family, v := range r.families {
			if !(v >= 0 && v <= 1e12) || !strings.Contains(text, family) {
				t.Errorf("%q: %s=%g", text, family, v)
			}
		}
		if !(r.number >= 0 && r.number <= 1e12) {
			t.Errorf("%q: %g", text, r.number)
		}
	})
}

// Families without a ridge of their own get the common one, or the default.
func TestFamiliesWithoutARidgeKeepTheDefault(t *testing.T) {
	for text, want := range map[string]ridge{
		"pairs=10":   {number: defaultRidge, families: map[string]float64{"pairs": 10}},
		"pairs=10,2": {number: 2, families: map[string]float64{"pairs": 10}},
		"0":          {number: 0},
	} {
		var r ridge
		err := r.UnmarshalText([]byte(text))
		if err != nil || r.number != want.number || !maps.Equal(r.families, want.families) {
			t.Errorf("%s: %g, %v, error %v", text, r.number, r.families, err)
		}
	}
	for _, text := range []string{"houses=1,houses=9", "1,2", "1_000", "0x1p3", "=1"} {
		var r ridge
		if r.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%s is read as %g, %v", text, r.number, r.families)
		}
	}
}

// The lines to expand first give positions of the rules where the game is not over, each once, for
// any number of plies.
func FuzzCover(f *testing.F) {
	f.Add("1. F f 2. E e *", 2)
	f.Add("[Rules \"awari\"]\n\n1. F f *\n", 1)
	f.Add("1. F f *\n[FEN \"4-4-4-4-4-0-5-5-5-5-4-4-0-0-N\"]\n\nf *", math.MaxInt)
	f.Fuzz(func(t *testing.T, text string, plies int) {
		path := filepath.Join(t.TempDir(), "cover.ogn")
		testkit.NoError(t, os.WriteFile(path, []byte(text), 0o644))
		records, err := gamesUnder(oware.Abapa, path)
		if err != nil {
			if strings.Contains(err.Error(), "\n") || !strings.HasPrefix(err.Error(), path) {
				t.Errorf("%q: want one line that begins with the file", err)
			}
			return
		}
		list := dropout.Cover(records, max(1, plies))
		there := map[oware.Position]bool{}
		for _, p := range list {
			if _, over := p.Terminal(); over || p.Rules() != oware.Abapa || there[p] {
				t.Errorf("%q: %s", text, p)
			}
			there[p] = true
		}
	})
}
