package layering

import (
	"flag"
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

var update = flag.Bool("update", false, "write the imports into docs/architecture.md")

// imports are what the source files of a folder import: folders of this module, and packages of
// others; each file may import the standard library except unsafe and C.
type imports struct{ ours, others []string }

// importsOf reads the imports of all folders under root, regardless of build constraints. It
// ignores test files, test data, hidden folders and nested modules.
func importsOf(root string) (map[string]imports, error) {
	all := map[string]imports{}
	err := filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(root, name, d.Name())
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		folder := path.Dir(filepath.ToSlash(rel))
		of := all[folder]
		for _, spec := range f.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			first, below, _ := strings.Cut(target, "/")
			if first == "kroo" {
				of.ours = append(of.ours, below)
			} else if strings.Contains(first, ".") || target == "C" || target == "unsafe" {
				of.others = append(of.others, target)
			}
		}
		all[folder] = of
		return nil
	})
	return all, err
}

func enter(root, name, base string) error {
	if name == root {
		return nil
	}
	if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(name, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

// modulesOf replaces packages by the modules that go.mod requires.
func modulesOf(packages []string, goMod string) (modules []string) {
	for _, p := range packages {
		for line := range strings.Lines(goMod) {
			if m, _, _ := strings.Cut(strings.TrimSpace(line), " "); m != "" && (p == m || strings.HasPrefix(p, m+"/")) {
				p = m
				break
			}
		}
		modules = append(modules, p)
	}
	return modules
}

// follow compares the rows of the table with the imports. It returns the text with the right rows,
// and what is wrong.
func follow(text, goMod string, found map[string]imports) (right string, wrong []string) {
	lines, row := strings.Split(text, "\n"), map[string]int{}
	begin := slices.IndexFunc(lines, func(line string) bool { return strings.HasPrefix(line, "| folder |") })
	for i := begin + 2; begin >= 0 && strings.HasPrefix(lines[i], "| `"); i++ {
		columns := strings.Split(lines[i], " | ")
		folder := strings.Trim(columns[0], "| `")
		of, there := found[folder]
		if _, twice := row[folder]; !there || twice || len(columns) != 4 {
			wrong = append(wrong, fmt.Sprintf("a row of %s: expected one of four columns for each folder", folder))
			continue
		}
		row[folder] = i
		ours := listed(of.ours)
		if columns[2] == "…" { // any folder
			ours = "…"
		}
		want := strings.Join([]string{columns[0], columns[1], ours, listed(modulesOf(of.others, goMod)) + " |"}, " | ")
		if lines[i] != want {
			wrong = append(wrong, fmt.Sprintf("line %d has\n\t%s\nwant (go test ./internal/layering -update)\n\t%s", i+1, lines[i], want))
		}
		lines[i] = want
	}
	for folder, of := range found {
		at, there := row[folder]
		if !there {
			wrong = append(wrong, fmt.Sprintf("no row of %s: add one that describes it", folder))
		}
		for _, other := range of.ours {
			if row[other] < at {
				wrong = append(wrong, fmt.Sprintf("%s imports %s, which is above it", folder, other))
			}
		}
	}
	return strings.Join(lines, "\n"), wrong
}

// listed formats imports for the table.
func listed(all []string) string {
	if len(all) == 0 {
		return "–"
	}
	return strings.Join(slices.Compact(slices.Sorted(slices.Values(all))), ", ")
}

func TestImportsFollowTheMap(t *testing.T) {
	const root = "../.."
	found := testkit.Must(importsOf(root))(t)
	document := filepath.Join(root, "docs", "architecture.md")
	right, wrong := follow(testkit.Text(t, document), testkit.Text(t, filepath.Join(root, "go.mod")), found)
	if *update {
		testkit.Write(t, document, right)
		_, wrong = follow(right, testkit.Text(t, filepath.Join(root, "go.mod")), found)
	}
	for _, w := range wrong {
		t.Errorf("docs/architecture.md: %s", w)
	}
}

// Tests that the test fails when it should.
func TestOtherImportsAreFound(t *testing.T) {
	const goMod = "module kroo\n\nrequire (\n\texample.org/arrow/v15 v15.0.2\n)\n"
	const table = "# x\n\n| folder | what | may import | third |\n|---|---|---|---|\n| `cmd` | one | … | – |\n| `a` | two | b, b/c | example.org/arrow/v15, unsafe |\n| `b` | three | – | – |\n| `b/c` | four | – | – |\n\n| `d` | of another table |\n"
	good := func() map[string]imports {
		return map[string]imports{
			"cmd": {ours: []string{"a", "b"}},
			"a":   {ours: []string{"b/c", "b", "b"}, others: []string{"unsafe", "example.org/arrow/v15/parquet"}},
			"b":   {}, "b/c": {},
		}
	}
	if right, wrong := follow(table, goMod, good()); right != table || wrong != nil {
		t.Errorf("%q in\n%s", wrong, right)
	}
	for want, change := range map[string]func(map[string]imports){
		"want (go test":            func(all map[string]imports) { all["b"] = imports{ours: []string{"b/c"}} },
		"b/c | – |":                func(all map[string]imports) { all["a"] = imports{ours: []string{"b/c", "b"}} },
		"example.org/arrow/v16":    func(all map[string]imports) { all["b"] = imports{others: []string{"example.org/arrow/v16"}} },
		"no row of b/d":            func(all map[string]imports) { all["b/d"] = imports{} },
		"a row of b:":              func(all map[string]imports) { delete(all, "b") },
		"b imports a, which is ab": func(all map[string]imports) { all["b"] = imports{ours: []string{"a"}} },
	} {
		all := good()
		change(all)
		if _, wrong := follow(table, goMod, all); !strings.Contains(strings.Join(wrong, "\n"), want) {
			t.Errorf("%q: want one with %q", wrong, want)
		}
	}
	_, wrong := follow(strings.Replace(table, "| `b` |", "| `a` |", 1), goMod, good())
	testkit.Contains(t, strings.Join(wrong, "\n"), "a row of a:", "no row of b:")
}

func TestImportsOfFolders(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/a.go":             "//go:build plan9\n\npackage a\n\nimport (\n\t\"fmt\"\n\tother `example.org/x`\n\t\"unsafe\"\n\t\"kroo/b\"\n\t\"kroo\"\n)\n",
		"a/a_test.go":        "package a\n\nimport \"kroo/cmd/train\"\n",
		"a/b/none.go":        "package b\n",
		"a/testdata/t.go":    "not even Go",
		".hidden/h.go":       "not even Go",
		"nested/go.mod":      "module nested\n",
		"nested/n.go":        "not even Go",
		"nested/deeper/n.go": "not even Go",
	} {
		testkit.Write(t, filepath.Join(dir, name), text)
	}
	got := testkit.Must(importsOf(dir))(t)
	testkit.Equal(t, fmt.Sprintf("%q", got), `map["a":{["b" ""] ["example.org/x" "unsafe"]} "a/b":{[] []}]`, "imports")
}
