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
	"io"
	"path/filepath"
	"strings"

	"kroo/internal/vfs"
)

// WriteFile replaces path with the output of write. On an error it keeps the old file, if any,
// and removes the temporary file; the error is an [*Error].
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
