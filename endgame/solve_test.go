package endgame

import (
	"math"
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
