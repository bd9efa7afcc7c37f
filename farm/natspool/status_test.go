package natspool

import (
	"encoding/json"
	"strings"
	"testing"
)

// What others call themselves goes to a terminal.
func TestStatusKeepsControlCharactersOut(t *testing.T) {
	const escape = "a\x1b[2Jb\nc"
	beat, err := json.Marshal(Beat{ID: "w1", Host: escape, Engine: "e", Tool: escape, Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	b, err := decodeBeat(beat)
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(announcement{SessionStatus: SessionStatus{Session: "s1", Host: escape, Kind: escape, Engine: "e", ToGo: 1e300}, Tool: escape, Spec: []byte(`{}`)})
	if err != nil {
		t.Fatal(err)
	}
	a, err := decodeAnnouncement(text)
	if err != nil || a.ToGo > 1e9 {
		t.Fatalf("%+v, %v", a, err)
	}
	var out strings.Builder
	if err := (Status{Sessions: []SessionStatus{a.SessionStatus}, Workers: []Beat{b}}).Write(&out); err != nil {
		t.Fatal(err)
	}
	if text := out.String() + a.Tool; strings.Contains(text, "\x1b") || strings.Count(text, "a?[2Jb c") != 5 {
		t.Errorf("%q: want question marks in place of escapes", text)
	}
	for _, spoil := range []Beat{{ID: "a.b", Engine: "e", Threads: 1}, {ID: "a", Engine: "e>", Threads: 1}, {ID: "a", Engine: "e"}} {
		beat, err := json.Marshal(spoil)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := decodeBeat(beat); err == nil {
			t.Errorf("%+v was taken", spoil)
		}
	}
}
