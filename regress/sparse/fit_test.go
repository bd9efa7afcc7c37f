package sparse

import (
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/optimize"

	"kroo/internal/testkit"
)

// minimise is a simple implementation of the other losses: L-BFGS on the objective, written out for
// a full matrix.
func minimise(t *testing.T, rows *table, o Options) []float64 {
	t.Helper()
	x, y, weight := rows.dense()
	n, columns := x.Dims()
	objective := func(grad, w []float64) float64 {
		total := o.Ridge / 2 * floats.Dot(w, w)
		for j := range grad {
			grad[j] = o.Ridge * w[j]
		}
		for i := range n {
			row := x.RawRowView(i)
			a, q := math.Tanh(floats.Dot(row, w)/o.Scale), math.Tanh(y[i]/o.Scale)
			slope := o.Scale * (a - q)
			if o.Loss == Chances {
				total += weight[i] * o.Scale * o.Scale * (a - q) * (a - q) / 2
				slope *= 1 - a*a
			} else { // -p ln(a') - (1-p) ln(1-a'), with chances from 0 to 1
				p, r := (1+q)/2, (1+a)/2
				total -= weight[i] * o.Scale * o.Scale * (p*math.Log(r) + (1-p)*math.Log(1-r))
			}
			if grad != nil {
				floats.AddScaled(grad, weight[i]*slope, row)
			}
		}
		return total
	}
	p := optimize.Problem{
		Func: func(w []float64) float64 { return objective(nil, w) },
		Grad: func(grad, w []float64) { objective(grad, w) },
	}
	settings := &optimize.Settings{GradientThreshold: 1e-4, MajorIterations: 5000}
	r, _ := optimize.Minimize(p, make([]float64, columns), settings, &optimize.LBFGS{}) // the test checks the gradient instead
	grad := make([]float64, columns)
	objective(grad, r.X)
	if !(floats.Norm(grad, math.Inf(1)) < 0.1) {
		t.Fatalf("the slow minimisation did not end: gradient %v", grad)
	}
	return r.X
}

func TestChancesAndCrossEntropyFindTheMinimum(t *testing.T) {
	rng := rand.New(rand.NewPCG(2, 1))
	for range 10 {
		rows := randomTable(rng, 400, 1+rng.IntN(25), 4, 1+rng.IntN(90))
		for _, loss := range []Loss{Chances, CrossEntropy} {
			o := Options{Loss: loss, Scale: 400, Ridge: 5, Tolerance: 1e-9, Rounds: 200}
			r, err := Fit(background, rows, Layout{}, o)
			testkit.NoError(t, err)
			if !r.Converged {
				t.Errorf("%v: not converged: gradient %g", loss, r.Gradient)
			}
			agree(t, loss.String(), r.Weights, minimise(t, rows, o), 2e-4)
		}
	}
}

// The losses agree with finite differences, and with squares near zero.
func TestLossesAndTheirDerivatives(t *testing.T) {
	for _, l := range []Loss{Squares, Chances, CrossEntropy} {
		for u := -900.0; u <= 900; u += 37 {
			for y := -1000.0; y <= 1000; y += 93 {
				const h = 1e-3
				low, _, _ := l.at(u-h, y, 300)
				high, _, _ := l.at(u+h, y, 300)
				v, slope, curvature := l.at(u, y, 300)
				if v < 0 || curvature <= 0 || math.Abs((high-low)/(2*h)-slope) > 1e-3 {
					t.Fatalf("%v at %g for %g: %g, slope %g, curvature %g; differences say %g", l, u, y, v, slope, curvature, (high-low)/(2*h))
				}
			}
		}
		if v, _, _ := l.at(3, 1, 300); math.Abs(v-2) > 1e-3 {
			t.Errorf("%v of 3 for 1 is %g, want 2", l, v)
		}
		back, err := ParseLoss(l.String())
		if err != nil || back != l {
			t.Errorf("%v reads as %v, %v", l, back, err)
		}
	}
	if _, err := ParseLoss("cubes"); err == nil || !strings.Contains(err.Error(), "cross-entropy") {
		t.Errorf("cubes: %v", err)
	}
}

