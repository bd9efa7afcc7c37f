package endgame

import (
	"strconv"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

// By negamax, the best lower bound of the moves is the position's, and so is the best
// upper bound. The best line has legal moves.
func TestQueryAgreesWithItsMoves(t *testing.T) {
	for _, tab := range []*Table{build(t, oware.Awari, Exact, 6), build(t, oware.Abapa, Crude, 6)} {
		for i := range Positions(6) {
			p := PositionAt(tab.Rules(), 6, i)
			a := testkit.Must(tab.Query(p))(t)
			if a.Board != p.String() || a.Rules != tab.Rules().String() || a.Exact != (a.Low == a.High) {
				t.Fatalf("%s: %+v", p, a)
			}
			if len(a.Moves) == 0 {
				continue
			}
			low, high := -6, -6
			for _, m := range a.Moves {
				low, high = max(low, m.Low), max(high, m.High)
			}
			if a.Low != low || a.High != high {
				t.Fatalf("%s: %d to %d, its moves give %d to %d", p, a.Low, a.High, low, high)
			}
			replay(t, p, a.Line)
		}
	}
}

// replay plays the moves of a best line and checks their captures.
func replay(t *testing.T, p oware.Position, line string) {
	t.Helper()
	for _, word := range strings.Fields(line) {
		m, side, err := oware.ParseMove(word[0])
		if err != nil || side != p.ToMove() || !p.IsLegal(m) {
			t.Fatalf("%s: move %s of the line %s", p, word, line)
		}
		want := oware.MoveName(m, side)
		if gain := p.Gain(m); gain > 0 {
			want += "+" + strconv.Itoa(gain)
		}
		if word != want {
			t.Fatalf("%s: the line has %s: want %s", p, word, want)
		}
		p = p.Play(m)
	}
}

func TestQueryAddsTheStores(t *testing.T) {
	tab := build(t, oware.Awari, Exact, 3)
	p := testkit.Must(oware.ParseBoard(oware.Awari, "0-0-0-0-0-1-0-1-0-0-0-0-20-26-S"))(t)
	a, err := tab.Query(p)
	if err != nil || a.FinalLow != a.Low-6 || a.FinalHigh != a.High-6 {
		t.Errorf("%+v, %v: expected final values 6 below", a, err)
	}
}

func TestQueryRejectsTooManySeeds(t *testing.T) {
	tab := build(t, oware.Awari, Exact, 3)
	_, err := tab.Query(oware.Start(oware.Awari))
	testkit.Refused(t, err, "48 seeds in play: the table has positions of at most 3")
}
