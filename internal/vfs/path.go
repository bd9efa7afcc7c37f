package vfs

import (
	"os"
	"path/filepath"
	"strings"
)

// Resolve returns a path that refers to the same file after [filepath.Join] or Clean. If LINK is
// a symbolic link, the system finds LINK/../x next to the link's target, but cleaning the path
// gives x next to the link. So everything before ".." is resolved as the system does. The last
// name is not resolved, so that the caller can refuse a link; paths that cleaning does not
// change are returned unchanged.
func Resolve(path string) (string, error) {
	if parents(filepath.Clean(path)) == parents(path) {
		return path, nil
	}
	return resolve(path)
}

// Abs is [filepath.Abs] of [Resolve]. It starts from the physical working folder, because PWD
// may contain a link.
func Abs(path string) (string, error) {
	path, err := Resolve(path)
	if err != nil || filepath.IsAbs(path) {
		return path, err
	}
	here, err := os.Getwd()
	if err != nil {
		return "", err
	}
	here, err = filepath.EvalSymlinks(here)
	if err != nil {
		return "", err
	}
	return filepath.Join(here, path), nil
}

// Unique returns the same name for all spellings of a path: absolute, with all links resolved
// except the last name.
func Unique(path string) (string, error) {
	path, err := Abs(path)
	if err != nil {
		return "", err
	}
	return resolve(path)
}

// resolve resolves all links of a path except the last name.
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

// parents counts the ".." in a path.
func parents(path string) (n int) {
	for step := range strings.SplitSeq(filepath.ToSlash(path), "/") {
		if step == ".." {
			n++
		}
	}
	return n
}
