package main

import (
	"os"
	"path/filepath"
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
		"b/methods.go": "package b\n\ntype page int\n\nfunc (page) Plain() {}\n",
	}, "a/a.go:20: kroo/a.InOwnTest: ", "a/a.go:17: kroo/a.Own: ", "a/a.go:13: kroo/a.Shown.Uncalled: ", "a/a.go:16: kroo/a.Unused: ", "b/methods.go:5: kroo/b.page.Plain: ")
}

func TestDocuments(t *testing.T) {
	findings(t, documents, map[string]string{
		"README.md":      "[x](docs/a/more.md#train) [y](https://example.org)\n[z](docs/none.md)\n",
		"CHANGELOG.md":   "![x](none.png)\n",
		"docs/a/more.md": "[up](../../README.md) `TestThere` `TestGone`\n",
		"a/a_test.go":    "package a\n\nfunc TestThere(*testing.T) {}\n",
		"a/README.md":    "[x](no document)",
	}, "CHANGELOG.md:1: link to none.png", "README.md:2: link to docs/none.md", "docs/a/more.md:1: no test TestGone")
}
