package client

import (
	"os"
	"path/filepath"
	"testing"
)

// What runs is told by the program and by the files that its arguments and options name: a
// script of an interpreter, weights.
func TestTheChecksumTellsProgramsApart(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{"bot.sh": "exit", "net": "1", "same.sh": "exit"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	sum := func(c Command) string {
		t.Helper()
		c.Path, c.Dir = "sh", dir
		s, err := c.SHA256()
		if err != nil {
			t.Fatal(err)
		}
		return s
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
	if sum(Command{Args: []string{"-x", "no-file", "."}}) != sum(Command{}) {
		t.Error("what is no file changes the checksum")
	}
	before := sum(Command{Args: []string{"bot.sh"}})
	if err := os.WriteFile(filepath.Join(dir, "bot.sh"), []byte("exit 1"), 0o600); err != nil {
		t.Fatal(err)
	}
	if sum(Command{Args: []string{"bot.sh"}}) == before {
		t.Error("a changed script has the same checksum")
	}
	if _, err := (Command{Path: "./no-such-program"}).SHA256(); err == nil {
		t.Error("a program that is not there has a checksum")
	}
}

// What a program says of an option may come in any order, and words may be several.
func TestOptionsAreReadInAnyOrder(t *testing.T) {
	for text, want := range map[string]Spec{
		"Style type combo var Very Solid var Bold default Very Solid": {Name: "Style", Kind: "combo", Default: "Very Solid", Values: "Very Solid\tBold"},
		"Move Overhead type spin max 9 min 1 default 2":               {Name: "Move Overhead", Kind: "spin", Default: "2", Min: 1, Max: 9},
		"Book type string default":                                    {Name: "Book", Kind: "string"},
		"X type":                                                      {Name: "X type"},
		"":                                                            {},
	} {
		if got := parseSpec(text); got != want {
			t.Errorf("%q: %+v, want %+v", text, got, want)
		}
	}
}

func TestANumberWithoutARangeIsANumber(t *testing.T) {
	s := Spec{Name: "X", Kind: "spin", Default: "0"}
	if !s.Takes("-7") || s.Takes("/etc/passwd") || s.Takes("") {
		t.Error("text is taken for a number, or a number is not")
	}
}
