package agreement

import (
	"math"
	"math/rand/v2"
	"testing"
)

// gamesOfRows draws rows in games; the rows of a game share a part of their error.
func gamesOfRows(rng *rand.Rand, games, rows int) (x, y []float64, game []uint64) {
	for g := range games {
		whole, middle := 60*rng.NormFloat64(), 200*rng.NormFloat64()
		for range rows {
			label := middle + 100*rng.NormFloat64()
			x, y, game = append(x, 0.7*label+whole+80*rng.NormFloat64()), append(y, label), append(game, uint64(g))
		}
	}
	return x, y, game
}

// The errors agree with the spread of R and MAE over repetitions.
func TestErrorsAgreeWithSpreadOfRepetitions(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 400
	for rows, alone := range map[int]bool{1: true, 12: false} {
		var rs, maes, rErr, maeErr float64
		var r, mae []float64
		for range n {
			var e Errors
			var s Sums
			x, y, game := gamesOfRows(rng, 600/rows, rows)
			for i := range x {
				s.Add(x[i], y[i], 1)
				if alone {
					e.AddAlone(x[i], y[i], 1)
				} else {
					e.Add(game[i], x[i], y[i], 1)
				}
			}
			a, b := e.Of()
			rErr, maeErr = rErr+a/n, maeErr+b/n
			r, mae = append(r, s.Stats().R), append(mae, s.Stats().MAE)
		}
		for i := range r {
			rs += (r[i] - mean(r)) * (r[i] - mean(r)) / n
			maes += (mae[i] - mean(mae)) * (mae[i] - mean(mae)) / n
		}
		for name, ratio := range map[string]float64{"R": rErr / math.Sqrt(rs), "MAE": maeErr / math.Sqrt(maes)} {
			if ratio < 0.85 || ratio > 1.15 {
				t.Errorf("%d rows per game: the error of %s is %.2f of the spread of repetitions", rows, name, ratio)
			}
		}
	}
}

func mean(x []float64) (m float64) {
	for _, v := range x {
		m += v / float64(len(x))
	}
	return m
}

// Independent rows are equivalent to clusters of one row, also with weights.
func TestAddAloneEqualsClustersOfOneRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var alone, single Errors
	for i := range 500 {
		x, y, w := 300*rng.NormFloat64()+50, 400*rng.NormFloat64()-20, 0.5+rng.Float64()
		alone.AddAlone(x, y+x, w)
		single.Add(uint64(i), x, y+x, w)
	}
	a, b := alone.Of()
	c, d := single.Of()
	if math.Abs(a-c) > 1e-9*c || math.Abs(b-d) > 1e-9*d || alone.Clusters() != 500 || single.Clusters() != 500 {
		t.Errorf("errors %g %g of rows alone, %g %g of clusters of one", a, b, c, d)
	}
}

func TestErrorsOfOneClusterAreNaN(t *testing.T) {
	var e Errors
	for i := range 9 {
		e.Add(1, float64(i), float64(i*i), 1)
	}
	if r, mae := e.Of(); !math.IsNaN(r) || !math.IsNaN(mae) {
		t.Errorf("%g, %g", r, mae)
	}
}
