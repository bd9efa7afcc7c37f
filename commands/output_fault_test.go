package commands

import (
	"os"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
	"kroo/internal/vfs"
	"kroo/internal/vfs/faults"
)

// A passing error of the system does not change the record of the work. Not parallel: the fault is in
// the whole process.
func TestAFailingStatChangesNoRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "labels.parquet")
	testkit.NoError(t, os.WriteFile(path, []byte("rows"), 0o666))
	want, err := hashOf(path)
	if err != nil || want == "" {
		t.Fatalf("%q, %v", want, err)
	}
	defer vfs.Fail(func(_, _ string) error { return nil })
	fail := func() { faults.Nth(1, func(p string) bool { return p == path }) }
	fail()
	if got, err := hashOf(path); err != nil || got != want {
		t.Errorf("%q, %v, want %q", got, err, want)
	}
	if got, err := hashOf("captures"); err != nil || got != "" {
		t.Errorf("the name of an evaluation has the hash %q, %v", got, err)
	}
}
