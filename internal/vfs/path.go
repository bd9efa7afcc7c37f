package vfs

import (
	"os"
	"path/filepath"
	"strings"
)

// Resolve returns a path that stays the same file when [filepath.Join] or Clean folds it. If LINK
// is a link, the system finds LINK/../x next to what it leads to, where folding looks next to the
// link. So what precedes ".." is resolved as the system does. The last name stays as it is, for
// the caller to refuse a link, and so does a path that nothing folds.
func Resolve(path string) (string, error) {
	if parents(filepath.Clean(path)) == parents(path) {
		return path, nil
	}
	return resolve(path)
}

// Abs is [filepath.Abs] of [Resolve], from the folder that the process is in: the environment may
// name this by way of a link.
func Abs(path string) (string, error) {
	path, err := Resolve(path)
	if err != nil || filepath.IsAbs(path) {
		return path, err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	if here, err = filepath.EvalSymlinks(here); err != nil {
		return "", err
	}
	return filepath.Join(here, path), nil
}

// Unique returns the one name of all spellings of a path, absolute and with all links resolved, but
// for the last name.
func Unique(path string) (string, error) {
	path, err := Abs(path)
	if err != nil {
		return "", err
	}
	return resolve(path)
}

// resolve resolves all links of a path but for the last name.
func resolve(path string) (string, error) {
	path = filepath.FromSlash(path)
	folder, name := filepath.Split(strings.TrimRight(path, string(filepath.Separator)))
	if name == "" || name == ".." || name == "." {
		folder, name = path, ""
	}
	if folder == "" {
		return path, nil
	}
	folder, err := value("stat", folder, func() (string, error) { return filepath.EvalSymlinks(folder) })
	return filepath.Join(folder, name), err
}

// parents counts the steps up in a path.
func parents(path string) (n int) {
	for step := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if step == ".." {
			n++
		}
	}
	return n
}
