package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"kroo/commands"
	"kroo/internal/testkit"
)

func TestHelpNamesEveryGame(t *testing.T) {
	help := good(t, t.TempDir(), "perft", "--help")
	testkit.Contains(t, help, "oware", "tictactoe", "othello", "chess")
}

// printNoResults lists the commands without --json, with the reason.
var printNoResults = map[string]string{
	"uci": "speaks UCI", "cg": "speaks CodinGame's protocol", "serve": "serves pages", "play": "is a game in the terminal",
	"book dump": "writes a book in a format of its own", "weights export": "writes weights in a format of its own",
	"completion": "prints a script of a shell", "help": "prints help",
}

func TestEveryCommandPrintsJSON(t *testing.T) {
	root := commands.Tree()
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
	for _, cmd := range runnable(commands.Tree()) {
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

// A penalty of --ridge is read, or refused in one short line.
func FuzzRidge(f *testing.F) {
	for _, text := range []string{"10", "10,houses=1", "houses=1,pairs=2,3", "nan", "inf", "-0", "=1", "a==1", ",", "1e13"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		err := setRidge(t, text)
		if err != nil && (strings.Contains(err.Error(), "\n") || len(err.Error()) > 500) {
			t.Errorf("%q: want one short line", err)
		}
	})
}

// setRidge gives fit a penalty.
func setRidge(t *testing.T, text string) error {
	t.Helper()
	fit, _, err := commands.Tree().Find([]string{"fit"})
	testkit.NoError(t, err)
	return fit.Flags().Set("ridge", text)
}

func TestWrongRidgesAreRefused(t *testing.T) {
	for _, text := range []string{"houses=1,houses=9", "1,2", "1_000", "0x1p3", "=1", "-1", "houses=-1", "1e13", "houses=1e13", "nan", "houses=nan", "inf", ","} {
		if setRidge(t, text) == nil {
			t.Errorf("%s is taken", text)
		}
	}
}

// Families without a ridge of their own get the common one, or the default.
func TestFamiliesWithoutARidgeKeepTheDefault(t *testing.T) {
	t.Parallel()
	dir := stageFiles(t)
	const byDefault = 5
	for text, want := range map[string][2]float64{ // of stores and of pairs
		"pairs=10":   {byDefault, 10},
		"pairs=10,2": {2, 10},
		"0":          {0, 0},
	} {
		var fit struct {
			Families []struct {
				Name  string  `json:"name"`
				Ridge float64 `json:"ridge"`
			} `json:"families"`
		}
		out := good(t, dir, "fit", "labels.parquet", "--set", "store+pairs", "--ridge", text, "-o", "ridge.weights", "--force", "--json")
		testkit.NoError(t, json.Unmarshal([]byte(out), &fit))
		got := map[string]float64{}
		for _, f := range fit.Families {
			got[f.Name] = f.Ridge
		}
		testkit.Equal(t, [2]float64{got["store"], got["pairs"]}, want, "--ridge %s: %v", text, got)
	}
}
