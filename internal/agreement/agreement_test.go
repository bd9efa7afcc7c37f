package agreement

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kroo/internal/testkit"
)

// near compares figures by name.
func near(t *testing.T, got, want map[string]float64) {
	t.Helper()
	for name, w := range want {
		if !(math.Abs(got[name]-w) <= 1e-9*max(1, math.Abs(w))) {
			t.Errorf("%s is %v, expected %v", name, got[name], w)
		}
	}
}

func figures(s *Sums) map[string]float64 {
	t, d := s.Stats(), s.CountBothSides()
	return map[string]float64{
		"rows": float64(t.Rows), "r": t.R, "mae": t.MAE, "rmse": t.RMSE, "bias": s.Bias(),
		"doubled rows": float64(d.Rows), "doubled r": d.R, "r2": d.R2, "doubled mae": d.MAE, "doubled rmse": d.RMSE,
	}
}

func TestFiguresMatchTheirDefinitions(t *testing.T) {
	// By hand: residuals 1, 2, 0; predictions deviate by -2, 0, 2 and labels by -2, 1, 1.
	var s Sums
	for _, row := range [][2]float64{{1, 2}, {3, 5}, {5, 5}} {
		s.Add(row[0], row[1], 1)
	}
	near(t, figures(&s), map[string]float64{
		"rows": 3, "r": 6 / math.Sqrt(8*6), "mae": 1, "rmse": math.Sqrt(5.0 / 3), "bias": 1,
		"doubled rows": 3, "doubled r": 42 / math.Sqrt(35*54), "r2": 1 - 5.0/54, "doubled mae": 1, "doubled rmse": math.Sqrt(5.0 / 3),
	})
}

func TestEqualRowsHaveNoCorrelation(t *testing.T) {
	var s Sums
	for range 77 {
		s.Add(0.1, 0.7, 1)
	}
	if r := s.Stats().R; r != 0 || math.Abs(s.Bias()-0.6) > 1e-12 {
		t.Errorf("equal rows: r %v, bias %v", r, s.Bias())
	}
	var constant Sums
	constant.Add(3, 1, 1)
	constant.Add(3, 2, 1)
	testkit.Equal(t, constant.Stats().R, 0, "constant predictions: R")
}

func TestNoRows(t *testing.T) {
	var none Sums
	if none.Stats() != (Stats{}) || none.Bias() != 0 {
		t.Error("statistics of nothing are not zero")
	}
}

// Sums respects weights, Merge adds up, and Doubled equals adding negated rows.
func TestSumsAgreeWithGonum(t *testing.T) {
	rng := rand.New(rand.NewPCG(25, 1))
	var all, first, second, plain, twice Sums
	var p, y, w, off []float64
	total := 0.0
	absolute := 0.0
	squares := 0.0
	for i := range 500 {
		p, y, w = append(p, 300*rng.NormFloat64()), append(y, 40+200*rng.NormFloat64()), append(w, rng.Float64())
		y[i] += p[i] / 2
		off = append(off, y[i]-p[i])
		all.Add(p[i], y[i], w[i])
		plain.Add(p[i], y[i], 1)
		twice.Add(p[i], y[i], 1)
		twice.Add(-p[i], -y[i], 1)
		if i < 200 {
			first.Add(p[i], y[i], w[i])
		} else {
			second.Add(p[i], y[i], w[i])
		}
		total += w[i]
		absolute += w[i] * math.Abs(p[i]-y[i])
		squares += w[i] * (p[i] - y[i]) * (p[i] - y[i])
	}
	want := map[string]float64{"r": stat.Correlation(p, y, w), "mae": absolute / total, "rmse": math.Sqrt(squares / total), "bias": stat.Mean(off, w)}
	near(t, figures(&all), want)
	first.Merge(second)
	near(t, figures(&first), want)
	near(t, map[string]float64{"weight": first.Weight()}, map[string]float64{"weight": total})
	near(t, figures(&plain), map[string]float64{"bias": stat.Mean(off, nil)})
	d, s := plain.CountBothSides(), twice.Stats()
	near(t, map[string]float64{"r": d.R, "mae": d.MAE, "rmse": d.RMSE}, map[string]float64{"r": s.R, "mae": s.MAE, "rmse": s.RMSE})
}

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
		var rErr, maeErr float64
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
		for name, ratio := range map[string]float64{"R": rErr / stat.PopStdDev(r, nil), "MAE": maeErr / stat.PopStdDev(mae, nil)} {
			if ratio < 0.85 || ratio > 1.15 {
				t.Errorf("%d rows per game: the error of %s is %.2f of the spread of repetitions", rows, name, ratio)
			}
		}
	}
}

// Independent rows are equivalent to clusters of one row, also with weights.
func TestAddAloneEqualsClustersOfOneRow(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 4))
	var alone, single Errors
	for i := range 500 {
		x := 300*rng.NormFloat64() + 50
		y := 400*rng.NormFloat64() - 20
		w := 0.5 + rng.Float64()
		alone.AddAlone(x, y+x, w)
		single.Add(uint64(i), x, y+x, w)
	}
	a, b := alone.Of()
	c, d := single.Of()
	if math.Abs(a-c) > 1e-9*c || math.Abs(b-d) > 1e-9*d || alone.Clusters() != 500 || single.Clusters() != 500 {
		t.Errorf("errors %g %g of rows alone, %g %g of clusters of one", a, b, c, d)
	}
}

// Sums of floats depend on their order, so clusters are summed in the order of their rows.
func TestErrorsAreTheSameToTheLastBit(t *testing.T) {
	rng := rand.New(rand.NewPCG(8, 1))
	var e Errors
	for i := range 3000 {
		e.Add(uint64(i/3), 300*rng.NormFloat64(), 300*rng.NormFloat64(), rng.Float64())
	}
	r, mae := e.Of()
	for range 20 {
		if again, other := e.Of(); again != r || other != mae {
			t.Fatalf("%v and %v, then %v and %v", r, mae, again, other)
		}
	}
}

// JSON has no NaN.
func TestRowsOfNoWeightHaveNoNaN(t *testing.T) {
	var s Sums
	s.Add(1, 2, 0)
	if got := s.CountBothSides(); got != (Doubled{Rows: 1}) {
		t.Errorf("%+v", got)
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
