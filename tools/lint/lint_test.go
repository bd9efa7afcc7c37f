package main

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"
)

// module writes files into a new folder.
func module(t *testing.T, files map[string]string) (root string) {
	t.Helper()
	root = t.TempDir()
	for name, text := range files {
		path := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// findings compares the findings of a check up to the advice.
func findings(t *testing.T, find func(string) ([]string, error), files map[string]string, want ...string) {
	t.Helper()
	root := module(t, files)
	list, err := find(root)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range list {
		got = append(got, strings.TrimPrefix(f, root+"/"))
	}
	if len(got) != len(want) {
		t.Fatalf("found %q, want %q", got, want)
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("found %q, want %q", got[i], want[i])
		}
	}
}

func TestErrorTexts(t *testing.T) {
	findings(t, errorTexts, map[string]string{
		"a/b/x.go":        "package b\n\nvar _, _, _ = fmt.Errorf(\"b: no\"), errors.New(`a/b: no`), errors.New(\"c: yes\")\n",
		"a/b/x_test.go":   "package b\n\nvar _ = errors.New(\"b: in a test\")\n",
		"tools/go.mod":    "module other\n",
		"tools/x/main.go": "package x\n\nvar _ = errors.New(\"x: another module\")\n",
	}, "a/b/x.go:3: an error begins with b:", "a/b/x.go:3: an error begins with a/b:")
}

func TestFileCalls(t *testing.T) {
	call := "package p\n\nimport \"os\"\n\nvar _, _ = os.Open(\"x\")\nvar _ = os.Getenv\nvar _ = vfs.Open\n"
	findings(t, fileCalls, map[string]string{"a/x.go": call, "a/x_test.go": call, "internal/vfs/x.go": call, "internal/vfsmore/x.go": call},
		"a/x.go:5: calls os.Open", "internal/vfsmore/x.go:5: calls os.Open")
}

func TestExportedNames(t *testing.T) {
	findings(t, exportedNames, map[string]string{
		"go.mod": "module kroo\n\ngo 1.26.0\n",
		"a/a.go": `package a

type Shown struct{ Field Inner }
type Inner int
type Kind int

const (
	One Kind = iota
	Two
)

func (Shown) Called()   {}
func (Shown) Uncalled() {}
func (Shown) String() string { return "" }
func Used() Result      { return nil }
func Unused()           {}
func Own()              { Own() }
func InTest()           {}
func InExample()        {}
func InOwnTest()        {}

type Result interface{ Asked() }
type unseen int

func (unseen) Asked() {}
`,
		"a/a_test.go":  "package a\n\nimport \"testing\"\n\nfunc TestOwn(*testing.T) { InOwnTest() }\nfunc ExampleInExample() { InExample() }\n",
		"b/b.go":       "package b\n\nimport \"kroo/a\"\n\nfunc init() { a.Shown{}.Called(); a.Used(); _ = a.One }\n",
		"b/b_test.go":  "package b\n\nimport (\n\t\"kroo/a\"\n\t\"testing\"\n)\n\nfunc TestB(*testing.T) { a.InTest() }\n",
		"b/page.html":  "{{with .X}}{{.Templated}}{{end}}",
		"b/methods.go": "package b\n\ntype page int\n\nfunc (page) Templated() {}\nfunc (page) Plain() {}\n",
	}, "a/a.go:20: kroo/a.InOwnTest: ", "a/a.go:17: kroo/a.Own: ", "a/a.go:13: kroo/a.Shown.Uncalled: ", "a/a.go:16: kroo/a.Unused: ", "b/methods.go:6: kroo/b.page.Plain: ")
}

// reference is the docs/reference.md of a small program.
const reference = "# Reference\n\n- [train](#train): x\n\n## train\n\n```text\ntrain [flags]\n```\n\n```text\n  -h, --help   help\n```\n" +
	"\n## train book\n\n```text\ntrain book\n```\n\n```text\n      --game string   which\n```\n" +
	"\n## train book query\n\n```text\ntrain book query BOOK [flags]\n```\n\n```text\n  -n, --number int   how many\n      --all          all\n      --color string[=\"auto\"]   when\n  -h, --help   help\n```\n"

func TestWrongWith(t *testing.T) {
	tree := parseReference(reference)
	for line, want := range map[string]string{
		"train":                "",
		"train --help":         "",
		"train help book":      "",
		"train book [command]": "",
		"./train book query B -n 3 --all --game=x":  "",
		"go run ./cmd/train book query - --game x":  "",
		"train book query B --color --all # --what": "",
		"train bok":                            "no command bok",
		"train book querry x":                  "no command querry",
		"train --all":                          "no flag --all",
		"train book query --numbers 3":         "no flag --numbers",
		"train book query -x":                  "no flag -x",
		"train book query --color --what":      "no flag --what",
		"train book query --number --what":     "", // a value
		"train book query 'a --what' > --what": "",
	} {
		list := docLines("```\n" + line + "\n```\n")
		if len(list) != 1 {
			t.Fatalf("%s: %d command lines", line, len(list))
		}
		if got := tree.wrongWith(list[0].args); got != want {
			t.Errorf("%s: %q, want %q", line, got, want)
		}
	}
	if len(docLines("    trainer run\n")) != 0 {
		t.Error("another program's command was accepted")
	}
}

func TestDocLines(t *testing.T) {
	text := "Say `train run` or `ls`.\n\n    train bench\n\n```sh short\n# no command\n./train sample --n 3 \\\n  -o 'a b.parquet' # why\ntrain fit x > y\n```\n```\ntrain uci\n```\n```sh long --n=1\ntrain bench\n```\n```sh long\ntrain run\n```\n"
	want := []docLine{{1, false, false, []string{"run"}}, {3, false, false, []string{"bench"}}, {8, true, true, []string{"sample", "--n", "3", "-o", "Q"}},
		{9, true, true, []string{"fit", "x"}}, {12, true, false, []string{"uci"}}, {15, true, true, []string{"bench"}}, {18, true, false, []string{"run"}}}
	if got := docLines(text); !reflect.DeepEqual(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestDocuments(t *testing.T) {
	tour := func(n int, more string) string {
		return "```sh short\n" + strings.Repeat("train book\n", n) + "```\n" + more
	}
	many := reference
	for _, name := range strings.Fields("a b c d e f g h") {
		many += "\n## train " + name + "\n\n```text\ntrain " + name + " [flags]\n```\n"
	}
	findings(t, documents, map[string]string{
		"README.md":         tour(19, "[x](docs/reference.md#train) [y](https://example.org) [z](docs/none.md)\n```\ntrain a\n```\n"),
		"CHANGELOG.md":      "`train gone`, ![x](none.png)\n",
		"docs/reference.md": many,
		"docs/tutorial.md":  tour(11, "```\ntrain a\n```\n"),
		"docs/a/more.md":    "[up](../../README.md) `TestThere` `TestGone` `train a --gone`\n",
		"a/a_test.go":       "package a\n\nfunc TestThere(*testing.T) {}\n",
		"a/README.md":       "[x](no document)",
	}, "CHANGELOG.md:1: link to none.png", "README.md:22: link to docs/none.md", "docs/a/more.md:1: no test TestGone", "docs/a/more.md:1: train a --gone: no flag --gone",
		"docs/tutorial.md:15: train a: expected a block marked short", "docs/tutorial.md: 11 commands are run, expected 12 or more")
}
