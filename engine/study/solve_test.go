package study

import (
	"strings"
	"testing"

	"kroo/games"
	"kroo/internal/testkit"
)

// Known of tic-tac-toe: 5478 positions, 255168 games, of which X wins 131184, O
// 77904, and 46080 are drawn; the game is a draw.
func TestTicTacToeIsSolved(t *testing.T) {
	r := testkit.Must(Solve(t.Context(), ticTacToe(), "standard"))(t)
	if r.Positions != 5478 || r.Games != 255168 || r.Results[games.FirstWins] != 131184 || r.Results[games.SecondWins] != 77904 || r.Results[games.DrawnGame] != 46080 {
		t.Errorf("%+v", r)
	}
	plies := []PlyCount{{0, 1, 1, 0}, {1, 9, 9, 0}, {2, 72, 72, 0}, {3, 252, 504, 0}, {4, 756, 3024, 0}, {5, 1260, 15120, 1440},
		{6, 1520, 54720, 5328}, {7, 1140, 148176, 47952}, {8, 390, 200448, 72576}, {9, 78, 127872, 127872}}
	testkit.EqualSlices(t, r.Plies, plies, "plies")
	if len(r.Searchers) != 7+2+5 || r.Searchers[0].Nodes != 549946 || r.Searchers[1].Nodes != 20866 || r.Searchers[2].Nodes != 18111 || r.Searchers[3].Nodes != 8567 {
		t.Errorf("searchers %+v", r.Searchers)
	}
	for _, s := range r.Searchers {
		if s.Value != "drawn" || s.Nodes < 1 {
			t.Errorf("%+v: want a draw", s)
		}
	}
	if note := notesOf(r); !strings.Contains(note, "X wins 131184, O 77904, 46080 are drawn") || len(tableOf(r)) != 15 {
		t.Errorf("note %q", note)
	}
	if f, err := chartOf(r).Draw(); err != nil || strings.Contains(string(f.SVG), "no data") {
		t.Error(err)
	}
}

func TestOwareIsNotWalkedThrough(t *testing.T) {
	_, err := Solve(t.Context(), owareSubject(), "abapa")
	testkit.Refused(t, err, "small enough")
}