// wide has columns in several parts, most of them rare.
func wide(t testing.TB) *boards {
	t.Helper()
	return newBoards(13_000, true, 3)
}

func mustPrepare(t testing.TB, rows Rows, l Layout) *Matrix {
	t.Helper()
	m, err := Prepare(background, rows, l)
	testkit.NoError(t, err)
	return m
}

func mustFit(t testing.TB, m *Matrix, o Options) *Result {
	t.Helper()
	r, err := m.Fit(background, o)
	testkit.NoError(t, err)
	return r
}

func TestSameBitsForAnyWorkersAndCache(t *testing.T) {
	rows := wide(t)
	o := Options{Loss: Chances, Scale: 400, Ridge: 10, Rounds: 2, Steps: 6}
	var want *Result
	for _, l := range []Layout{
		{Workers: 1}, {Workers: 2}, {Workers: 3}, {Workers: 8},
		{Workers: 2, CacheBytes: -1}, {Workers: 3, CacheBytes: 3 << 20},
	} {
		m := mustPrepare(t, rows, l)
		if m.columns.parts < 2 || len(m.chunks) < 4 {
			t.Fatalf("%d parts, %d chunks: the test needs more", m.columns.parts, len(m.chunks))
		}
		got := mustFit(t, m, o)
		if want == nil {
			want = got
		}
		if !slices.Equal(got.Weights, want.Weights) || got.Loss != want.Loss || got.Train != want.Train || got.Steps != want.Steps {
			t.Errorf("%d workers, cache %d: other bits than one worker: loss %v and %v", l.Workers, l.CacheBytes, got.Loss, want.Loss)
		}
	}
}

// stopper cancels a context at the given call of Block.
type stopper struct {
	Rows
	left atomic.Int64
	stop context.CancelFunc
}

func (s *stopper) Block(i int, dst *Block) {
	if s.left.Add(-1) == 0 {
		s.stop()
	}
	s.Rows.Block(i, dst)
}

// A fit that is stopped anywhere and resumed gives the same bits.
func TestResumedFitHasTheSameBits(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 1))
	for name, prior := range map[string]*Prior{"no prior": nil, "a prior": {Weights: make([]float64, 500), Rows: 0.5}} {
		t.Run(name, func(t *testing.T) { resumedFitHasTheSameBits(t, rng, prior) })
	}
}

func resumedFitHasTheSameBits(t *testing.T, rng *rand.Rand, prior *Prior) {
	rows := &stopper{Rows: randomTable(rng, 9000, 500, 12, 700)}
	m := mustPrepare(t, rows, Layout{CacheBytes: -1})
	o := Options{Loss: Chances, Scale: 400, Ridge: 3, Rounds: 3, Steps: 8, Tolerance: 1e-12, Prior: prior}
	rows.left.Store(1 << 40)
	want := mustFit(t, m, o)
	passes := (1<<40 - rows.left.Load()) / int64(rows.Blocks())
	if passes < 12 {
		t.Fatalf("%d passes: the test needs more", passes)
	}
	first := int64(0)
	if prior != nil {
		first = 2 // the passes that read the prior leave no state
	}
	for pass := first; pass < passes; pass++ {
		ctx, cancel := context.WithCancel(background)
		rows.stop = cancel
		rows.left.Store(pass*int64(rows.Blocks()) + 1 + rng.Int64N(int64(rows.Blocks())-1))
		stopped, err := m.Fit(ctx, o)
		cancel()
		if err == nil && pass == passes-1 {
			continue // the last blocks were already in flight
		}
		if !errors.Is(err, context.Canceled) || stopped == nil || len(stopped.Weights) != 500 {
			t.Fatalf("stopped in pass %d: %v, result %v", pass, err, stopped)
		}
		again := o
		again.Resume = stopped.State
		got := mustFit(t, m, again)
		if !slices.Equal(got.Weights, want.Weights) || got.Loss != want.Loss || got.Steps != want.Steps {
			t.Fatalf("stopped in pass %d and resumed: loss %v after %d steps, want %v after %d", pass, got.Loss, got.Steps, want.Loss, want.Steps)
		}
	}
}

