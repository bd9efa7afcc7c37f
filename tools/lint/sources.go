package main

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A source is a file of the module with its text.
type source struct {
	path string // relative to the module's folder, with slashes
	text string
}

// sources reads the files with a suffix, except in test data, hidden folders and nested modules.
func sources(root, suffix string) (list []source, err error) {
	err = filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return enter(root, path, d.Name())
		}
		if !strings.HasSuffix(path, suffix) {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(root, path)
		list = append(list, source{filepath.ToSlash(rel), string(text)})
		return err
	})
	return list, err
}

func enter(root, path, base string) error {
	if path == root {
		return nil
	}
	if base == "testdata" || strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") {
		return filepath.SkipDir
	}
	if _, err := os.Stat(filepath.Join(path, "go.mod")); err == nil {
		return filepath.SkipDir
	}
	return nil
}

// code reads the Go files that are not tests.
func code(root string) (list []source, err error) {
	all, err := sources(root, ".go")
	for _, s := range all {
		if !strings.HasSuffix(s.path, "_test.go") {
			list = append(list, s)
		}
	}
	return list, err
}

// at returns the position of an offset, as path:line.
func (s source) at(offset int) string {
	return fmt.Sprintf("%s:%d", s.path, 1+strings.Count(s.text[:offset], "\n"))
}
