package atomicfile

import (
	"errors"
	"fmt"
	"io/fs"

	"kroo/internal/vfs"
)

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
