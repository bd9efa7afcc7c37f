package endgame

import (
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

func resolved(t testing.TB, seeds int) *Table {
	t.Helper()
	return testkit.Must(Build(t.Context(), Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: seeds, Resolve: seeds, Made: "a test"}, nil))(t)
}

// realGame computes the value of the seeds in play for the mover by negamax with the real
// rules: it plays every line to its end, with its history. After a capture it probes the
// level below.
type realGame struct {
	t    *Table
	path []oware.Position
}

func (r *realGame) value(p oware.Position, alpha, beta int) int {
	n := p.SeedsInPlay()
	own, opp := p.SideSeeds()
	for _, q := range r.path {
		if q == p {
			return own - opp
		}
	}
	moves := p.AppendMoves(nil)
	if len(moves) == 0 {
		return own - opp
	}
	r.path = append(r.path, p)
	defer func() { r.path = r.path[:len(r.path)-1] }()
	best := -n
	for _, m := range moves {
		gain, after, value := p.Gain(m), p.Play(m), 0
		if gain > 0 {
			low, _, _ := r.t.Probe(after)
			value = gain - low
		} else {
			value = -r.value(after, -beta, -max(alpha, best))
		}
		if best = max(best, value); best >= beta {
			break
		}
	}
	return best
}

func TestResolvedValuesEqualNegamaxWithHistory(t *testing.T) {
	const seeds = 3
	tab := resolved(t, seeds)
	for n := range seeds + 1 {
		for i := range Positions(n) {
			p := PositionAt(oware.Abapa, n, i)
			low, high, _ := tab.Probe(p)
			if want := (&realGame{t: tab}).value(p, -n, n); low != want || high != want {
				t.Errorf("%s: %d to %d, want %d", p, low, high, want)
			}
		}
	}
}

// Sala Soler (2014) resolved all positions of up to seven seeds; six are fast.
func TestAllPositionsAreResolvedUpToSixSeeds(t *testing.T) {
	tab := resolved(t, 6)
	for n, s := range stats(t, tab) {
		if s.Exact != s.Positions || s.MeanGap != 0 {
			t.Errorf("%d seeds: %d of %d", n, s.Exact, s.Positions)
		}
	}
	if err := tab.verify(t.Context(), nil); err != nil {
		t.Error(err)
	}
	if err := tab.recompute(t.Context(), 4, nil); err != nil {
		t.Error(err)
	}
}

func TestResolvedValuesAreWithinTheBounds(t *testing.T) {
	bounds := build(t, oware.Abapa, Sharp, 5)
	tab := testkit.Must(Build(t.Context(), Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: 5, Resolve: 5, Budget: 1, Workers: 3}, nil))(t)
	for n := range 6 {
		for i := range Positions(n) {
			p := PositionAt(oware.Abapa, n, i)
			low, high, _ := tab.Probe(p)
			least, most, _ := bounds.Probe(p)
			if low < least || high > most || low > high {
				t.Errorf("%s: %d to %d, bounds %d to %d", p, low, high, least, most)
			}
		}
	}
}
