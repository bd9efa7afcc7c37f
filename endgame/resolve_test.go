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

// Bounds hold in real games too.
func TestResolvedValuesEqualNegamaxWithHistory(t *testing.T) {
	const seeds = 3
	tab := resolved(t, seeds)
	bounds := []*Table{build(t, oware.Abapa, Sharp, seeds), build(t, oware.Abapa, Crude, seeds)}
	for n := range seeds + 1 {
		for i := range Positions(n) {
			p := PositionAt(oware.Abapa, n, i)
			low, high, _ := tab.Probe(p)
			want := (&realGame{t: tab}).value(p, -n, n)
			if low != want || high != want {
				t.Errorf("%s: %d to %d, want %d", p, low, high, want)
			}
			for _, b := range bounds {
				if least, most, _ := b.Probe(p); least > want || most < want {
					t.Errorf("%s: %s bounds %d to %d, want %d within them", p, b.Bounds(), least, most, want)
				}
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
	testkit.NoError(t, tab.Verify(t.Context(), nil))
}

func TestResolvedValuesAreWithinTheBounds(t *testing.T) {
	bounds, crude := build(t, oware.Abapa, Sharp, 5), build(t, oware.Abapa, Crude, 5)
	defer func(all int64) { budget = all }(budget)
	budget = 1
	tab := testkit.Must(Build(t.Context(), Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: 5, Resolve: 5, Workers: 3}, nil))(t)
	for n := range 6 {
		for i := range Positions(n) {
			p := PositionAt(oware.Abapa, n, i)
			low, high, _ := tab.Probe(p)
			least, most, _ := bounds.Probe(p)
			crudeLeast, crudeMost, _ := crude.Probe(p)
			if low < least || high > most || low > high || least < crudeLeast || most > crudeMost {
				t.Errorf("%s: %d to %d, bounds %d to %d, crude %d to %d", p, low, high, least, most, crudeLeast, crudeMost)
			}
		}
	}
}
