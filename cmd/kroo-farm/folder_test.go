package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kroo/farm/launch"
)

// A program that is killed leaves the folder of its server behind, which the next one
// removes. It leaves those of living programs alone, and what it does not know.
func TestFoldersOfKilledProgramsAreRemoved(t *testing.T) {
	dir := t.TempDir()
	t.Setenv("TMPDIR", dir)
	t.Setenv("TMP", dir)
	living, err := start(launch.Server{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	killed := filepath.Join(dir, "kroo-farm-killed", "jetstream")
	unknown := filepath.Join(dir, "kroo-farm-notes")
	for _, name := range []string{killed, unknown} {
		if err := os.MkdirAll(name, 0o700); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.WriteFile(filepath.Join(killed, "..", folderLock), nil, 0o600); err != nil {
		t.Fatal(err)
	}
	next, err := start(launch.Server{Listen: "127.0.0.1:0"})
	if err != nil {
		t.Fatal(err)
	}
	names := func() (list []string) {
		entries, err := os.ReadDir(dir)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			list = append(list, filepath.Join(dir, e.Name()))
		}
		return list
	}
	want := []string{living.name, next.name, unknown}
	slices.Sort(want)
	if got := names(); !slices.Equal(got, want) {
		t.Errorf("there are %q: want %q", got, want)
	}
	for _, s := range []*running{living, next} {
		if err := s.stop(); err != nil {
			t.Error(err)
		}
	}
	if got := names(); !slices.Equal(got, []string{unknown}) {
		t.Errorf("at the end there are %q", got)
	}
}
