package book

import (
	"path/filepath"
	"testing"

	"kroo/games/oware"
)

func TestRulesOfABook(t *testing.T) {
	for name, want := range map[string]oware.Rules{"": oware.Abapa, "abapa": oware.Abapa, "awari": oware.Awari} {
		path := filepath.Join(t.TempDir(), "book.bin")
		var h Header
		if name != "" {
			h.Fields = []Field{{Name: FieldRules, Value: name}}
		}
		if err := Write(path, h, nil); err != nil {
			t.Fatal(err)
		}
		if r, err := RulesOf(path); err != nil || r != want {
			t.Errorf("rules %q: %s, %v: want %s", name, r, err, want)
		}
	}
	path := filepath.Join(t.TempDir(), "other.bin")
	if err := Write(path, Header{Fields: []Field{{Name: FieldRules, Value: "kalah"}}}, nil); err != nil {
		t.Fatal(err)
	}
	if _, err := RulesOf(path); err == nil {
		t.Error("takes unknown rules")
	}
	if _, err := RulesOf(filepath.Join(t.TempDir(), "none.bin")); err == nil {
		t.Error("takes a missing book")
	}
}
