package main

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

func TestErrorsHaveNoPackageNamesInFront(t *testing.T) {
	for text, want := range map[string]string{
		"datasets: f.csv: no rows":                    "f.csv: no rows",
		"match: oware: x.ogn:1:2: illegal move":       "x.ogn:1:2: illegal move",
		"chess: x is no square":                       "x is no square",
		"features/oware: weights file \"w\": damaged": "weights file \"w\": damaged",
		"book.bin: the header is damaged":             "book.bin: the header is damaged",
		"open book: no such file":                     "open book: no such file",
		"play: ":                                      "",
		"":                                            "",
	} {
		if got := plain(errors.New(text)); got != want {
			t.Errorf("%q is told as %q, want %q", text, got, want)
		}
	}
}

// Every package that begins errors with its name, or with its folder, is in the list.
func TestPackagesOfErrorsAreKnown(t *testing.T) {
	begin := regexp.MustCompile(`(?:Errorf|errors\.New)\(["` + "`" + `]([a-z/]+): `)
	found := 0
	err := fs.WalkDir(os.DirFS(filepath.Join("..", "..")), ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return err
		}
		text, err := os.ReadFile(filepath.Join("..", "..", filepath.FromSlash(name)))
		if err != nil {
			return err
		}
		folder := path.Dir(name)
		for _, m := range begin.FindAllSubmatch(text, -1) {
			if who := string(m[1]); who == folder || who == path.Base(folder) {
				found++
				if !slices.Contains(packages, who) {
					t.Errorf("%s: an error begins with %q, which plain does not cut", name, who)
				}
			}
		}
		return nil
	})
	if err != nil || found < 300 {
		t.Errorf("%d errors with the name of a package, error %v", found, err)
	}
}
