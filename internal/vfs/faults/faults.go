// Package faults injects failures of file-system calls into tests: one call that fails, or a
// failure that lasts, such as a disk that is gone.
package faults

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"

	"kroo/internal/vfs"
)

// Failure is a way in which calls fail. A call for which it has no error succeeds.
type Failure struct {
	Name   string
	errors map[string]syscall.Errno // by the name that [vfs.Fail] gives a call
	lasts  bool                     // it fails all later calls too, not only the first
}

// Once makes a single call fail, with the error that is most likely in practice.
var Once = Failure{Name: "once", errors: map[string]syscall.Errno{
	"open": syscall.EMFILE, "read": syscall.EIO, "write": syscall.ENOSPC, "sync": syscall.EIO, "truncate": syscall.EIO,
	"stat": syscall.EIO, "lock": syscall.ENOLCK, "chmod": syscall.EPERM, "seek": syscall.EIO, "list": syscall.EIO,
	"map": syscall.ENOMEM, "rename": syscall.EACCES, "remove": syscall.EPERM, "mkdir": syscall.ENOSPC,
}}

// lasting are the failures that last, of all calls, of opening files, and of changing them.
var lasting = []Failure{
	{"disk-gone", allCalls(syscall.EIO), true},
	{"no-descriptors", map[string]syscall.Errno{"open": syscall.EMFILE, "list": syscall.EMFILE}, true},
	{"read-only", map[string]syscall.Errno{
		"write": syscall.EROFS, "sync": syscall.EROFS, "truncate": syscall.EROFS, "chmod": syscall.EROFS,
		"rename": syscall.EROFS, "remove": syscall.EROFS, "mkdir": syscall.EROFS,
	}, true},
}

func allCalls(err syscall.Errno) map[string]syscall.Errno {
	all := map[string]syscall.Errno{}
	for call := range Once.errors {
		all[call] = err
	}
	return all
}

// All returns all failures: of one call first, then those that last.
func All() []Failure { return append([]Failure{Once}, lasting...) }

// ByName returns the failure of a name.
func ByName(name string) (f Failure, ok bool) {
	i := slices.IndexFunc(All(), func(f Failure) bool { return f.Name == name })
	if i < 0 {
		return Failure{}, false
	}
	return All()[i], true
}

// Inject makes the n-th call on a file that counts accepts fail, from 1, and all later ones if the
// failure lasts. The function that it returns reports the number of such calls, and the first failed
// call, "" if none failed.
func Inject(f Failure, n int64, counts func(path string) bool) (report func() (calls int64, failed string)) {
	var calls atomic.Int64
	var first atomic.Pointer[string]
	vfs.Fail(func(call, path string) error {
		if !counts(path) {
			return nil
		}
		at := calls.Add(1)
		err, fails := f.errors[call]
		if at < n || at > n && !f.lasts || !fails {
			return nil
		}
		what := call + " " + path
		first.CompareAndSwap(nil, &what)
		return err
	})
	return func() (int64, string) {
		failed := ""
		if what := first.Load(); what != nil {
			failed = *what
		}
		return calls.Load(), failed
	}
}

// RefuseOpen refuses on Linux what Windows refuses: to remove an open file, or to rename another to its name.
// Hidden files are excepted: [kroo/internal/atomicfile], which makes them, closes them first on Windows. The
// function that it returns reports the number of calls on files that counts accepts.
func RefuseOpen(counts func(path string) bool) (calls func() int64) {
	var n atomic.Int64
	vfs.Fail(func(call, path string) error {
		if !counts(path) {
			return nil
		}
		n.Add(1)
		replaces := call == "remove" || call == "rename"
		if replaces && !strings.HasPrefix(filepath.Base(path), ".") && isOpen(path) {
			return errOpen
		}
		return nil
	})
	return n.Load
}

// errOpen is the error of Windows.
var errOpen = errors.New("the process cannot access the file because it is being used by another process")

// isOpen reports whether this process has a file open. Without /proc it is false.
func isOpen(path string) bool {
	named, err := os.Stat(path)
	if err != nil {
		return false
	}
	const descriptors = "/proc/self/fd"
	list, err := os.ReadDir(descriptors)
	if err != nil {
		return false
	}
	for _, e := range list {
		open, err := os.Stat(filepath.Join(descriptors, e.Name()))
		if err == nil && os.SameFile(open, named) {
			return true
		}
	}
	return false
}

// stop ends the failure of [Inject].
func stop() { vfs.Fail(func(_, _ string) error { return nil }) }

// Each repeats some work with every failure from each of its calls on, in a new folder each time:
// before creates the initial files, and after checks the result, given the failed call and the error
// of the work. The last round has no failure. No other code may use files meanwhile.
func Each(t *testing.T, before func(dir string), work func(dir string) error, after func(dir, failed string, err error)) {
	t.Helper()
	defer stop()
	rounds := round{t, before, work, after}
	calls := rounds.run(Failure{}, 0)
	if calls == 0 {
		t.Fatal("the work calls no files")
	}
	for _, f := range All() {
		for n := int64(1); n <= calls; n++ {
			rounds.run(f, n)
		}
	}
}

// round is the work of [Each] and its checks.
type round struct {
	t      *testing.T
	before func(dir string)
	work   func(dir string) error
	after  func(dir, failed string, err error)
}

// run does the work once, with a failure from call n on, and returns the number of calls.
func (r round) run(f Failure, n int64) (calls int64) {
	r.t.Helper()
	dir := r.t.TempDir()
	r.before(dir)
	report := Inject(f, n, func(string) bool { return true })
	err := r.work(dir)
	calls, failed := report()
	stop()
	if failed == "" && err != nil {
		r.t.Fatalf("without a failure: %v", err)
	}
	r.after(dir, failed, err)
	if r.t.Failed() {
		r.t.Fatalf("%s from call %d on: %s; error of the work: %v", f.Name, n, strings.ReplaceAll(failed, dir, "DIR"), err)
	}
	return calls
}
