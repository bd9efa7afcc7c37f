package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// The diagrams of the default book are drawn, over older ones, and over nothing else.
func TestBookDiagrams(t *testing.T) {
	dir := t.TempDir()
	for range 2 {
		if out := good(t, dir, "book", "stats", "default", "--draw", "pictures"); !strings.Contains(out, "drop-out diagram for the player of S") {
			t.Errorf("book stats printed %q", out)
		}
	}
	for name, begin := range map[string]string{
		"dropout-south.svg": "<?xml", "dropout-north.svg": "<?xml",
		"dropout-south.png": "\x89PNG", "dropout-north.png": "\x89PNG",
	} {
		data, err := os.ReadFile(filepath.Join(dir, "pictures", name))
		if err != nil || !bytes.HasPrefix(data, []byte(begin)) {
			t.Errorf("%s begins with %.20q, %v: want %q", name, data, err, begin)
		}
	}
	svg := filepath.Join(dir, "pictures", "dropout-north.svg")
	if err := os.WriteFile(svg, []byte("my notes"), 0o666); err != nil {
		t.Fatal(err)
	}
	_, errs, code := train(t, dir, "book", "stats", "default", "--draw", "pictures")
	if data, _ := os.ReadFile(svg); code != exitFailed || !strings.Contains(errs, "--force") || string(data) != "my notes" {
		t.Errorf("over notes: exit %d, %q, file %.20q", code, errs, data)
	}
}
