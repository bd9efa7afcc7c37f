package study

import (
	"strings"
	"testing"

	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// Every endgame with few seeds is settled in agreement with the table; others may need more nodes.
func TestProofsAgreeWithTheTable(t *testing.T) {
	for _, rules := range []oware.Rules{oware.Abapa, oware.Awari} {
		table := testkit.Must(endgame.Default(rules))(t)
		defer table.Close()
		r := testkit.Must(Proofs(t.Context(), owareSubject(), table, ProofsConfig{Seeds: 4, Positions: 20, Nodes: 20_000, Seed: 1}, nil))(t)
		for _, l := range r.Lines[1:] {
			if l.Won.Positions != 20 || l.NotWon.Positions != 20 || l.Won.Settled < 15 || l.Engine.Settled < 15 || l.NotWon.Settled < 5 || l.Won.Median < 2 {
				t.Errorf("%v: %+v", rules, l)
			}
		}
		if rows := tableOf(r); len(rows) != 5 || len(rows[0]) != len(rows[4]) || !strings.Contains(notesOf(r), "20000") {
			t.Errorf("%v: %q, %q", rules, rows, notesOf(r))
		}
		if f, err := chartOf(r).Draw(); err != nil || strings.Contains(string(f.SVG), "no data") {
			t.Error(err)
		}
		_, err := Proofs(t.Context(), owareSubject(), table, ProofsConfig{Seeds: 13}, nil)
		testkit.Refused(t, err, "at most the 12")
	}
}
