package serve

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"kroo/internal/wording"
	"kroo/run/inspect"
)

// folder is the served folder. It need not exist yet.
type folder struct{ dir string }

// path returns the path of a file in the folder; its name has slashes. Names and links that lead out of
// the folder are refused.
func (f folder) path(name string) (string, error) {
	local, err := filepath.Localize(name)
	if err != nil || name == "." {
		return "", fmt.Errorf("%.80q: expected the name of a file in the served folder", name)
	}
	root, err := os.OpenRoot(f.dir)
	if err != nil {
		return "", fmt.Errorf("%s: the served folder: %w", name, cause(err))
	}
	defer root.Close()
	info, err := root.Stat(local)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, cause(err))
	}
	if !info.Mode().IsRegular() && !info.IsDir() { // reading from a pipe would wait forever
		return "", fmt.Errorf("%s: %s: expected a file", name, info.Mode().Type())
	}
	return filepath.Join(f.dir, local), nil
}

// cause returns an error without the path, which visitors need not know.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Limits of a listing: number of files, depth of folders.
const (
	maxListed = 2000
	maxDepth  = 6
)

// list returns the names of the files of a kind, sorted. It leaves out hidden files and folders, files
// that have vanished, and those without permission. Any other failure to read a file is an error.
func (f folder) list(kind inspect.Kind) ([]string, error) {
	all, err := f.files()
	names := []string{}
	for _, at := range all {
		if at.kind == kind {
			names = append(names, at.name)
		}
	}
	return names, err
}

// file is a file of the folder.
type file struct {
	name string
	kind inspect.Kind
}

// files is list for all kinds.
func (f folder) files() (all []file, err error) {
	root, err := os.OpenRoot(f.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the served folder: %w", cause(err))
	}
	defer root.Close()
	seen := 0
	err = fs.WalkDir(root.FS(), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return unreadable(name, err)
		case name != "." && strings.HasPrefix(d.Name(), "."), d.IsDir() && strings.Count(name, "/") >= maxDepth:
			if d.IsDir() {
				return fs.SkipDir
			}
			return nil
		case !d.Type().IsRegular():
			return nil
		}
		if seen++; seen > maxListed {
			return fs.SkipAll
		}
		k, err := inspect.KindOf(filepath.Join(f.dir, filepath.FromSlash(name)))
		if err == nil {
			all = append(all, file{name, k})
		}
		return unreadable(name, err)
	})
	slices.SortFunc(all, func(a, b file) int { return strings.Compare(a.name, b.name) })
	return all, err
}

// unreadable returns the error of a listing for a file that cannot be read.
func unreadable(name string, err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return fmt.Errorf("%s cannot be read: %w", name, cause(err))
}

// plain returns the text of an error for visitors: one line, without the path of the folder.
func (f folder) plain(err error) string {
	text := wording.OneLine(err.Error())
	if len(f.dir) > 1 { // not the root
		text = strings.ReplaceAll(text, strings.TrimSuffix(f.dir, separator)+separator, "")
	}
	return text
}

const separator = string(filepath.Separator)
