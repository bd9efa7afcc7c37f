// Package atomicfile writes files atomically: it writes a temporary file in the same
// folder, syncs it, renames it over the target, and syncs the folder. A crash at any
// moment leaves the old file, the new one, or the old one and a temporary file named
// ".NAME.tmp-*". The next write of that name removes it, or [RemoveTemps].
//
// A command that works long before it writes takes its outputs first: see [Claim].
//
// A new file has the permissions that the umask leaves; a file that replaces another
// has those of the old one.
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

// WriteFile replaces path by what write writes. On an error it leaves the old file,
// if there is one, alone and removes the temporary file; the error is an [*Error].
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
	_ = removeTemps(dir, base) // what an interrupted write has left does not hinder this one
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
	// The lock lasts until the file has its name.
	if closesFirst {
		f.Close()
	}
	if err := vfs.Rename(f.Name(), path); err != nil {
		return err
	}
	f.Close() // it is synced
	return vfs.SyncDir(dir)
}

// split returns folder and name of a path.
func split(path string) (dir, base string) {
	dir, base = filepath.Split(path)
	if dir == "" {
		dir = "."
	}
	return dir, base
}

// in returns a name in a folder. [filepath.Join] would take another folder for LINK/.., see [vfs.Resolve].
func in(dir, name string) string {
	if dir == "." {
		return name
	}
	return strings.TrimRight(dir, string(filepath.Separator)) + string(filepath.Separator) + name
}

// WriteJSON is [WriteFile] for a value as indented JSON.
func WriteJSON(path string, v any) error {
	data, err := json.MarshalIndent(v, "", "  ")
	if err != nil {
		return err
	}
	return WriteBytes(path, append(data, '\n'))
}

// WriteBytes replaces path by data, as [WriteFile] does.
func WriteBytes(path string, data []byte) error {
	return WriteFile(path, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}
