package wal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"
)

func TestOpenCreates(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	check := func(head []byte) error {
		if string(head) != "head" {
			return errors.New("another header")
		}
		return nil
	}
	// Not there, cut inside the header by a crash at any byte, then whole.
	l, err := Open(path, []byte("head"), check, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	whole, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for n := range len(whole) {
		if err := os.WriteFile(path, whole[:n], 0o644); err != nil {
			t.Fatal(err)
		}
		l, err := Open(path, []byte("head"), check, nil)
		if err != nil {
			t.Fatalf("header cut to %d bytes: %v", n, err)
		}
		if err := errors.Join(l.Append([]byte("record")), l.Close()); err != nil {
			t.Fatal(err)
		}
		found := 0
		l, err = Open(path, []byte("head"), check, func([]byte) error { found++; return nil })
		if err != nil || found != 1 {
			t.Fatalf("header cut to %d bytes: then %d records, %v: want 1", n, found, err)
		}
		l.Close()
	}
	if _, err := Open(path, []byte("other"), func([]byte) error { return errors.New("refused") }, nil); err == nil {
		t.Error("a log that the caller refuses was opened")
	}
}
