package atomicfile

import (
	"os"
	"path/filepath"
	"testing"

	"kroo/internal/vfs/faults"
)

// Whichever call fails, the old file or the new one is there, and the next write works and
// tidies up.
func TestAFaultLeavesTheOldFileOrTheNewOne(t *testing.T) {
	name := func(dir string) string { return filepath.Join(dir, "a") }
	write := func(dir, text string) {
		t.Helper()
		if err := WriteBytes(name(dir), []byte(text)); err != nil {
			t.Error(err)
		}
	}
	faults.Each(t,
		func(dir string) { write(dir, "old") },
		func(dir string) error { return WriteBytes(name(dir), []byte("new")) },
		func(dir, _ string, failed error) {
			got, err := os.ReadFile(name(dir))
			if text := string(got); text != "new" && (text != "old" || failed == nil) {
				t.Errorf("the file holds %q, %v", got, err)
			}
			write(dir, "next")
			if names := entries(t, dir); len(names) != 1 {
				t.Errorf("the folder holds %v, want the file alone", names)
			}
		})
}
