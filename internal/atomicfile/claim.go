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

// claims are the outputs that this process has taken, by [vfs.Unique].
var claims = struct {
	sync.Mutex
	of map[string]*claim
}{of: map[string]*claim{}}

// claim is an output that nobody else writes.
type claim struct {
	lock    *vfs.File
	refusal error // why other content may not replace what is there; nil if it may
}

// Claim takes an output for this process, from before the first look at what is there to
// the last rename, until [Release]: so two programs never write the same file. It refuses
// what is no regular file, and a file that another process has taken. If its process dies, a
// claim ends. The error is an [*Error].
//
// The lock is on a hidden file next to the output, ".NAME.lock": the output itself is replaced
// by another file, and may not be there yet. Release removes it, as does the next claim's,
// after one that ended by a kill.
func Claim(path string) error {
	if err := take(path); err != nil {
		return &Error{path, err}
	}
	return nil
}

func take(path string) error {
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

// claimed returns the claim on an output, nil for none.
func claimed(path string) (*claim, error) {
	file, err := vfs.Unique(path)
	if err != nil {
		return nil, err
	}
	claims.Lock()
	defer claims.Unlock()
	return claims.of[file], nil
}

// Keep makes [WriteFile] succeed on a claimed output only if the content is unchanged, and
// refuse to replace it by anything else.
func Keep(path string, refusal error) error {
	c, err := claimed(path)
	if err == nil && c != nil {
		c.refusal = refusal
	}
	return err
}

// Release gives up all claims of this process.
func Release() {
	claims.Lock()
	defer claims.Unlock()
	for path, c := range claims.of {
		Unlock(c.lock)
		delete(claims.of, path)
	}
}

// lock creates a lock file, which says who has it, and takes its lock; [Unlock] removes it.
// The error is [vfs.ErrLocked] if another process has it.
func lock(name string) (*vfs.File, error) {
	for {
		f, err := vfs.OpenLocked(name, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o666)
		if errors.Is(err, fs.ErrExist) {
			if f, err = takeLeft(name); f == nil && err == nil {
				continue
			}
			return f, err
		}
		if errors.Is(err, vfs.ErrLocked) {
			return nil, held(name)
		}
		if err != nil {
			return nil, inFolder(filepath.Dir(name), err)
		}
		// Who has the lock is good to know, but nothing depends on it.
		fmt.Fprintf(f, "%d %s\n", os.Getpid(), strings.Join(os.Args, " "))
		return f, nil
	}
}

// takeLeft removes a lock file that a killed process has left, and returns nil. One that it cannot
// remove it locks as it is: another user's in a sticky folder, which it could not create or write.
func takeLeft(name string) (*vfs.File, error) {
	f, err := vfs.OpenLocked(name, os.O_RDONLY, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist): // removed since
		return nil, nil
	case errors.Is(err, vfs.ErrLocked):
		return nil, held(name)
	case errors.Is(err, fs.ErrPermission):
		return nil, fmt.Errorf("its lock file %s belongs to another user: remove it if nobody writes the output, or name another output", name)
	case err != nil:
		return nil, fmt.Errorf("its lock file: %w", err)
	}
	if vfs.Remove(name) != nil {
		return f, nil
	}
	return nil, f.Close()
}

// FolderLock is the file in a folder whose lock [LockFolder] takes.
const FolderLock = ".lock"

// LockFolder locks a folder that one program at a time works in, as lock does a file.
func LockFolder(dir string) (*vfs.File, error) { return lock(in(dir, FolderLock)) }

// held is [vfs.ErrLocked] with the process that has a lock file, as far as that says.
func held(name string) error {
	const longest = 200
	b, _ := vfs.ReadStart(name, longest)
	pid, command, found := strings.Cut(strings.TrimSpace(string(b)), " ")
	if !found {
		return vfs.ErrLocked
	}
	return fmt.Errorf("%w (process %s, %q): wait for it, stop it, or name another output", vfs.ErrLocked, pid, command)
}

// Unlock removes a lock file while it still has the lock, so that nobody waits for a file
// without a name.
func Unlock(f *vfs.File) {
	if closesFirst { // there, what another process has opened is not removed
		f.Close()
	}
	_ = vfs.Remove(f.Name())
	f.Close()
}

// keeps reports whether a claimed output stays what it is, since the new content is the same. It
// refuses another content where the claim does.
func keeps(path string, written *vfs.File) (bool, error) {
	c, err := claimed(path)
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

// equal reports whether the rest of two files is the same.
func equal(a, b io.Reader) (bool, error) {
	var x, y [1 << 16]byte
	for {
		n, errA := io.ReadFull(a, x[:])
		m, errB := io.ReadFull(b, y[:])
		if !bytes.Equal(x[:n], y[:m]) {
			return false, nil
		}
		endA, endB := ended(errA), ended(errB)
		if endA != endB || endA {
			return endA == endB, nil
		}
		if err := errors.Join(errA, errB); err != nil {
			return false, err
		}
	}
}

func ended(err error) bool { return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) }
