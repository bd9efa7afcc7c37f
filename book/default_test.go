package book

import (
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestDefaultBookIsSound(t *testing.T) {
	r, err := Verify(t.Context(), DefaultName, NoTables)
	if err != nil || len(r.Problems) != 0 {
		t.Fatalf("%v %+v", err, r)
	}
	b := testkit.Must(Open(DefaultName))(t)
	e, found := b.Lookup(oware.Start(oware.Abapa).BookKey())
	if m, _ := e.Best(); !found || m != 5 {
		t.Errorf("%v, %t: expected F first", e, found)
	}
	const largest = 2 << 20
	if len(packedBook) > largest {
		t.Errorf("%d bytes: expected at most %d in the program", len(packedBook), largest)
	}
}

func TestDefaultBookIsForItsRulesOnly(t *testing.T) {
	for _, rules := range []oware.Rules{oware.Awari, oware.Simple} {
		_, _, err := FindFor(DefaultName, rules.String())
		testkit.Refused(t, err, "no default book for "+rules.String())
	}
}

func TestRulesOfBook(t *testing.T) {
	for name, want := range map[string]oware.Rules{"": oware.Abapa, "abapa": oware.Abapa, "awari": oware.Awari, "kalah": 99} {
		var h Header
		if name != "" {
			h.Fields = []Field{{Name: FieldRules, Value: name}}
		}
		path := write(t, h, nil)
		if r, err := open(t, path).Rules(); (err == nil) != (want != 99) || err == nil && r != want {
			t.Errorf("rules %q: %s, %v: want %s", name, r, err, want)
		}
		_, _, err := FindFor(path, "awari")
		if taken := err == nil; taken != (name == "" || name == "awari") {
			t.Errorf("rules %q for awari: %v", name, err)
		} else if !taken && !strings.Contains(err.Error(), path) {
			t.Errorf("%v does not name the file", err)
		}
	}
}
