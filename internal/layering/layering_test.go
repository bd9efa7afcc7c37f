package layering

import (
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
)

const module = "kroo"

// arrow is one import: from a folder, in a file, of a path.
type arrow struct{ folder, file, imports string }

// arrows reads the imports of every source file under root, whatever its build
// constraints. Test files, test data, hidden folders and nested modules do not
// belong to the graph. A file without imports gives one arrow to "".
func arrows(root string) (found []arrow, err error) {
	err = filepath.WalkDir(root, func(name string, d fs.DirEntry, err error) error {
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
		rel = filepath.ToSlash(rel)
		f, err := parser.ParseFile(token.NewFileSet(), name, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		found = append(found, arrow{path.Dir(rel), rel, ""})
		for _, spec := range f.Imports {
			target, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				return err
			}
			found = append(found, arrow{path.Dir(rel), rel, target})
		}
		return nil
	})
	return found, err
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

// violations lists what the table does not have.
func violations(table []row, found []arrow) (bad []string) {
	for _, a := range found {
		i := slices.IndexFunc(table, func(r row) bool { return r.folder == a.folder })
		if i < 0 && a.imports == "" { // once a file
			bad = append(bad, fmt.Sprintf("%s: folder %q is not in the table", a.file, a.folder))
		} else if i >= 0 && !table[i].allows(a.imports) {
			bad = append(bad, fmt.Sprintf("%s: %s may not import %q", a.file, a.folder, a.imports))
		}
	}
	return bad
}

func (r row) allows(target string) bool {
	own, ours := strings.CutPrefix(target, module+"/")
	switch first, _, _ := strings.Cut(target, "/"); {
	case target == "C" || target == "unsafe":
		return false // memory safety is not given up anywhere
	case ours && slices.Contains(leaves, own):
		return r.leaves
	case ours:
		return slices.ContainsFunc(r.own, func(p string) bool { return matches(p, own) })
	case strings.Contains(first, "."):
		return slices.ContainsFunc(r.third, func(m string) bool { return target == m || strings.HasPrefix(target, m+"/") })
	}
	return target != module // the module's root is no package; the rest is the standard library
}

func matches(pattern, folder string) bool {
	prefix, open := strings.CutSuffix(pattern, "…")
	if !open {
		return folder == pattern
	}
	return strings.HasPrefix(folder+"/", prefix) && !strings.HasPrefix(folder, "cmd/")
}

const root = "../.."

func TestImportsFollowTheTable(t *testing.T) {
	found, err := arrows(root)
	if err != nil {
		t.Fatal(err)
	}
	for _, v := range violations(table, found) {
		t.Error(v)
	}
	for _, r := range table {
		if !slices.ContainsFunc(found, func(a arrow) bool { return a.folder == r.folder }) {
			t.Errorf("the table has %s, the module does not", r.folder)
		}
	}
}

func TestTableIsSound(t *testing.T) {
	seen := map[string]bool{}
	for _, r := range table {
		if seen[r.folder] {
			t.Errorf("%s: two rows", r.folder)
		}
		seen[r.folder] = true
		if r.why == "" {
			t.Errorf("%s: no reason given", r.folder)
		}
	}
	for _, r := range table {
		for _, p := range r.own {
			if !strings.HasSuffix(p, "…") && !seen[p] {
				t.Errorf("%s: may import %s, which has no row", r.folder, p)
			}
		}
	}
}

func TestDocumentNamesEveryFolder(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, "docs", "architecture.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range table {
		if !strings.Contains(string(text), "`"+r.folder+"`") {
			t.Errorf("docs/architecture.md does not name %s", r.folder)
		}
	}
}

// The test is only worth something if it fails when it should.
func TestForbiddenArrowsAreFound(t *testing.T) {
	for _, c := range []struct {
		folder, imports string
		want            bool
	}{
		{"engine", "kroo/games/oware", true},
		{"engine", "kroo/datasets", false},
		{"engine", "kroo/regress", false},
		{"engine", "kroo/engine/uci", false},
		{"engine", "math/bits", true},
		{"engine", "unsafe", false},
		{"engine", "C", false},
		{"engine", "github.com/spf13/cobra", false},
		{"games/oware", "kroo/internal/atomicfile", false},
		{"games/oware", "kroo/games/tictactoe", false},
		{"games/oware", "kroo/games", true},
		{"games", "kroo/games/oware", false},
		{"farm", "kroo/games", true},
		{"book", "kroo/internal/atomicfile", true},
		{"book", "kroo/internal/layering", false},
		{"book", "github.com/edsrzf/mmap-go", false},
		{"internal/mapfile", "github.com/edsrzf/mmap-go", true},
		{"internal/mapfile", "github.com/edsrzf/mmap-gone", false},
		{"datasets", "github.com/apache/arrow/go/v15/parquet/file", true},
		{"datasets", "github.com/apache/arrow/go/v16/parquet/file", false},
		{"regress", "gonum.org/v1/plot", false},
		{"run", "kroo/sampler", true},
		{"run", "kroo/cmd/train", false},
		{"run", "github.com/spf13/cobra", false},
		{"cmd/train", "kroo/run", true},
		{"cmd/train", "kroo", false},
		{"somewhere/new", "", false},
		{".", "", false},
	} {
		bad := violations(table, []arrow{{c.folder, "x.go", c.imports}})
		if (len(bad) == 0) != c.want {
			t.Errorf("%s importing %q: %q, want allowed %v", c.folder, c.imports, bad, c.want)
		}
	}
}

func TestReadingTheGraph(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"a/a.go":             "//go:build plan9\n\npackage a\n\nimport (\n\t\"fmt\"\n\tother `example.org/x`\n)\n",
		"a/a_test.go":        "package a\n\nimport \"kroo/cmd/train\"\n",
		"a/b/none.go":        "package b\n",
		"a/testdata/t.go":    "not even Go",
		".hidden/h.go":       "not even Go",
		"nested/go.mod":      "module nested\n",
		"nested/n.go":        "not even Go",
		"nested/deeper/n.go": "not even Go",
	} {
		name = filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := arrows(dir)
	want := []arrow{{"a", "a/a.go", ""}, {"a", "a/a.go", "fmt"}, {"a", "a/a.go", "example.org/x"}, {"a/b", "a/b/none.go", ""}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, error %v, want %q", got, err, want)
	}
}
