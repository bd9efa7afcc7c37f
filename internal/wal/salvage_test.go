package wal

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

// A log with one flipped byte in the middle gives an error with a remedy, and the remedy keeps
// the records before the damage.
func TestSalvageKeepsWhatIsBeforeTheDamage(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	log := testkit.Must(Open(path, []byte("header"), nil, nil))(t)
	for i := range 5 {
		testkit.NoError(t, log.Append(fmt.Append(nil, "record ", i)))
	}
	testkit.NoError(t, log.Close())
	whole := testkit.Read(t, path)
	if c, err := Salvage(path); err != nil || c.Damaged || c.Records != 5 || c.Lost != 0 {
		t.Fatalf("a whole log: %+v, %v", c, err)
	}
	bad := bytes.Clone(whole)
	bad[bytes.Index(bad, []byte("record 2"))] ^= 1
	testkit.NoError(t, os.WriteFile(path, bad, 0o644))
	if _, err := Open(path, nil, nil, nil); !errors.Is(err, errDamaged) || !strings.Contains(err.Error(), "--salvage") {
		t.Fatalf("%v, want errDamaged and the remedy", err)
	}
	c, err := Salvage(path)
	if err != nil || !c.Damaged || c.Records != 2 || c.Bytes+c.Lost != int64(len(whole)) || string(c.Header) != "header" {
		t.Fatalf("%+v, %v: want 2 records kept", c, err)
	}
	if kept, err := os.ReadFile(path + DamagedSuffix); err != nil || !bytes.Equal(kept, bad) {
		t.Error("the damaged log was not kept", err)
	}
	var found []string
	log, err = Open(path, nil, nil, func(b []byte) error { found = append(found, string(b)); return nil })
	if err != nil || strings.Join(found, ",") != "record 0,record 1" {
		t.Fatal(found, err)
	}
	if _, err := Salvage(path); !errors.Is(err, ErrLocked) {
		t.Errorf("a log in use: %v", err)
	}
	log.Close()
	if c, err := Inspect(path, nil); err != nil || c.Records != 2 || c.Damaged {
		t.Errorf("%+v, %v", c, err)
	}
}

// Whatever a file contains, after Salvage it is a log that opens, or not a log at all; and Open
// finds the records that Inspect counts.
func FuzzSalvage(f *testing.F) {
	log := appendRecord([]byte(Magic), []byte("header"))
	for i := range 3 {
		log = appendRecord(log, bytes.Repeat([]byte{byte(i)}, 20))
	}
	f.Add(log, 0, byte(0))
	f.Add(log, 60, byte(1))
	f.Add(log, 100, byte(1))
	f.Fuzz(func(t *testing.T, file []byte, at int, flip byte) {
		file = bytes.Clone(file)
		if at >= 0 && at < len(file) {
			file[at] ^= flip
		}
		path := filepath.Join(t.TempDir(), "log")
		testkit.NoError(t, os.WriteFile(path, file, 0o644))
		before, err := Inspect(path, nil)
		if err != nil {
			return
		}
		c, err := Salvage(path)
		if err != nil || c.Records != before.Records || c.Bytes+c.Lost != int64(len(file)) {
			t.Fatalf("%+v, inspected %+v, error %v", c, before, err)
		}
		found := int64(0)
		opened, err := Open(path, nil, nil, func([]byte) error { found++; return nil })
		if err != nil || found != c.Records {
			t.Fatal(found, err)
		}
		opened.Close()
	})
}
