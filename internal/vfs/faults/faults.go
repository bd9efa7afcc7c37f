// Package faults injects failures of file-system calls into tests.
package faults

import (
	"sync/atomic"
	"syscall"
	"testing"

	"kroo/internal/vfs"
)

// inPlace is the error of each call: the one most likely in practice.
var inPlace = map[string]syscall.Errno{
	"open": syscall.EMFILE, "read": syscall.EIO, "write": syscall.ENOSPC, "sync": syscall.EIO, "truncate": syscall.EIO,
	"stat": syscall.EIO, "lock": syscall.ENOLCK, "chmod": syscall.EPERM, "seek": syscall.EIO, "list": syscall.EIO,
	"map": syscall.ENOMEM, "rename": syscall.EACCES, "remove": syscall.EPERM, "mkdir": syscall.ENOSPC,
}

// Nth makes the n-th call on a file that counts accepts fail, from 1. The function that it
// returns reports the number of such calls, and the failed call, "" if none failed.
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

// Each repeats some work and makes each of its calls fail in turn, in a new folder each time:
// before creates the initial files, and after checks the result, given the failed call and the
// error of the work. The last round has no failure. No other code may use files meanwhile.
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
			t.Fatalf("call %d failed: %s; error of the work: %v", n, failed, err)
		}
		if failed == "" {
			if calls == 0 {
				t.Fatal("the work calls no files")
			}
			return
		}
	}
}
