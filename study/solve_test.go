package study

import (
	"strings"
	"testing"

	"kroo/games"
)

// Known of tic-tac-toe: 5478 positions, 255168 games, of which X wins 131184, O
// 77904, and 46080 are drawn; the game is a draw.
func TestTicTacToeIsSolved(t *testing.T) {
	r, err := Solve(t.Context(), ticTacToe(), "standard")
	if err != nil {
		t.Fatal(err)
	}
	if r.Positions != 5478 || r.Games != 255168 || r.Results[games.FirstWins] != 131184 || r.Results[games.SecondWins] != 77904 || r.Results[games.DrawnGame] != 46080 {
		t.Errorf("%+v", r)
	}
	if last := r.Plies[9]; len(r.Plies) != 10 || last.Lines != last.Games || r.Plies[1].Positions != 9 || r.Plies[4].Lines != 9*8*7*6 || r.Plies[4].Games != 0 {
		t.Errorf("plies %+v", r.Plies)
	}
	if len(r.Searchers) != 6+2+5 || r.Searchers[0].Nodes != 549946 {
		t.Errorf("searchers %+v", r.Searchers)
	}
	for _, s := range r.Searchers {
		if s.Value != "drawn" || s.Nodes < 1 {
			t.Errorf("%+v: want a draw", s)
		}
	}
	if note := r.Note(); !strings.Contains(note, "X wins 131184, O 77904, 46080 are drawn") || len(r.Rows()) != 14 {
		t.Errorf("note %q", note)
	}
	if f, err := r.Chart().Draw(); err != nil || strings.Contains(string(f.SVG), "no data") {
		t.Error(err)
	}
}

func TestOwareIsNotWalkedThrough(t *testing.T) {
	if _, err := Solve(t.Context(), mancala(), "abapa"); err == nil || !strings.Contains(err.Error(), "small enough") {
		t.Errorf("error %v", err)
	}
}
