package sampler

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"kroo/engine"
	"kroo/internal/testkit"
)

func TestSharesOfAMix(t *testing.T) {
	c := quickGames
	c.Method, c.Shares, c.N = Mix, "games=3,uniform=5,pps=2", 500
	path, sum := sampleGames(t, c)
	ofGames, seen := 0, map[int64]bool{}
	for _, r := range readPositions(t, path) {
		p := r.Position
		if seen[p.Orbit()] {
			t.Errorf("%v is there twice", p)
		}
		seen[p.Orbit()] = true
		if r.Game > 0 {
			ofGames++
		}
	}
	if sum.Positions != 500 || ofGames != 150 {
		t.Errorf("%d positions, %d of games: want 500 and 150", sum.Positions, ofGames)
	}
}

// Recorded games and those of self-play are different games, which the split by game must not
// confuse.
func TestGamesOfAMixHaveDistinctNumbers(t *testing.T) {
	c := quickGames
	c.Method, c.Shares, c.N = Mix, "file=1,games=1", 40
	c.From = filepath.Join(t.TempDir(), "club.ogn")
	testkit.NoError(t, os.WriteFile(c.From, []byte("1. F f 2. E *\n"), 0o644))
	path, sum := sampleGames(t, c)
	rows := map[int32]int{}
	for _, r := range readPositions(t, path) {
		rows[r.Game]++
	}
	if rows[1] != 4 || rows[2] == 0 || sum.Games != len(rows) {
		t.Errorf("rows by game %v, %d games: expected the four of the file in the first and others in the next", rows, sum.Games)
	}
}

func TestDivideAddsUp(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	for range 1000 {
		n := 1 + rng.IntN(1000)
		list := make([]share, 1+rng.IntN(5))
		sum, total := 0.0, 0
		for i := range list {
			list[i].part = rng.Float64() + 0.01
			sum += list[i].part
		}
		for i := range list {
			list[i].part /= sum
		}
		for _, s := range divide(list, n) {
			total += s.n
			if math.Abs(float64(s.n)-s.part*float64(n)) > 1 {
				t.Errorf("%d of %d positions for a share of %g", s.n, n, s.part)
			}
		}
		testkit.Equal(t, total, n, "total")
	}
}

func TestBadSharesAreRefused(t *testing.T) {
	for _, shares := range []string{"", "games", "games=0", "games=-1", "games=NaN", "games=1,games=2", "mix=1", "chess=1"} {
		_, err := parseShares(shares)
		testkit.Refused(t, err, "expected a method")
	}
}

// Tic-tac-toe has 765 positions up to symmetry; a sample does not wait for more.
func TestSampleOfASmallGameEnds(t *testing.T) {
	k := engine.TicTacToe()
	path := t.TempDir() + "/all.parquet"
	sum := testkit.Must(Sample(t.Context(), k, Config{Method: Mix, Shares: "uniform=1", N: 5000}, engine.Spec{}, path, "", nil))(t)
	// 765 including 138 final ones: E. Weisstein.
	testkit.Equal(t, sum.Positions, 765-138, "sum.Positions")
}
