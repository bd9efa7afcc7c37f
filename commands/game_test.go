package commands

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spf13/pflag"

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
