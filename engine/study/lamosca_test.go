package study

import (
	"strings"
	"testing"

	"kroo/engine/search"
	values "kroo/features/chess"
	"kroo/games/chess"
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

func TestLaMoScasSearchAgreesWithMinimax(t *testing.T) {
	p := chess.Start(chess.LaMoSca)
	for _, name := range strings.Fields("f2f4 e7e5 g2g4") {
		m, _, err := p.ScanMove(name)
		testkit.NoError(t, err)
		p = p.Play(m)
	}
	for depth := range 4 {
		m := minimax{eval: values.LaMoSca()}
		got, _ := m.best(p, depth)
		want, _ := search.SearchTextbook(t.Context(), search.TextbookMinimax, p, nil, depth, search.Evaluator[chess.Position](values.LaMoSca()))
		if want > search.MaxHeuristic {
			want = search.Win // minimax of LaMoSca does not ask how soon
		}
		testkit.Equal(t, got, want, "depth %d", depth)
	}
}
