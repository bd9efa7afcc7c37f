package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"kroo/internal/vfs"
)

const tempMark = ".tmp-"

// isTemp reports whether a file name is that of a temporary file.
func isTemp(name string) bool {
	at := strings.LastIndex(name, tempMark)
	if at < 1 || name[0] != '.' {
		return false
	}
	number := name[at+len(tempMark):]
	return number != "" && strings.Trim(number, "0123456789abcdef") == ""
}

// tempOf reports whether a temporary file is one of the file base.
func tempOf(name, base string) bool {
	return name[:strings.LastIndex(name, tempMark)] == "."+base
}

// closesFirst: Windows neither renames nor removes a file that is open.
const closesFirst = runtime.GOOS == "windows"

// createTemp creates a temporary file for the file at path, with its permissions. While
// it is open it is locked, which distinguishes it from those of interrupted writes.
func createTemp(path string) (*vfs.File, error) {
	dir, base := split(path)
	mode, keep := permissions(path)
	for {
		name := in(dir, fmt.Sprintf(".%s%s%08x", base, tempMark, rand.Uint32()))
		f, err := vfs.OpenFile(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, mode)
		if errors.Is(err, fs.ErrExist) {
			continue
		}
		if err != nil {
			return nil, inFolder(dir, err)
		}
		// A file system without locks is no reason to fail: nobody removes then.
		_ = f.Lock()
		if _, err := vfs.Lstat(name); errors.Is(err, fs.ErrNotExist) { // removed before it was locked
			f.Close()
			continue
		}
		if keep {
			if err := f.Chmod(mode); err != nil { // the umask may have taken some
				f.Close()
				vfs.Remove(name)
				return nil, err
			}
		}
		return f, nil
	}
}

// inFolder is why no file can be created in a folder, without the temporary name.
func inFolder(dir string, err error) error {
	var on *fs.PathError
	if errors.As(err, &on) {
		return fmt.Errorf("folder %s: %w", shown(dir), on.Err)
	}
	return err
}

// shown returns a folder as it was written, without the separators at the end.
func shown(dir string) string {
	if short := strings.TrimRight(dir, string(filepath.Separator)); short != "" {
		return short
	}
	return dir
}

// permissions returns those that the file at path is to have, and whether they are
// those of a file that is there. A new file has what the umask leaves.
func permissions(path string) (mode fs.FileMode, keep bool) {
	if info, err := vfs.Stat(path); err == nil && info.Mode().IsRegular() {
		return info.Mode().Perm(), true
	}
	return 0o666, false
}

// RemoveTemps deletes the temporary files of interrupted writes in a folder, if there
// is one. It leaves those of writes under way.
func RemoveTemps(dir string) error { return removeTemps(dir, "") }

// removeTemps deletes those of one file, or of all if base is "".
func removeTemps(dir, base string) error {
	list, err := vfs.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range list {
		if !e.Type().IsRegular() || !isTemp(e.Name()) || base != "" && !tempOf(e.Name(), base) {
			continue
		}
		if err := removeTemp(in(dir, e.Name())); err != nil {
			return err
		}
	}
	return nil
}

// removeTemp deletes a temporary file that nobody writes.
func removeTemp(path string) error {
	f, err := vfs.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	if f.Lock() != nil {
		return nil
	}
	if closesFirst {
		f.Close()
	}
	return vfs.RemoveIfThere(path)
}

// Error is a file that could not be written.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("cannot write %s: %v", e.Path, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Check finds out whether [WriteFile] can write a file: before long work, whose output
// it is to be. It makes a temporary file and removes it. The error is an [*Error].
func Check(path string) error {
	if err := check(path); err != nil {
		return &Error{path, err}
	}
	return nil
}

func check(path string) error {
	if err := replaceable(path); err != nil {
		return err
	}
	f, err := createTemp(path)
	if err != nil {
		return err
	}
	f.Close()
	return vfs.RemoveIfThere(f.Name()) // another process may have taken it for one that was left
}

// replaceable refuses what must not be replaced: a folder, a device, a link.
func replaceable(path string) error {
	if path == "" {
		return errors.New("it has no name")
	}
	info, err := vfs.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	return vfs.Regular(info)
}
