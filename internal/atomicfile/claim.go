package atomicfile

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"kroo/internal/vfs"
)

// claims are the outputs that this process has claimed, by [vfs.Unique].
var claims = struct {
	sync.Mutex
	of map[string]*claim
}{of: map[string]*claim{}}

// claim is an output that only this process writes.
type claim struct {
	lock    *vfs.File
	refusal error // error of replacing the content by another; nil if allowed
}

// Claim reserves an output for this process until [Release], so that two programs never write
// the same file. It returns an error if path is not a regular file or another process has
// claimed it. A claim ends with its process. The error is an [*Error].
//
// The lock is on a hidden file next to the output, ".NAME.lock", because the output itself is
// replaced and may not exist yet. Release removes the lock file, and so does the next Claim
// after the process was killed.
func Claim(path string) error {
	if err := claimOutput(path); err != nil {
		return &Error{path, err}
	}
	return nil
}

func claimOutput(path string) error {
	if err := replaceable(path); err != nil {
		return err
	}
	dir, base := split(path)
	file, err := vfs.Unique(path)
	if err != nil {
		return inFolder(dir, err)
	}
	claims.Lock()
	defer claims.Unlock()
	if claims.of[file] != nil {
		return nil
	}
	f, err := lock(in(dir, "."+base+".lock"))
	if err != nil {
		return err
	}
	claims.of[file] = &claim{lock: f}
	return nil
}

// claimOf returns the claim on an output, or nil.
func claimOf(path string) (*claim, error) {
	file, err := vfs.Unique(path)
	if err != nil {
		return nil, err
	}
	claims.Lock()
	defer claims.Unlock()
	return claims.of[file], nil
}

// Keep makes [WriteFile] succeed on a claimed output only if the content is unchanged, and
// otherwise fail with refusal.
func Keep(path string, refusal error) error {
	c, err := claimOf(path)
	if err == nil && c != nil {
		c.refusal = refusal
	}
	return err
}

// Release ends all claims of this process.
func Release() {
	claims.Lock()
	defer claims.Unlock()
	for path, c := range claims.of {
		Unlock(c.lock)
		delete(claims.of, path)
	}
}

// lock creates a lock file, which identifies its owner, and locks it; [Unlock] removes it. The
// error is [vfs.ErrLocked] if another process has the lock.
func lock(name string) (*vfs.File, error) {
	for {
		f, err := vfs.OpenLocked(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			f, err = removeStale(name)
			if f == nil && err == nil {
				continue
			}
			return f, err
		}
		if errors.Is(err, vfs.ErrLocked) {
			return nil, lockedBy(name)
		}
		if err != nil {
			return nil, inFolder(filepath.Dir(name), err)
		}
		// The owner is for messages only.
		fmt.Fprintf(f, "%d %s\n", os.Getpid(), strings.Join(os.Args, " "))
		return f, nil
	}
}

// removeStale removes the lock file of a killed process, and returns nil. If it cannot remove the
// file, it locks it as it is: in a sticky folder, another user's file cannot be created, written
// or removed.
func removeStale(name string) (*vfs.File, error) {
	f, err := openToLock(name, vfs.OpenLocked)
	switch {
	case errors.Is(err, fs.ErrNotExist): // removed in the meantime
		return nil, nil
	case errors.Is(err, vfs.ErrLocked):
		return nil, lockedBy(name)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("its lock file %s belongs to another user: remove it if no process writes the output, or choose another output", name)
	case err != nil:
		return nil, fmt.Errorf("its lock file: %w", err)
	}
	if vfs.Remove(name) != nil {
		return f, nil
	}
	return nil, f.Close()
}

// FolderLock is the name of the lock file of [LockFolder].
const FolderLock = ".lock"

// LockFolder locks a folder in which only one program may work at a time. [Unlock] releases it.
func LockFolder(dir string) (*vfs.File, error) { return lock(in(dir, FolderLock)) }

// lockedBy returns [vfs.ErrLocked], with the owner if the lock file names it.
func lockedBy(name string) error {
	const maxLength = 200
	b, _ := vfs.ReadStart(name, maxLength)
	pid, command, found := strings.Cut(strings.TrimSpace(string(b)), " ")
	if !found {
		return vfs.ErrLocked
	}
	return fmt.Errorf("%w (process %s, %q): wait for it, stop it, or choose another output", vfs.ErrLocked, pid, command)
}

// Unlock removes a lock file before releasing its lock, so that no process waits for a deleted
// file.
func Unlock(f *vfs.File) {
	if closesFirst { // Windows does not remove files that another process has open
		f.Close()
	}
	_ = vfs.Remove(f.Name())
	f.Close()
}

// keeps reports whether a claimed output that must not change has the same content as the new
// file. If the content differs, it returns the claim's refusal.
func keeps(path string, written *vfs.File) (bool, error) {
	c, err := claimOf(path)
	if err != nil || c == nil || c.refusal == nil {
		return false, err
	}
	old, err := vfs.Open(path)
	if err != nil {
		return false, err
	}
	defer old.Close()
	if _, err := written.Seek(0, io.SeekStart); err != nil {
		return false, err
	}
	same, err := equal(old, written)
	if err == nil && !same {
		err = c.refusal
	}
	return same, err
}

// equal reports whether the remaining contents of two files are equal.
func equal(a, b io.Reader) (bool, error) {
	var x, y [1 << 16]byte
	for {
		n, errA := io.ReadFull(a, x[:])
		m, errB := io.ReadFull(b, y[:])
		if !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		endA, endB := isEOF(errA), isEOF(errB)
		if endA != endB || endA {
			return endA == endB, nil
		}
		if err := errors.Join(errA, errB); err != nil {
			return false, err
		}
	}
}

func isEOF(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
