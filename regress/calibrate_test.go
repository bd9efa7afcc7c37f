package regress

import (
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"kroo/datasets"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// randomGame plays random moves to the end. Each move's comment is made from the final margin of
// the side that moves.
func randomGame(t *testing.T, seed uint64, comment func(p oware.Position, final int) string) games.Record[oware.Position] {
	t.Helper()
	g := oware.Descriptor()
	rng := rand.New(rand.NewPCG(seed, 0))
	l := g.NewLine(oware.Start(oware.Abapa))
	for {
		if _, _, over := l.Over(); over {
			break
		}
		moves := l.Position().AppendMoves(nil)
		testkit.NoError(t, l.Play(moves[rng.IntN(len(moves))]))
	}
	diff, _, _ := l.Over()
	rec := l.Record(games.Tag{Name: "South", Value: "one"}, games.Tag{Name: "North", Value: "two"})
	for i, p := range l.History() {
		rec.Moves[i].Comment = comment(p, diff*(1-2*g.SideToMove(p)))
	}
	return rec
}

// scoreComment is a match's comment with a score in seeds.
func scoreComment(seeds float64) string {
	return fmt.Sprintf("score %+d depth 9 nodes 1000 time 0.050s", int(math.Round(100*seeds)))
}

func calibratedGames(player string, records ...games.Record[oware.Position]) (*CalibrationReport, error) {
	return CalibrateGames(oware.Descriptor(), []GameFile[oware.Position]{{Name: "g.ogn", Records: records}}, player)
}

func TestScoreInAComment(t *testing.T) {
	for comment, want := range map[string]int{"score +25 depth 16": 25, "book score -7": -7, "score 0": 0, "score +20000": 20000} {
		if got, ok := scoreOf(comment); !ok || got != want {
			t.Errorf("%q: %d, %t: want %d", comment, got, ok, want)
		}
	}
	for _, comment := range []string{"", "opening", "score", "score x", "score 1.5", "underscore 12", "score 99999", "score +-3", "score 1234567"} {
		if got, ok := scoreOf(comment); ok {
			t.Errorf("%q: score %d: want none", comment, got)
		}
	}
}

func TestSlopeIsFinalMarginPerSeedOfScore(t *testing.T) {
	var records []games.Record[oware.Position]
	for seed := range uint64(12) {
		records = append(records, randomGame(t, seed, func(_ oware.Position, final int) string { return scoreComment(float64(final) / 1.25) }))
	}
	r := testkit.Must(calibratedGames("", records...))(t)
	if !near(r.Slope, 1.25, 1e-3) || r.Games != 12 || r.Proven != 0 {
		t.Errorf("%+v: want slope 1.25", r)
	}
	testkit.Contains(t, r.Doc().Text("g.ogn"), "12 games", "slope: 1.250 ±", "expected margin")
}

func TestProvenScoresOpeningsAndDuplicateGamesAreLeftOut(t *testing.T) {
	k := 0
	rec := randomGame(t, 1, func(oware.Position, int) string {
		k++
		return []string{"opening", "score +15003 depth 9", "score -19999", "score +12"}[k%4]
	})
	unfinished := randomGame(t, 2, func(oware.Position, int) string { return "score +1" })
	unfinished.Result = games.Unknown
	adjudicated := randomGame(t, 3, func(oware.Position, int) string { return "score +1" })
	adjudicated.Moves, adjudicated.Result = adjudicated.Moves[:9], games.DrawnGame
	r := testkit.Must(calibratedGames("", rec, rec, unfinished, adjudicated))(t)
	n := len(rec.Moves)
	if r.Games != 2 || r.Same != 1 || r.Finished != 1 || r.Positions != n/4+9 || r.Proven < n/2-1 || r.Proven > n/2+1 {
		t.Errorf("%d moves: %+v", n, r)
	}
}

func TestCalibrationOfOnePlayer(t *testing.T) {
	rec := randomGame(t, 1, func(oware.Position, int) string { return "score +1" })
	r, err := calibratedGames("two", rec)
	if err != nil || r.Positions != len(rec.Moves)/2 {
		t.Errorf("%+v, error %v: want the %d moves of North", r, err, len(rec.Moves)/2)
	}
	testkit.ErrorContains(t, errorOf(calibratedGames("three", rec)), `"three"`)
}

func TestCalibrationRejectsGamesWithoutScoresOrOfTwoRuleSets(t *testing.T) {
	none := randomGame(t, 1, func(oware.Position, int) string { return "opening" })
	testkit.ErrorContains(t, errorOf(calibratedGames("", none)), "train match -o")
	other := games.Record[oware.Position]{Start: oware.Start(oware.Awari), Result: games.DrawnGame}
	testkit.ErrorContains(t, errorOf(calibratedGames("", none, other)), "g.ogn: game 2: under awari rules")
}

// lineGames are positions of games around final = 0.8·score, with one deviation per game and one
// per position.
func lineGames(rng *rand.Rand) (list []scoredPosition) {
	for game := range 60 {
		whole, middle := rng.NormFloat64(), 3*rng.NormFloat64()
		for range 20 {
			x := middle + rng.NormFloat64()
			list = append(list, scoredPosition{game: uint64(game), weight: 1, score: x, finished: true, final: 0.8*x + whole + rng.NormFloat64()})
		}
	}
	return list
}

func scoreAlone(s scoredPosition) []float64 { return []float64{s.score} }

// Standard errors match the spread of the slope over repetitions of the experiment, and repeated
// positions add no information.
func TestErrorsAreClusteredByGame(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	const n = 400
	var mean, spread, stderr float64
	for range n {
		list := lineGames(rng)
		slope, errs := marginLine(list, scoreAlone)
		mean, spread, stderr = mean+slope[0]/n, spread+(slope[0]-0.8)*(slope[0]-0.8)/n, stderr+errs[0]/n
		if _, twice := marginLine(slices.Concat(list, list), scoreAlone); !near(errs[0], twice[0], 1e-9) {
			t.Fatalf("error %v, with every position twice %v", errs, twice)
		}
	}
	if ratio := stderr / math.Sqrt(spread); !near(mean, 0.8, 0.02) || ratio < 0.85 || ratio > 1.1 {
		t.Errorf("mean slope %.3f: want 0.8; the standard error is %.2f of the deviation between repetitions", mean, ratio)
	}
}

func TestNoLineThroughTwoGamesOrScoresOfZero(t *testing.T) {
	two := []scoredPosition{{game: 0, weight: 1, score: 1, finished: true}, {game: 1, weight: 1, score: 2, finished: true}}
	zero := []scoredPosition{{game: 0, weight: 1, finished: true}, {game: 1, weight: 1, finished: true}, {game: 2, weight: 1, finished: true}}
	for _, list := range [][]scoredPosition{nil, two, zero} {
		if slope, errs := marginLine(list, scoreAlone); slope[0] != 0 || errs[0] != 0 {
			t.Errorf("%v: slope %v ± %v", list, slope, errs)
		}
	}
}

func TestChancesAddUpToOne(t *testing.T) {
	c := &features.Calibration{Rate: [2]float64{0.9, 0.3}, Draw: [2]float64{0.8, 0.2}}
	for _, score := range []float64{-30, -2, 0, 0.5, 30} {
		win, draw, loss := c.Chances(score, 0.3)
		w, d, l := c.Chances(-score, 0.3)
		if math.Abs(win+draw+loss-1) > 1e-12 || draw < 0 || math.Abs(win-l)+math.Abs(draw-d)+math.Abs(loss-w) > 1e-12 {
			t.Errorf("score %g: %g %g %g, other side %g %g %g", score, win, draw, loss, w, d, l)
		}
	}
}

func TestDerivativesOfTheLikelihood(t *testing.T) {
	e := ends{0.7, 0.3, 0.5, 0.2}
	const h = 1e-5
	for result := -1; result <= 1; result++ {
		s := scoredPosition{weight: 1, score: 2.5, part: 0.3, result: result}
		hessian := mat.NewSymDense(4, nil)
		loss, gradient := e.add(s, hessian)
		win, draw, lost := (&features.Calibration{Rate: [2]float64(e[:2]), Draw: [2]float64(e[2:])}).Chances(s.score, 0.3)
		if want := -math.Log([]float64{lost, draw, win}[result+1]); math.Abs(loss-want) > 1e-12 {
			t.Errorf("result %d: loss %g: want %g", result, loss, want)
		}
		for i := range e {
			up, down := e, e
			up[i], down[i] = up[i]+h, down[i]-h
			above, gradientAbove := up.add(s, nil)
			below, gradientBelow := down.add(s, nil)
			if slope := (above - below) / (2 * h); math.Abs(slope-gradient[i]) > 1e-6 {
				t.Errorf("result %d: derivative %d is %g: want %g", result, i, gradient[i], slope)
			}
			for j := range e {
				if bend := (gradientAbove[j] - gradientBelow[j]) / (2 * h); math.Abs(bend-hessian.At(i, j)) > 1e-6 {
					t.Errorf("result %d: second derivative %d %d is %g: want %g", result, i, j, hessian.At(i, j), bend)
				}
			}
		}
	}
}

// drawnGames are positions of games whose results follow a model of chances.
func drawnGames(rng *rand.Rand) (list []scoredPosition) {
	truth := &features.Calibration{Rate: [2]float64{0.5, 0.8}, Draw: [2]float64{0.3, 0.2}}
	for game := range 300 {
		s := scoredPosition{game: uint64(game), weight: 1, score: 3 * rng.NormFloat64(), part: rng.Float64(), finished: true}
		win, draw, _ := truth.Chances(s.score, s.part)
		switch u := rng.Float64(); {
		case u < win:
			s.result, s.final = 1, 4
		case u > win+draw:
			s.result, s.final = -1, -4
		}
		list = append(list, s)
	}
	return list
}

// A position of weight 2 counts like two positions, in chances, margins and errors.
func TestCalibrationWeighsPositions(t *testing.T) {
	list := drawnGames(rand.New(rand.NewPCG(3, 3)))
	var repeated, weighted []scoredPosition
	for i, s := range list {
		repeated = append(repeated, s)
		if i%3 == 0 {
			repeated = append(repeated, s)
			s.weight = 2
		}
		weighted = append(weighted, s)
	}
	want := testkit.Must(calibration(repeated))(t)
	got := testkit.Must(calibration(weighted))(t)
	plain := testkit.Must(calibration(list))(t)
	numbers := func(c *features.Calibration) []float64 {
		return slices.Concat(c.Rate[:], c.Draw[:], c.RateErr[:], c.DrawErr[:], c.Margin[:], c.MarginErr[:], []float64{c.Loss})
	}
	for i, x := range numbers(got) {
		if !near(x, numbers(want)[i], 1e-6) {
			t.Errorf("number %d: %g by weights, %g by repetition", i, x, numbers(want)[i])
		}
	}
	if near(plain.Rate[0], got.Rate[0], 1e-6) {
		t.Error("the weights do not matter")
	}
}

func TestNoModelOfChancesWithoutDraws(t *testing.T) {
	if c, err := calibration([]scoredPosition{{weight: 1, result: 1}, {weight: 1, result: -1}}); err == nil {
		t.Errorf("%+v: want an error", c)
	}
	if c, err := calibration([]scoredPosition{{weight: 1}, {weight: 1}}); err == nil {
		t.Errorf("%+v: want an error", c)
	}
}

// Scores with which the better side wins fewer games, at the start or at the end of games, are not of the side to
// move.
func TestScoresThatWinFewerGamesAreRefused(t *testing.T) {
	for _, rate := range [][2]float64{{0.9, -0.6}, {-0.6, 0.9}} {
		rng := rand.New(rand.NewPCG(3, 4))
		truth := &features.Calibration{Rate: rate, Draw: [2]float64{0.5, 0.5}}
		var list []scoredPosition
		for game := range 3000 {
			s := scoredPosition{game: uint64(game), weight: 1, score: 2 * rng.NormFloat64(), part: rng.Float64()}
			win, draw, _ := truth.Chances(s.score, s.part)
			switch x := rng.Float64(); {
			case x < win:
				s.result = 1
			case x > win+draw:
				s.result = -1
			}
			list = append(list, s)
		}
		testkit.ErrorContains(t, errorOf(calibration(list)), "better scores win fewer games")
	}
}

// The expected margin is the one that generated the games, at every phase.
func TestExpectedMarginIsRecoveredFromGames(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	truth := &features.Calibration{Margin: [2]float64{0.8, 3.5}}
	var list []scoredPosition
	for game := range 2000 {
		for range 5 {
			s := scoredPosition{game: uint64(game), weight: 1, score: 2 * rng.NormFloat64(), part: rng.Float64(), finished: true}
			s.final = truth.ExpectedMargin(s.score, s.part, 1000) + 5*rng.NormFloat64()
			list = append(list, s)
		}
	}
	list = append(list, scoredPosition{game: 1, weight: 1, score: 9, final: -1000}) // not finished
	slope, errs := marginLine(list, byPhase)
	for i, want := range truth.Margin {
		if math.Abs(slope[i]-want) > 4*errs[i] || !(errs[i] > 0 && errs[i] < 0.2) {
			t.Errorf("margin %d is %.3f ± %.3f: want %.3f", i, slope[i], errs[i], want)
		}
	}
}

func TestPlayersMatchByNameOrWord(t *testing.T) {
	for name, want := range map[string]bool{"default 12ab, varying": true, "12ab": true, "12abc": false, "default": false} {
		if got := counts(name, "12ab"); got != want {
			t.Errorf("%q counts: %t, want %t", name, got, want)
		}
	}
}

// gamesFile writes labelled positions of games with outcomes drawn from a calibration by label.
func gamesFile(t *testing.T, truth *features.Calibration, games int) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, 1))
	g := oware.Descriptor()
	var rows []labelRow
	for game := range games {
		p := testkit.Must(g.Random(rng, "abapa"))(t)
		label := math.Round(max(-900, min(900, 150*rng.NormFloat64())))
		score, part := label/g.PointsPerUnit(), float64(g.Phase(p))/float64(g.MaxPhase)
		win, draw, _ := truth.Chances(score, part)
		margin := max(1, int(math.Abs(truth.ExpectedMargin(score, part, 48))))
		switch x := rng.Float64(); {
		case x > win+draw:
			margin = -margin
		case x > win:
			margin = 0
		}
		rows = append(rows, labelRow{Position: p, Game: int32(game + 1), Outcome: datasets.OutcomeOf(margin), Label: label, Depth: 1})
		rows = append(rows, labelRow{Position: p, Game: int32(game + 1), Label: label, Depth: 1})                                   // without an outcome
		rows = append(rows, labelRow{Position: p, Game: int32(game + 1), Outcome: datasets.OutcomeOf(-9), Label: 700, Exact: true}) // proven
	}
	path := filepath.Join(t.TempDir(), "labels.parquet")
	testkit.NoError(t, datasets.Write(g, path, datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa", Limits: "nodes 1", Engine: "bench-1", OptionalColumns: datasets.OptionalColumns{Results: true}}, datasets.Rows(rows)))
	return path
}

// Both kinds of fit recover the chances that generated the outcomes, and store them with the
// weights.
func TestAFitToRowsOfGamesIsCalibrated(t *testing.T) {
	truth := &features.Calibration{Rate: [2]float64{0.9, 0.4}, Draw: [2]float64{0.8, 0.3}, Margin: [2]float64{1, 3}}
	labels := gamesFile(t, truth, 4000)
	check := func(name string, c *features.Calibration) {
		t.Helper()
		if c == nil {
			t.Fatalf("%s: not calibrated", name)
		}
		for i := range 2 {
			for what, z := range map[string]float64{"rate": (c.Rate[i] - truth.Rate[i]) / c.RateErr[i], "draw": (c.Draw[i] - truth.Draw[i]) / c.DrawErr[i]} {
				if !(math.Abs(z) < 4) || c.Games != 4000 || c.Positions != 4000 {
					t.Errorf("%s: %s %d is %.1f standard errors off: %+v", name, what, i, z, c)
				}
			}
		}
	}
	req := request(t, labels)
	s := mustFitPatterns(t, req)
	check("patterns", s.Calibration)
	w := testkit.Must(owarefeatures.Find(req.Out, ""))(t)
	check("compiled file", w.Tables.Header().Calibration)
	m, err := owarefeatures.Sets.Load(features.ModelPath(req.Out))
	testkit.NoError(t, err)
	check("model file", m.Calibration)

	table, out := filepath.Join(t.TempDir(), "f.parquet"), filepath.Join(t.TempDir(), "w.json")
	_, err = Tabulate(t.Context(), owarefeatures.Sets, Tabulation{In: labels, Out: table, Set: "thesis"}, nil)
	testkit.NoError(t, err)
	_, err = fitFeatures(t.Context(), owarefeatures.Sets, Request{Rows: []string{table}, Out: out}, nil)
	testkit.NoError(t, err)
	f := testkit.Must(owarefeatures.Sets.Load(out))(t)
	check("features", f.Calibration)
}

// A row of weight 0 does not count in the calibration of a fit, and the scale of the weights does not
// matter.
func TestCalibrationOfAFitUsesTheRowWeights(t *testing.T) {
	g := oware.Descriptor()
	truth := &features.Calibration{Rate: [2]float64{0.9, 0.4}, Draw: [2]float64{0.8, 0.3}, Margin: [2]float64{1, 3}}
	meta, rows, err := datasets.Read(g, gamesFile(t, truth, 600), datasets.Labels)
	testkit.NoError(t, err)
	meta.Weighted = true
	calibrate := func(weight string, rows []labelRow) *features.Calibration {
		path := filepath.Join(t.TempDir(), "w.parquet")
		testkit.NoError(t, datasets.Write(g, path, meta, datasets.Rows(rows)))
		all := testkit.Must(openTables(t.Context(), g.Info, []string{path}))(t)
		defer all.close()
		return testkit.Must(all.calibrate(t.Context(), g.Info, "", weight))(t).Calibration
	}
	var odd []labelRow
	for i := range rows {
		rows[i].Weight = 0
		if rows[i].Game%2 == 1 {
			rows[i].Weight = 3
			odd = append(odd, rows[i])
		}
	}
	got, want, plain := calibrate("weight", rows), calibrate("", odd), calibrate("", rows)
	for i := range 2 {
		if !near(got.Rate[i], want.Rate[i], 1e-6) || !near(got.RateErr[i], want.RateErr[i], 1e-6) || got.Positions != want.Positions {
			t.Errorf("%+v: want %+v, of the rows that count", got, want)
		}
	}
	if near(plain.Rate[0], got.Rate[0], 1e-6) {
		t.Error("the weights do not matter")
	}
}

func TestAFitToRowsWithoutOutcomesIsNotCalibrated(t *testing.T) {
	if s := mustFitPatterns(t, request(t, labelFile(t, 1, 300, tame))); s.Calibrated != (Calibrated{}) {
		t.Errorf("%+v of rows without outcomes", s.Calibrated)
	}
	lost := &features.Calibration{Rate: [2]float64{-0.5, -0.5}}
	if s := mustFitPatterns(t, request(t, gamesFile(t, lost, 300))); s.Calibration != nil || s.NotCalibrated == "" {
		t.Errorf("%+v of outcomes that contradict the labels", s.Calibrated)
	}
}

// A point from which a step gains next to nothing is the minimum, although a line search may fail there.
func TestAStepThatGainsNothingIsTheMinimum(t *testing.T) {
	list := drawnGames(rand.New(rand.NewPCG(3, 3)))
	problem := likelihood(list)
	e, loss, err := likeliest(list)
	testkit.NoError(t, err)
	for shift, want := range map[float64]bool{0: true, 1e-9: true, 0.1: false} {
		at := ends{e[0] + shift, e[1], e[2], e[3]}
		got := nearMinimum(problem, optimize.Location{X: at[:], F: loss})
		testkit.Equal(t, got, want, "at a distance of %g", shift)
	}
}
