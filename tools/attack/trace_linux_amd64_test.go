package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A shell that copies a file fails in each of its calls on files, once.
func TestEachCallFailsOnce(t *testing.T) {
	sh, err := filepath.EvalSymlinks("/bin/sh")
	if err != nil {
		t.Fatal(err)
	}
	a := attack{train: sh, work: t.TempDir()}
	seen := map[string]int{}
	for n := 1; ; n++ {
		dir := t.TempDir()
		f := &fault{n: n}
		r, counted, err := a.traced(t.Context(), dir, command{}, []string{"-c", "echo text > out || exit 3; exec 3>&1"}, f)
		if err != nil {
			t.Fatal("this system does not trace: ", err)
		}
		text, _ := os.ReadFile(filepath.Join(dir, "out"))
		if f.call == "" {
			if r.code != 0 || string(text) != "text\n" || counted != n-1 || len(seen) < 2 {
				t.Errorf("without a fault: %+v, wrote %q, %d calls, saw %v", r, text, counted, seen)
			}
			return
		}
		name, file, _ := strings.Cut(f.call, " ")
		seen[name]++
		if (name == "openat" || name == "write") && file == "out" && (r.code == 0 || len(text) > 0) {
			t.Errorf("%s failed: %+v, wrote %q", f.call, r, text)
		}
	}
}
