package natspool

import (
	"strings"
	"testing"

	"kroo/farm"
)

// What others call themselves goes to a terminal.
func TestStatusKeepsControlCharactersOut(t *testing.T) {
	const escape = "a\x1b[2Jb\nc"
	st := Status{
		Sessions: []Session{{Work: farm.Work{Kind: escape}, ID: escape, Host: escape, ToGo: 1e300}},
		Workers:  []Beat{{ID: escape, Host: escape, Engine: escape, Tool: escape}},
	}
	if text := st.Doc().Text(""); strings.Contains(text, "\x1b") || strings.Count(text, "a?[2Jb c") != 5 || strings.Count(text, "\n") != 5 {
		t.Errorf("%q: want question marks in place of escapes", text)
	}
}
