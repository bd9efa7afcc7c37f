package study

import (
	"testing"

	values "kroo/features/chess"
	"kroo/internal/testkit"
)

// Every figure of the published sessions that the reconstruction determines.
func TestLaMoScasSessions(t *testing.T) {
	r := testkit.Must(LaMoSca(t.Context(), values.LaMoSca(), "lamosca", nil))(t)
	check := func(list []MoveValue, moves, want int) {
		t.Helper()
		n := 0
		for _, v := range list {
			if v.Published == nil {
				continue
			}
			if n++; v.Value != *v.Published {
				t.Errorf("%s is worth %d, want %d", v.Move, v.Value, *v.Published)
			}
		}
		if n != want || len(list) != moves {
			t.Errorf("%d moves, %d of them published: want %d and %d", len(list), n, moves, want)
		}
	}
	check(r.Replies, 20, 20)
	check(r.Sessions[0].Moves, 20, 20)
	check(r.Sessions[1].Moves, 20, 2)
	if r.First != "a2a3" || r.Sessions[0].Choice != "d2d4" || r.Sessions[1].Choice != "b1c3" {
		t.Errorf("after %s it chooses %s and %s, want d2d4 and b1c3", r.First, r.Sessions[0].Choice, r.Sessions[1].Choice)
	}
	testkit.Equal(t, r.Sessions[1].Moves[7].Reply, "b8c6", "d2d4 is refuted by")
	if r.Line.Value != -101 || r.Line.Published != -101 {
		t.Errorf("%s is worth %d, want -101", r.Line.Moves, r.Line.Value)
	}
	if r.Sessions[0].Leaves != 400 || r.Sessions[1].Leaves != 197742 {
		t.Errorf("%d and %d leaves", r.Sessions[0].Leaves, r.Sessions[1].Leaves)
	}
	if rows := tableOf(r); len(rows) != 1+20+21+21+1 {
		t.Errorf("%d rows", len(rows))
	}
}