// A fit that is killed after any step resumes from its last checkpoint and gives the same bits.
func TestCheckpointsResumeToTheSameBits(t *testing.T) {
	rows := randomTable(rand.New(rand.NewPCG(4, 2)), 4000, 300, 9, 500)
	m := mustPrepare(t, rows, Layout{})
	o := Options{Loss: Chances, Scale: 400, Ridge: 3, Rounds: 3, Steps: 6, Tolerance: 1e-12}
	var states []*State
	o.Checkpoint = func(state func() *State) { states = append(states, state()) }
	want := mustFit(t, m, o)
	if len(states) != want.Steps || want.Steps < 8 {
		t.Fatalf("%d checkpoints of %d steps", len(states), want.Steps)
	}
	o.Checkpoint = nil
	for i, state := range states {
		o.Resume = state
		if got := mustFit(t, m, o); !slices.Equal(got.Weights, want.Weights) || got.Steps != want.Steps {
			t.Errorf("from checkpoint %d: %d steps, other weights or not: expected %d and the same", i, got.Steps, want.Steps)
		}
	}
}

// Rounds count from the start of the original fit, even if the limit is below the rounds already
// made.
func TestResumedFitKeepsTheLimitOfRounds(t *testing.T) {
	m := mustPrepare(t, randomTable(rand.New(rand.NewPCG(4, 3)), 2000, 100, 9, 500), Layout{})
	o := Options{Loss: Chances, Scale: 400, Ridge: 3, Rounds: 4, Steps: 6, Tolerance: 1e-12}
	o.Checkpoint = func(state func() *State) { o.Resume = state() }
	mustFit(t, m, o)
	o.Checkpoint, o.Rounds = nil, 2
	if r := mustFit(t, m, o); r.Rounds != 3 || r.Converged {
		t.Errorf("%d rounds: expected 3, those of the saved fit", r.Rounds)
	}
}

func TestStateOfAnotherFitIsRejected(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	rows := &stopper{Rows: randomTable(rng, 300, 20, 4, 100)}
	m := mustPrepare(t, rows, Layout{CacheBytes: -1})
	ctx, cancel := context.WithCancel(background)
	rows.stop = cancel
	rows.left.Store(12)
	r, err := m.Fit(ctx, Options{Ridge: 1})
	if err == nil {
		t.Fatal("not stopped")
	}
	if _, err := m.Fit(background, Options{Ridge: 2, Resume: r.State}); err == nil || !strings.Contains(err.Error(), "other options") {
		t.Errorf("other options: %v", err)
	}
	other := mustPrepare(t, randomTable(rng, 300, 20, 4, 100), Layout{})
	if _, err := other.Fit(background, Options{Ridge: 1, Resume: r.State}); err == nil || !strings.Contains(err.Error(), "other rows") {
		t.Errorf("other rows: %v", err)
	}
}

func TestStatisticsMatchTheWeights(t *testing.T) {
	rows := wide(t)
	r := mustFit(t, mustPrepare(t, rows, Layout{}), Options{Ridge: 10, Clamp: 400, Rounds: 1, Steps: 10})
	s, err := Evaluate(background, rows, r.Weights, 400, 2)
	testkit.NoError(t, err)
	agree(t, "statistics", []float64{r.Train.R, r.Train.MAE, r.Train.RMSE}, []float64{s.R, s.MAE, s.RMSE}, 1e-9)
	if s.Rows != 13_000 || r.Train.Rows != s.Rows || s.R < 0.1 {
		t.Errorf("%+v", s)
	}
}
