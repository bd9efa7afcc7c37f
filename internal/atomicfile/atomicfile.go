// Package atomicfile writes files atomically: it writes a temporary file in the same folder,
// syncs it, renames it over the target, and syncs the folder. A crash at any point leaves the
// old file, the new file, or the old file and a temporary file named ".NAME.tmp-*". The next
// write of NAME, or [RemoveTemps], removes it.
//
// A command that works for a long time before it writes should claim its outputs first: see
// [Claim].
//
// The permissions of a new file depend on the umask; a file that replaces another keeps its
// permissions.
package atomicfile

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"kroo/internal/vfs"
)

// WriteFile replaces path with the output of write. On an error it keeps the old file, if any,
// and removes the temporary file, unless syncing the folder fails, after the rename; the error is an
// [*Error].
func WriteFile(path string, write func(io.Writer) error) error {
	if err := replace(path, write); err != nil {
		return &Error{path, err}
	}
	return nil
}

func replace(path string, write func(io.Writer) error) (err error) {
	if err := replaceable(path); err != nil {
		return err
	}
	dir, base := split(path)
	_ = removeTemps(dir, base) // a leftover of an interrupted write is no reason to fail
	f, err := createTemp(path)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			f.Close()
			vfs.Remove(f.Name())
		}
	}()
	w := bufio.NewWriterSize(f, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if err := f.Sync(); err != nil {
		return err
	}
	if kept, err := keeps(path, f); kept || err != nil {
		f.Close()
		return errors.Join(err, vfs.RemoveIfThere(f.Name()))
	}
	// Keep the lock until the file has its final name.
	if closesFirst {
		f.Close()
	}
	if err := vfs.Rename(f.Name(), path); err != nil {
		return err
	}
	f.Close() // already synced
	return vfs.SyncDir(dir)
}

// split returns the folder and the name of a path.
func split(path string) (dir, base string) {
	dir, base = filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	return dir, base
}

// in returns the path of a name in a folder. [filepath.Join] would resolve LINK/.. differently,
// see [vfs.Resolve].
func in(dir, name string) string {
	if dir == "." {
		return name
	}
	return strings.TrimRight(dir, string(filepath.Separator)) + string(filepath.Separator) + name
}

// WriteJSON writes v as indented JSON with [WriteFile].
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteBytes(path, append(data, '\n'))
}

// WriteBytes writes data with [WriteFile].
func WriteBytes(path string, data []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

const tempMark = ".tmp-"

// isTemp reports whether a temporary file has this name.
func isTemp(name string) bool {
	at := strings.LastIndex(name, tempMark)
	if at < 1 || name[0] != '.' {
		return false
	}
	number := name[at+len(tempMark):]
	return number != "" && strings.Trim(number, "0123456789abcdef") == ""
}

// tempOf reports whether a temporary file belongs to the file base.
func tempOf(name, base string) bool {
	return name[:strings.LastIndex(name, tempMark)] == "."+base
}

// closesFirst: Windows neither renames nor removes an open file.
const closesFirst = runtime.GOOS == "windows"

// createTemp creates a temporary file for path, with the permissions that path will have. It is
// locked while open, which distinguishes it from leftovers of interrupted writes.
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
		// Without locks in the file system, removeTemp cannot lock either, and removes nothing.
		_ = f.Lock()
		if _, err := vfs.Lstat(name); errors.Is(err, fs.ErrNotExist) { // removed before it was locked
			f.Close()
			continue
		}
		if keep {
			if err := f.Chmod(mode); err != nil { // the umask may have cleared some bits
				f.Close()
				vfs.Remove(name)
				return nil, err
			}
		}
		return f, nil
	}
}

// inFolder rewords an error of creating a file: it names the folder instead of the temporary
// file.
func inFolder(dir string, err error) error {
	var on *fs.PathError
	if errors.As(err, &on) {
		return fmt.Errorf("folder %s: %w", trimSeparators(dir), on.Err)
	}
	return err
}

// trimSeparators returns a folder as given, without trailing separators.
func trimSeparators(dir string) string {
	if short := strings.TrimRight(dir, string(filepath.Separator)); short != "" {
		return short
	}
	return dir
}

// permissions returns the permissions of the file at path and true, or those of a new file,
// subject to the umask, and false.
func permissions(path string) (mode fs.FileMode, keep bool) {
	if info, err := vfs.Stat(path); err == nil && info.Mode().IsRegular() {
		return info.Mode().Perm(), true
	}
	return 0o666, false
}

// RemoveTemps deletes temporary files of interrupted writes in a folder, if it exists. It does
// not touch writes in progress.
func RemoveTemps(dir string) error { return removeTemps(dir, "") }

// removeTemps deletes the temporary files of base, or of all files if base is "".
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

// removeTemp deletes a temporary file unless a process is writing it.
func removeTemp(path string) error {
	f, err := openToLock(path, vfs.OpenFile)
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

// openToLock opens a file with a function like [vfs.OpenFile] in order to lock it: for writing, since NFS
// locks no other files, or, if it is another user's, for reading.
func openToLock(name string, open func(name string, flag int, mode fs.FileMode) (*vfs.File, error)) (*vfs.File, error) {
	f, err := open(name, os.O_RDWR, 0)
	if errors.Is(err, fs.ErrPermission) {
		return open(name, os.O_RDONLY, 0)
	}
	return f, err
}

// Error is the error of a file that cannot be written.
type Error struct {
	Path string
	Err  error
}

func (e *Error) Error() string { return fmt.Sprintf("cannot write %s: %v", e.Path, e.Err) }

func (e *Error) Unwrap() error { return e.Err }

// Check reports whether [WriteFile] could write path, for use before a long computation. It
// creates and removes a temporary file. The error is an [*Error].
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
	return vfs.RemoveIfThere(f.Name()) // another process may have removed it as a leftover
}

// replaceable returns an error if path must not be replaced: a folder, a device, a link.
func replaceable(path string) error {
	if path == "" {
		return errors.New("the name is empty")
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
