package wal

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
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
	l := testkit.Must(Open(path, []byte("head"), check, nil))(t)
	testkit.NoError(t, l.Close())
	whole := testkit.Read(t, path)
	for n := range len(whole) {
		testkit.NoError(t, os.WriteFile(path, whole[:n], 0o644))
		l, err := Open(path, []byte("head"), check, nil)
		if err != nil {
			t.Fatalf("header cut to %d bytes: %v", n, err)
		}
		testkit.NoError(t, l.Append([]byte("record")), l.Close())
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
