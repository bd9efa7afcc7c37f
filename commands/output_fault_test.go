package commands

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/internal/testkit"
	"kroo/internal/vfs"
	"kroo/internal/vfs/faults"
)

// A passing error of the system neither changes the record of the work nor makes it suggest a name
// that exists. Not parallel: the fault is in the whole process.
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
	base, ending := strings.TrimSuffix(path, ".parquet"), ".parquet"
	fail()
	if got, want := unused(base, ending), base+"-2"+ending; got != want {
		t.Errorf("%s is suggested, want %s", got, want)
	}
	if got, err := hashOf("captures"); err != nil || got != "" {
		t.Errorf("the name of an evaluation has the hash %q, %v", got, err)
	}
}
