// Package faults makes calls to the file system fail, for tests.
package faults

import (
	"sync/atomic"
	"syscall"
	"testing"

	"kroo/internal/vfs"
)

// inPlace is how each call fails: in the way that is likeliest in life.
var inPlace = map[string]syscall.Errno{
	"open": syscall.EMFILE, "read": syscall.EIO, "write": syscall.ENOSPC, "sync": syscall.EIO, "truncate": syscall.EIO,
	"stat": syscall.EIO, "lock": syscall.ENOLCK, "chmod": syscall.EPERM, "seek": syscall.EIO, "list": syscall.EIO,
	"map": syscall.ENOMEM, "rename": syscall.EACCES, "remove": syscall.EPERM, "mkdir": syscall.ENOSPC,
}

// Nth makes the n-th call fail, from 1, of those on files that counts names. The function
// that it returns reports how many there were, and which has failed, "" for none.
func Nth(n int64, counts func(path string) bool) (made func() (calls int64, failed string)) {
	var calls atomic.Int64
	var failed atomic.Pointer[string]
	vfs.Fail(func(call, path string) error {
		if !counts(path) || calls.Add(1) != n {
			return nil
		}
		what := call + " " + path
		failed.Store(&what)
		return inPlace[call]
	})
	return func() (int64, string) {
		if f := failed.Load(); f != nil {
			return calls.Load(), *f
		}
		return calls.Load(), ""
	}
}

// Each makes each call of some work fail, one at a time, each in a new folder: where before
// makes what was there, and after, which gets the error of the work, judges what is. It
// ends with work whose calls are all made. Nothing else may use files meanwhile.
func Each(t *testing.T, before func(dir string), work func(dir string) error, after func(dir, failed string, err error)) {
	t.Helper()
	defer vfs.Fail(func(_, _ string) error { return nil })
	for n := int64(1); ; n++ {
		dir := t.TempDir()
		before(dir)
		made := Nth(n, func(string) bool { return true })
		err := work(dir)
		calls, failed := made()
		vfs.Fail(func(_, _ string) error { return nil })
		if failed == "" && err != nil {
			t.Fatalf("without a fault: %v", err)
		}
		after(dir, failed, err)
		if t.Failed() {
			t.Fatalf("call %d failed: %s; the work said: %v", n, failed, err)
		}
		if failed == "" {
			if calls == 0 {
				t.Fatal("the work calls no files")
			}
			return
		}
	}
}
