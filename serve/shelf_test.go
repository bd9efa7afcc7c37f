package serve

import (
	"os"
	"path/filepath"
	"testing"

	"kroo/internal/testkit"
)

// Large files take the places of small ones, and the last one stays however large it is.
func TestShelfKeepsSoManyBytes(t *testing.T) {
	dir := t.TempDir()
	s := shelf[string]{room: 3, bytes: 100}
	loaded := 0
	for _, step := range []struct {
		name         string
		size, loaded int
	}{{"a", 60, 1}, {"b", 40, 2}, {"a", 60, 2}, {"c", 10, 3}, {"b", 40, 4}, {"huge", 1000, 5}, {"huge", 1000, 5}, {"a", 60, 6}} {
		path := filepath.Join(dir, step.name)
		if _, err := os.Stat(path); err != nil {
			testkit.NoError(t, os.WriteFile(path, make([]byte, step.size), 0o666))
		}
		if _, err := s.get(path, "", func() (string, error) { loaded++; return step.name, nil }); err != nil {
			t.Fatal(err)
		}
		testkit.Equal(t, loaded, step.loaded, "after %s", step.name)
	}
}
