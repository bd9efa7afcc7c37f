package vfs

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// linked returns a folder with here/link, a link to there/inside, and changes to it.
func linked(t *testing.T) string {
	t.Helper()
	dir := testkit.Must(filepath.EvalSymlinks(t.TempDir()))(t)
	t.Chdir(dir)
	if err := errors.Join(os.MkdirAll("there/inside", 0o777), os.Mkdir("here", 0o777), os.Symlink("../there/inside", "here/link")); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestResolveAgreesWithTheSystem(t *testing.T) {
	dir := linked(t)
	sys := filepath.FromSlash
	for path, want := range map[string]string{
		"":                    "",
		"x":                   "x",
		"./-x":                "./-x",
		"here/link/x":         "here/link/x", // cleaning changes nothing
		"../x":                "../x",
		"here/../x":           "x",
		"here/link/../x":      "there/x",
		"here/link/../x/":     "there/x",
		"here/link/..":        "there",
		"here/link/.":         "here/link/.",
		"here/link/../../x":   "x",
		"there/../here/link":  "here/link", // the last name is not resolved
		dir + "/here/link/..": dir + "/there",
	} {
		if got, err := Resolve(sys(path)); err != nil || got != sys(want) {
			t.Errorf("%s: %s, %v: want %s", path, got, err, want)
		}
	}
	if got, err := Resolve("none/../x"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("none/../x: %s, %v: want not exist", got, err)
	}
}

func TestUniqueIsEqualForAllSpellings(t *testing.T) {
	dir := linked(t)
	want := filepath.Join(dir, "there", "x")
	for _, path := range []string{"there/x", "./there//x", "here/link/../x", "here/../there/x", "there/inside/../x", dir + "/there/x", dir + "/here/link/../x"} {
		if got, err := Unique(filepath.FromSlash(path)); err != nil || got != want {
			t.Errorf("%s: %s, %v: want %s", path, got, err, want)
		}
	}
	if got, err := Unique(filepath.FromSlash("here/link/x")); err != nil || got != filepath.Join(dir, "there", "inside", "x") {
		t.Errorf("here/link/x: %s, %v", got, err)
	}
}

// A shell that has followed a link sets PWD to a path with the link, and [os.Getwd] returns it.
func TestAbsStartsFromThePhysicalFolder(t *testing.T) {
	dir := linked(t)
	t.Chdir(filepath.Join(dir, "here", "link")) // sets PWD
	for path, want := range map[string]string{"../x": "there/x", "x": "there/inside/x", "..": "there"} {
		if got, err := Abs(filepath.FromSlash(path)); err != nil || got != filepath.Join(dir, filepath.FromSlash(want)) {
			t.Errorf("%s: %s, %v: want %s", path, got, err, want)
		}
	}
}

func TestReadFileRefusesLargeFiles(t *testing.T) {
	defer func(most int64) { mostRead = most }(mostRead)
	mostRead = 8
	path := filepath.Join(t.TempDir(), "file")
	for text, ok := range map[string]bool{"": true, "12345678": true, "123456789": false} {
		testkit.NoError(t, os.WriteFile(path, []byte(text), 0o666))
		data, err := ReadFile(path)
		if ok != (err == nil) || ok && string(data) != text || !ok && !strings.Contains(err.Error(), "more than 8 bytes") {
			t.Errorf("%q: %q, %v", text, data, err)
		}
	}
}
