package regress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"kroo/datasets"
	"kroo/features/oware"
	rules "kroo/games/oware"
	"kroo/internal/testkit"
	"kroo/internal/vfs/faults"
)

// noisy is a function of the houses plus noise that no feature explains.
func noisy(seed uint64, spread float64) func(rules.Position) float64 {
	rng := rand.New(rand.NewPCG(seed, 5))
	return func(p rules.Position) float64 { return tame(p) + spread*rng.NormFloat64() }
}

func curveOf(t *testing.T, set string, rows int, spread float64) Summary {
	t.Helper()
	req := request(t, labelFile(t, 1, rows, noisy(1, spread)))
	req.Set, req.Validation, req.Curve, req.RidgeRows = set, []string{labelFile(t, 2, 4000, noisy(2, spread))}, true, 1
	return mustFitPatterns(t, req)
}

// With many columns and few noisy rows each doubling lowers the error; with two columns the first
// share is as good as all.
func TestLearningCurveTellsWhetherMoreRowsHelp(t *testing.T) {
	steep := curveOf(t, "store+houses", 600, 20)
	testkit.Contains(t, summaryText(steep, rules.Descriptor().Info), "more rows would help")
	flat := curveOf(t, "store", 3000, 100)
	testkit.Contains(t, summaryText(flat, rules.Descriptor().Info), "more rows would not help")
	for _, s := range []Summary{steep, flat} {
		if len(s.Curve) != 5 || s.Curve[4].Rows < 600 || s.Curve[4].Validation != *s.Validation || s.Curve[4].Train != *s.Train {
			t.Errorf("%+v: want five points, the last one that of all rows", s.Curve)
		}
		for i, p := range s.Curve[1:] {
			before := s.Curve[i]
			if gain := before.Validation.MAE - p.Validation.MAE; math.Abs(gain-p.Gain) > 0.01*p.Validation.MAE || !(p.GainErr > 0) || p.Rows <= before.Rows {
				t.Errorf("point %d: %+v after %+v", i+1, p, before)
			}
		}
	}
}

// A group belongs to a share as a whole, and to every larger share.
func TestSharesAreNestedAndKeepGroupsTogether(t *testing.T) {
	var rows []labelRow
	for i := range 4000 {
		row := labelRow{Position: rules.Start(rules.Abapa), Game: int32(i/10 + 1), Ply: int32(i), Label: float64(i%10) / 10}
		rows = append(rows, row)
	}
	l := rowsOf(t, tablesOf(t, []string{rowFile(t, rows)}))
	before := map[int]bool{} // rows of the smaller share
	for _, share := range append(slices.Clone(curveShares), 1) {
		now := map[int]bool{}
		for i := range l.len() {
			if inShare(l.cluster(i), share) {
				now[i] = true
			}
		}
		for i := range before {
			if !now[i] {
				t.Fatalf("row %d is in a smaller share and not in %g", i, share)
			}
		}
		for i := range now {
			if !now[i/10*10] {
				t.Fatalf("share %g divides a game", share)
			}
		}
		if got := float64(len(now)) / 4000; math.Abs(got-share) > 0.07 {
			t.Errorf("a share of %g has %g of the rows", share, got)
		}
		before = now
	}
}

func TestLearningCurveNeedsValidationRows(t *testing.T) {
	req := request(t, labelFile(t, 1, 300, tame))
	req.Curve = true
	testkit.ErrorContains(t, errorOf(fitPatterns(t.Context(), oware.Sets, req, nil)), "validation rows to measure on")
}

// A share of the rows recovers the weights that made the labels: each point fits whole games, and
// its gain follows from its errors.
func TestLearningCurveOfFeatures(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	o := thesisOptions(t)
	o.Curve = true
	rows, valid := thesisRows(rng, 3000, 0, 100), thesisRows(rng, 2000, 1<<30, 100)
	out, err := trainRows(t, rows, valid, o)
	testkit.NoError(t, err)
	testkit.Contains(t, summaryText(out.Summary, rules.Descriptor().Info), "more rows would not help")
	for i, p := range out.Curve {
		if i == len(out.Curve)-1 {
			if p.Rows != 3000 || p.Validation.MAE != out.Full.Validation.MAE {
				t.Errorf("the last point is %+v: want that of all rows", p)
			}
		} else if share := float64(p.Rows) / 3000; math.Abs(share-curveShares[i]) > 0.05 {
			t.Errorf("point %d has %d rows: want a share of %g", i, p.Rows, curveShares[i])
		}
		if i > 0 && (!(p.GainErr > 0) || !near(p.Gain, out.Curve[i-1].Validation.MAE-p.Validation.MAE, 1e-9)) {
			t.Errorf("point %d: %+v", i, p)
		}
	}
	o.Curve = true
	testkit.ErrorContains(t, errorOf(trainRows(t, rows, nil, o)), "validation rows to measure on")
}

// Whatever call fails, a learning curve has all its points, or the fit returns the error: points are
// left out only for too few rows.
func TestNoFaultTakesAPointFromALearningCurve(t *testing.T) {
	o := thesisOptions(t)
	rng := rand.New(rand.NewPCG(5, 5))
	rows, valid := thesisRows(rng, 400, 0, 100), thesisRows(rng, 100, 1<<30, 100)
	points := 0
	faults.Each(t, func(dir string) {
		testkit.NoError(t, datasets.Write(rules.Descriptor(), filepath.Join(dir, "t.csv"), o.Meta, datasets.Rows(rows)))
		testkit.NoError(t, datasets.Write(rules.Descriptor(), filepath.Join(dir, "v.csv"), o.Meta, datasets.Rows(valid)))
	}, func(dir string) error {
		in := func(name string) string { return filepath.Join(dir, name) }
		req := Request{Linear: o.Config, Rows: []string{in("t.csv")}, Validation: []string{in("v.csv")}, Curve: true, Out: in("w.json")}
		s, err := fitFeatures(t.Context(), oware.Sets, req, nil)
		points = len(s.Curve)
		return err
	}, func(_, failed string, err error) {
		if err == nil && points != 5 {
			t.Errorf("%s: %d points and no error: want 5 points", failed, points)
		}
	})
}

// Each point of a curve but the first has its gain over the point before, in seeds.
func TestACurveShowsTheGainOfEachPoint(t *testing.T) {
	game := rules.Descriptor().Info
	seed := game.PointsPerUnit()
	points := []CurvePoint{{Rows: 100}, {Rows: 200, Gain: seed / 4, GainErr: seed / 20}}
	rows := curveSection(points, game).Table.Rows
	if len(rows) != 2 {
		t.Fatalf("%d rows", len(rows))
	}
	testkit.Contains(t, fmt.Sprint(rows[0]), "–", "100")
	testkit.Contains(t, fmt.Sprint(rows[1]), "200", "0.250", "0.050")
}
