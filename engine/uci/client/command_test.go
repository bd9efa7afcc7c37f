package client

import (
	"crypto/sha256"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"kroo/internal/testkit"
)

// A program is identified by its executable and by the files that its arguments and options name: an
// interpreter's script, weights.
func TestChecksumDistinguishesPrograms(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"bot.sh": "exit", "net": "1", "same.sh": "exit"} {
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	sum := func(c Command) string {
		t.Helper()
		c.Path, c.Dir = "sh", dir
		i := testkit.Must(c.Identity())(t)
		return i.String()
	}
	seen := map[string]bool{}
	for _, c := range []Command{
		{},
		{Args: []string{"bot.sh"}},
		{Args: []string{"bot.sh", "--net=net"}},
		{Args: []string{"bot.sh"}, Options: []Option{{"Net", filepath.Join(dir, "net")}}},
	} {
		if s := sum(c); seen[s] || len(s) < 64 {
			t.Errorf("%v: %q is that of another", c, s)
		} else {
			seen[s] = true
		}
	}
	if text := sum(Command{Args: []string{"-x", "no-file", "."}}); !strings.HasPrefix(text, `["sh"] ["-x" "no-file" "."], `) {
		t.Errorf("%s: a word that names no file is kept", text)
	}
	before := sum(Command{Args: []string{"bot.sh"}})
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, "bot.sh"), []byte("exit 1"), 0o600))
	if sum(Command{Args: []string{"bot.sh"}}) == before {
		t.Error("a changed script has the same checksum")
	}
	if _, err := (Command{Path: "./no-such-program"}).Identity(); err == nil {
		t.Error("a program that is not there has a checksum")
	}
}

// A program that has moved is the same, and so are its script and its weights: their paths are
// recorded alone. What it is given otherwise distinguishes it.
func TestAProgramThatMovedIsTheSame(t *testing.T) {
	t.Parallel()
	identity := func(c Command) Identity {
		t.Helper()
		return testkit.Must(c.Identity())(t)
	}
	at := func(dir string) Command {
		for _, name := range []string{"bot", "net"} {
			testkit.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n# "+name), 0o700))
		}
		net := filepath.Join(dir, "net")
		return Command{Path: filepath.Join(dir, "bot"), Args: []string{"-v", "--net=" + net}, Options: []Option{{"EvalFile", net}, {"Hash", "16"}}}
	}
	first, second := at(t.TempDir()), at(t.TempDir())
	a, b := identity(first), identity(second)
	if a.Recorded == b.Recorded || !strings.Contains(a.Recorded, first.Path) {
		t.Errorf("%q and %q: want the commands as given", a.Recorded, b.Recorded)
	}
	a.Recorded, b.Recorded = "", ""
	if !reflect.DeepEqual(a, b) {
		t.Errorf("%+v and %+v: want the same", a, b)
	}
	for name, change := range map[string]func(*Command){
		"an argument":      func(c *Command) { c.Args = append(slices.Clone(c.Args), "-x") },
		"an option":        func(c *Command) { c.Options = []Option{{"Hash", "32"}} },
		"the folder":       func(c *Command) { c.Dir = "/" },
		"the unit":         func(c *Command) { c.Unit = 50 },
		"the protocol":     func(c *Command) { c.Protocol = CG },
		"the longest wait": func(c *Command) { c.Hang = time.Second },
	} {
		c := second
		change(&c)
		if i := identity(c); reflect.DeepEqual(b, func() Identity { i.Recorded = ""; return i }()) {
			t.Errorf("%s changes nothing: %+v", name, i)
		}
	}
}

// A program that starts another is identified by both, and by the environment that it sets.
func TestWrappedProgramIsIdentified(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	for name, text := range map[string]string{"env": "1", "bot": "2"} {
		testkit.NoError(t, os.WriteFile(filepath.Join(os.Getenv("PATH"), name), []byte(text), 0o700))
	}
	sum := fmt.Sprintf("%x", sha256.Sum256([]byte("2")))
	i, err := Command{Path: "env", Args: []string{"X=1", "bot", "uci"}, Options: []Option{{"Book", "bot"}}}.Identity()
	if err != nil || !slices.Equal(i.Arguments, []string{"X=1", sum, "uci"}) || !slices.Equal(i.Options, []string{"Book=bot"}) {
		t.Errorf("%+v, %v: want the checksum %s of bot", i, err, sum)
	}
}

// The attributes of an option may come in any order, and be several words.
func TestOptionsAreReadInAnyOrder(t *testing.T) {
	for text, want := range map[string]Spec{
		"Style type combo var Very Solid var Bold default Very Solid": {Name: "Style", Kind: "combo", Default: "Very Solid", Values: "Very Solid\tBold"},
		"Move Overhead type spin max 9 min 1 default 2":               {Name: "Move Overhead", Kind: "spin", Default: "2", Min: 1, Max: 9},
		"Book type string default":                                    {Name: "Book", Kind: "string"},
		"X type":                                                      {Name: "X type"},
		"":                                                            {},
	} {
		testkit.Equal(t, parseSpec(text), want, "%q", text)
	}
}
