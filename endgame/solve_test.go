package endgame

import (
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

func solveTo(t testing.TB, rules oware.Rules, sharp bool, most int) []levelValues {
	t.Helper()
	var levels []levelValues
	for range most + 1 {
		v := testkit.Must(newLevel(rules, sharp, levels, 0).solve(t.Context()))(t)
		levels = append(levels, v)
	}
	return levels
}

// awariCounts has the positions that the mover wins, draws and loses, by level, as in Lincke 2002,
// app. B.
var awariCounts = [][3]int{
	1: {5, 0, 7}, {25, 13, 40}, {123, 63, 178}, {580, 143, 642}, {2165, 0, 2203}, {5698, 1548, 5130},
	{14921, 4487, 12416}, {37767, 8351, 29464}, {85285, 20308, 62367}, {157721, 93743, 101252},
}

func TestAwariCountsEqualPublishedOnes(t *testing.T) {
	levels := solveTo(t, oware.Awari, false, len(awariCounts)-1)
	for n := 1; n < len(levels); n++ {
		var got [3]int
		for i := range levels[n][mover] {
			switch {
			case levels[n][mover][i] > 0:
				got[0]++
			case levels[n][other][i] > 0:
				got[2]++
			default:
				got[1]++
			}
		}
		testkit.Equal(t, got, awariCounts[n], "%d seeds", n)
	}
	want := map[int]int{-8: 12370, -6: 228, -4: 6828, -2: 9977, -1: 61, 0: 8351, 1: 236, 2: 10182, 4: 6972, 5: 168, 6: 507, 8: 19702}
	for i, a := range levels[8][mover] {
		want[int(a)-int(levels[8][other][i])]--
	}
	for v, missing := range want {
		testkit.Equal(t, missing, 0, "8 seeds, value %d", v)
	}
}

// The figures are from an independent, unpublished program.
func TestAbapaExactSharesEqualAnIndependentProgram(t *testing.T) {
	crude := []int{1: 12, 65, 300, 994, 4090, 10168, 26005, 46171, 108359, 125450}
	levels := solveTo(t, oware.Abapa, false, len(crude)-1)
	for n := 1; n < len(levels); n++ {
		if exact, _ := exactShare(n, levels[n]); exact != crude[n] {
			t.Errorf("crude, %d seeds: %d exact, want %d", n, exact, crude[n])
		}
	}
	if _, gap := exactShare(8, levels[8]); math.Abs(gap-1.676) > 0.0005 {
		t.Errorf("crude, 8 seeds: mean gap %.4f, want 1.676", gap)
	}
	sharp := []float64{1: 100, 83.33, 82.42, 72.82, 93.64, 82.37, 82.11, 62.22, 65.88, 38.72}
	levels = solveTo(t, oware.Abapa, true, len(sharp)-1)
	for n := 1; n < len(levels); n++ {
		exact, gap := exactShare(n, levels[n])
		if share := 100 * float64(exact) / float64(Positions(n)); math.Abs(share-sharp[n]) > 0.005 {
			t.Errorf("sharp, %d seeds: %.3f %% exact, want %.2f", n, share, sharp[n])
		}
		if n == 8 && math.Abs(gap-0.804) > 0.0005 {
			t.Errorf("sharp, 8 seeds: mean gap %.4f, want 0.804", gap)
		}
	}
}

// exactShare counts the positions whose bounds are equal and returns the mean gap in seeds.
func exactShare(n int, v levelValues) (exact int, gap float64) {
	for i := range v[mover] {
		open := n - int(v[mover][i]) - int(v[other][i])
		if open == 0 {
			exact++
		}
		gap += float64(open)
	}
	return exact, gap / float64(len(v[mover]))
}

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
		gain := p.Gain(m)
		after := p.Play(m)
		value := 0
		if gain > 0 {
			low, _, _ := r.t.Probe(after)
			value = gain - low
		} else {
			value = -r.value(after, -beta, -max(alpha, best))
		}
		best = max(best, value)
		if best >= beta {
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

func TestProgressNamesTheHardestPositionOfALevel(t *testing.T) {
	var notes []string
	_, err := Build(t.Context(), Config{Rules: oware.Abapa, Bounds: Sharp, Seeds: 4, Resolve: 4}, func(_, _ int64, note string) {
		notes = append(notes, note)
	})
	testkit.NoError(t, err)
	testkit.Equal(t, len(notes), 6, "reports: one before each level and one at the end")
	for n, note := range notes[1:] {
		var seeds, nodes int
		if _, err := fmt.Sscanf(note, "hardest position of %d seeds: %d nodes", &seeds, &nodes); err != nil || seeds != n || (n >= 2) != (nodes > 0) {
			t.Errorf("after %d seeds: %q, %v", n, note, err)
		}
	}
}

// Exact values need nothing resolved: neither the progress nor the description speaks of it.
func TestATableThatIsNotResolvedSaysNothingOfIt(t *testing.T) {
	var notes []string
	tab, err := Build(t.Context(), Config{Rules: oware.Awari, Bounds: Exact, Seeds: 3}, func(_, _ int64, note string) {
		notes = append(notes, note)
	})
	testkit.NoError(t, err)
	testkit.EqualSlices(t, slices.Compact(notes), []string{""}, "notes")
	for _, fact := range tab.Doc().Facts {
		if fact.Name == "resolved" {
			t.Errorf("%s: %s", fact.Name, fact.Value)
		}
	}
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

func TestVerifyAcceptsGoodTables(t *testing.T) {
	for _, tab := range []*Table{build(t, oware.Awari, Exact, 7), build(t, oware.Simple, Exact, 7), build(t, oware.Abapa, Crude, 7), build(t, oware.Abapa, Sharp, 7)} {
		testkit.NoError(t, tab.Verify(t.Context(), nil))
	}
}

func TestVerifyFindsAnyChangedEntry(t *testing.T) {
	random := rand.New(rand.NewPCG(2, 2))
	tab := build(t, oware.Abapa, Sharp, 5)
	for range 50 {
		i := base(2)*2 + random.IntN(len(tab.data)-base(2)*2)
		before := tab.data[i]
		tab.data[i] ^= 1
		var f *Fault
		if err := tab.Verify(t.Context(), nil); !errors.As(err, &f) || f.Position.SeedsInPlay() > 5 || strings.Contains(err.Error(), "\n") {
			t.Errorf("byte %d: %v", i, err)
		}
		tab.data[i] = before
	}
}

func TestStatsAddUp(t *testing.T) {
	tab := build(t, oware.Awari, Exact, 8)
	s := stats(t, tab)[8]
	if s.Wins != 37767 || s.Draws != 8351 || s.Losses != 29464 || s.Exact != s.Positions || s.MeanGap != 0 {
		t.Errorf("%+v", s)
	}
	if mean := meanByProbes(tab, 8); s.Mean != mean {
		t.Errorf("mean %v, want %v", s.Mean, mean)
	}
	s = stats(t, build(t, oware.Abapa, Sharp, 8))[8]
	if s.Exact != 47027 || s.MeanGap < 0.8035 || s.MeanGap > 0.8045 {
		t.Errorf("%+v", s)
	}
}

// meanByProbes returns the mean value of the exact positions with n seeds.
func meanByProbes(tab *Table, n int) float64 {
	sum, exact := 0, 0
	for i := range Positions(n) {
		low, high, _ := tab.Probe(PositionAt(tab.Rules(), n, i))
		if low == high {
			sum += low
			exact++
		}
	}
	return float64(sum) / float64(exact)
}

func stats(t *testing.T, tab *Table) []LevelStats {
	t.Helper()
	reported := int64(-1) // the first report comes before any work
	all, err := tab.Stats(t.Context(), func(done, total int64, _ string) {
		if done <= reported || done > total {
			t.Errorf("progress %d of %d after %d", done, total, reported)
		}
		reported = done
	})
	if err != nil || reported <= 0 {
		t.Fatalf("%d positions reported, %v", reported, err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := tab.Stats(ctx, nil); !errors.Is(err, context.Canceled) {
		t.Errorf("stopped: %v", err)
	}
	return all
}
