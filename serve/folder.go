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

// folder is the folder whose files the server shows, and no others. It need not be
// there yet.
type folder struct{ dir string }

// path is that of a file by its name in the folder, with slashes. A name that leads out
// of it, also by way of a link, is refused.
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

// cause is an error of the system without the path, which is nobody's business.
func cause(err error) error {
	var at *fs.PathError
	if errors.As(err, &at) {
		return at.Err
	}
	return err
}

// Limits of a listing: how many files, how deep.
const (
	maxListed = 2000
	maxDepth  = 6
)

// list names the files of a kind, in order. Hidden files and folders are left out, and
// what is gone or not for us; a file that cannot be read for another reason, such as too
// many open files, is an error, since the list would lack it without a word.
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

// files lists all files, as list does.
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

// unreadable is what a listing says of a file that it cannot read.
func unreadable(name string, err error) error {
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) {
		return nil
	}
	return fmt.Errorf("%s cannot be read: %w", name, cause(err))
}

// plain is the text of an error for visitors: on one line, without
// where the folder is.
func (f folder) plain(err error) string {
	text := wording.OneLine(err.Error())
	if len(f.dir) > 1 { // not the root of all folders
		text = strings.ReplaceAll(text, strings.TrimSuffix(f.dir, separator)+separator, "")
	}
	return text
}

const separator = string(filepath.Separator)
