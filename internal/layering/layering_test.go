package layering

import (
	"fmt"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

const module = "kroo"

// arrow is one import, of a path in a file of a folder.
type arrow struct{ folder, file, imports string }

// arrows reads the imports of every source file under root, regardless of build constraints.
// Test files, test data, hidden folders and nested modules are ignored. The first arrow of every
// file imports "".
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

// violations lists the arrows that the map does not permit, and the permissions that no arrow
// uses.
func violations(layers map[string]permissions, found []arrow) (bad []string) {
	used := map[string]map[string]bool{} // by folder
	for _, a := range found {
		p, known := layers[a.folder]
		if a.imports == "" { // the first arrow of each file
			if used[a.folder] == nil {
				used[a.folder] = map[string]bool{}
			}
			if !known {
				bad = append(bad, fmt.Sprintf("%s: folder %q is not in the map: add it, with what it may import and why", a.file, a.folder))
			}
			continue
		}
		by := p.allow(a.imports)
		if known && len(by) == 0 && !free(a.imports) {
			bad = append(bad, fmt.Sprintf("%s: %s may not import %q", a.file, a.folder, a.imports))
		}
		for _, permission := range by {
			used[a.folder][permission] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(layers)) {
		if used[folder] == nil {
			bad = append(bad, fmt.Sprintf("the map has %s, the module does not", folder))
			continue
		}
		for _, permission := range slices.Concat(layers[folder].ours, layers[folder].third) {
			if !used[folder][permission] {
				bad = append(bad, fmt.Sprintf("%s may import %s and does not: take it out of the map", folder, permission))
			}
		}
	}
	return bad
}

// free reports whether every folder may import a path: those of the standard library except the
// unsafe ones.
func free(target string) bool {
	first, _, _ := strings.Cut(target, "/")
	return first != module && !strings.Contains(first, ".") && target != "C" && target != "unsafe"
}

// allow lists the permissions that match an imported path.
func (p permissions) allow(target string) (by []string) {
	own, ours := strings.CutPrefix(target, module+"/")
	for _, permission := range p.ours {
		if ours && matches(permission, own) {
			by = append(by, permission)
		}
	}
	for _, m := range p.third {
		if target == m || strings.HasPrefix(target, m+"/") {
			by = append(by, m)
		}
	}
	return by
}

func matches(permission, folder string) bool {
	return folder == permission || permission == "…" && !strings.HasPrefix(folder, "cmd/")
}

const root = "../.."

func TestImportsFollowTheMap(t *testing.T) {
	found := testkit.Must(arrows(root))(t)
	for _, v := range violations(layers, found) {
		t.Error(v)
	}
}

func TestMapIsSound(t *testing.T) {
	for folder, p := range layers {
		if p.why == "" {
			t.Errorf("%s: no reason given", folder)
		}
		for _, permission := range p.ours {
			if _, there := layers[permission]; !there && permission != "…" {
				t.Errorf("%s: may import %s, which is not in the map", folder, permission)
			}
		}
	}
}

// Tests that the test fails when it should.
func TestForbiddenArrowsAreFound(t *testing.T) {
	small := map[string]permissions{
		"engine":    {ours: []string{"games", "games/oware", "engine/search"}},
		"datasets":  {ours: []string{"internal/journal"}, third: []string{"example.org/arrow/v15"}},
		"cmd/train": {ours: []string{"…"}, third: []string{"example.org/cobra"}},
	}
	for _, c := range []struct {
		folder, imports string
		want            bool
	}{
		{"engine", "kroo/games", true},
		{"engine", "kroo/games/oware", true},
		{"engine", "kroo/games/chess", false},
		{"engine", "kroo/gamesmith", false},
		{"engine", "kroo/engine/search", true},
		{"engine", "kroo/engine/search/deep", false},
		{"engine", "kroo/datasets", false},
		{"engine", "kroo/internal/journal", false},
		{"engine", "math/bits", true},
		{"engine", "unsafe", false},
		{"engine", "C", false},
		{"engine", "example.org/cobra", false},
		{"datasets", "kroo/internal/journal", true},
		{"datasets", "example.org/arrow/v15", true},
		{"datasets", "example.org/arrow/v15/parquet/file", true},
		{"datasets", "example.org/arrow/v16/parquet/file", false},
		{"datasets", "example.org/arrow/v15more", false},
		{"cmd/train", "kroo/engine", true},
		{"cmd/train", "kroo/cmd/other", false},
		{"cmd/train", "kroo", false},
		{"somewhere/new", "", false},
		{".", "", false},
	} {
		found := []arrow{{c.folder, "x.go", ""}, {c.folder, "x.go", c.imports}}
		bad := violations(small, found)
		bad = slices.DeleteFunc(bad, func(v string) bool { return !strings.HasPrefix(v, "x.go: ") })
		testkit.Equal(t, (len(bad) == 0), c.want, "%s importing %q: %q, want allowed", c.folder, c.imports, bad)
	}
}

func TestUnusedPermissionsAreFound(t *testing.T) {
	small := map[string]permissions{
		"a": {ours: []string{"b", "games"}, third: []string{"example.org/x"}},
		"b": {},
	}
	used := []arrow{{"a", "a.go", ""}, {"a", "a.go", "kroo/b"}, {"a", "a.go", "kroo/games"}, {"a", "a.go", "example.org/x/y"}, {"b", "b.go", ""}}
	if bad := violations(small, used); len(bad) != 0 {
		t.Errorf("all is used: %q", bad)
	}
	for i, want := range []string{"", "a may import b and", "a may import games and", "a may import example.org/x and", "the map has b,"} {
		if i == 0 {
			continue
		}
		bad := violations(small, slices.Delete(slices.Clone(used), i, i+1))
		if len(bad) != 1 || !strings.HasPrefix(bad[0], want) {
			t.Errorf("without %v: %q, want %q", used[i], bad, want)
		}
	}
}

func TestArrows(t *testing.T) {
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
		testkit.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
		testkit.NoError(t, os.WriteFile(name, []byte(text), 0o644))
	}
	got, err := arrows(dir)
	want := []arrow{{"a", "a/a.go", ""}, {"a", "a/a.go", "fmt"}, {"a", "a/a.go", "example.org/x"}, {"a/b", "a/b/none.go", ""}}
	if err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, error %v, want %q", got, err, want)
	}
}
