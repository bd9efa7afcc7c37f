package serve

import (
	"io/fs"
	"strings"
	"syscall"
	"testing"
)

// A file that is gone or not for us is not in a list; one that the disk does not give is
// an error, which says which file it is and not where. (The attack of commands tries
// this with the whole server.)
func TestAListSaysWhatItCannotRead(t *testing.T) {
	for _, left := range []error{nil, fs.ErrNotExist, &fs.PathError{Op: "open", Path: "/home/me/x", Err: syscall.EACCES}} {
		if err := unreadable("x.parquet", left); err != nil {
			t.Errorf("%v: got %v, want it left out", left, err)
		}
	}
	err := unreadable("x.parquet", &fs.PathError{Op: "read", Path: "/home/me/x.parquet", Err: syscall.EIO})
	if err == nil || !strings.HasPrefix(err.Error(), "x.parquet cannot be read: ") || strings.Contains(err.Error(), "/home") {
		t.Errorf("got %v", err)
	}
}
