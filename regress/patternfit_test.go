package regress

import (
	"bytes"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"kroo/datasets"
	"kroo/features"
	"kroo/features/oware"
	"kroo/games"
	rules "kroo/games/oware"
	"kroo/internal/journal"
	"kroo/internal/testkit"
)

// labelFile writes random positions labelled by a function in points.
func labelFile(t *testing.T, seed uint64, n int, f func(rules.Position) float64) string {
	t.Helper()
	return labelFileOf(t, "nodes 1", seed, n, f)
}

// labelFileOf has labels of searches with the given limits.
func labelFileOf(t *testing.T, limits string, seed uint64, n int, f func(rules.Position) float64) string {
	t.Helper()
	rng := rand.New(rand.NewPCG(seed, 1))
	rows := make([]labelRow, n)
	for i := range rows {
		p := testkit.Must(rules.Descriptor().Random(rng, "abapa"))(t)
		rows[i] = labelRow{Position: p, Label: max(-games.MaxPoints, min(games.MaxPoints, f(p))), Depth: 1}
	}
	return rowFileOf(t, limits, rows)
}

// rowFile writes labelled rows.
func rowFile(t *testing.T, rows []labelRow) string {
	t.Helper()
	return rowFileOf(t, "nodes 1", rows)
}

func rowFileOf(t *testing.T, limits string, rows []labelRow) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "labels.parquet")
	meta := datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa", Limits: limits, Engine: "bench-1"}
	testkit.NoError(t, datasets.Write(rules.Descriptor(), path, meta, datasets.Rows(rows)))
	return path
}

// rowsOf returns the rows of tables as one batch.
func rowsOf(t *testing.T, tables tables) *labelledBatch[rules.Position] {
	t.Helper()
	l := &labelledRows[rules.Position]{game: rules.Descriptor(), tables: tables}
	all := l.newBatch(0)
	for b, err := range l.read(t.Context()) {
		testkit.NoError(t, err)
		for i := range b.len() {
			all.appendRow(b, i)
		}
	}
	return all
}

func tablesOf(t *testing.T, paths []string) tables {
	t.Helper()
	all := testkit.Must(openTables(t.Context(), rules.Descriptor().Info, paths))(t)
	t.Cleanup(all.close)
	return all
}

// tame is a function of the houses with values within ±1000.
func tame(p rules.Position) float64 {
	m, _ := oware.FindByName("thesis4")
	return m.Exact(p) / 4
}

func request(t *testing.T, labels string) Request {
	return Request{
		PatternConfig: PatternConfig{Set: "store+houses", Tolerance: 1e-7},
		Rows:          []string{labels}, Out: filepath.Join(t.TempDir(), "w.weights"),
	}
}

func mustFitPatterns(t *testing.T, req Request) Summary {
	t.Helper()
	s := testkit.Must(fitPatterns(context.Background(), oware.Sets, req, nil))(t)
	return s
}

func TestFitPatternsRecoversTheLabellingFunction(t *testing.T) {
	labels := labelFile(t, 1, 4000, tame)
	for _, loss := range []string{"squares", "chances"} {
		req := request(t, labels)
		req.Loss, req.Scale = loss, 1000
		s := mustFitPatterns(t, req)
		if !s.Converged || s.Train.R < 0.99999 || s.Train.MAE > 0.01 {
			t.Errorf("%s: %+v", loss, s)
		}
		w, err := oware.Find(req.Out, "")
		if err != nil || w.Tables == nil {
			t.Fatalf("%+v, error %v", w, err)
		}
		e := w.Tables
		m := testkit.Must(oware.Sets.Load(features.ModelPath(req.Out)))(t)
		if m.Hash() != s.Hash || e.Hash() != s.Play || e.Header().ModelHash != s.Hash {
			t.Errorf("files have hashes %s and %s, the summary %+v", m.Hash(), e.Hash(), s)
		}
		p := rules.Start(rules.Abapa)
		if got, want := float64(e.Evaluate(p)), rules.CentiSeedsPerPoint*tame(p); math.Abs(got-want) > s.Rounding+0.1 {
			t.Errorf("%s: compiled weights give %g centi-seeds for the start, the labels' function %g", loss, got, want)
		}
	}
}

// Files contain pattern weights on the grid of the tables, which keeps those small.
func TestAFitKeepsPatternWeightsOnTheGrid(t *testing.T) {
	req := request(t, labelFile(t, 1, 600, tame))
	req.Set = "store+houses+pairs/2"
	mustFitPatterns(t, req)
	m := testkit.Must(oware.Sets.Load(features.ModelPath(req.Out)))(t)
	again := slices.Clone(m.Weights)
	m.Set.(*oware.PatternSet).ToGrid(again)
	if !slices.Equal(again, m.Weights) {
		t.Error("weights are off the grid")
	}
	pairs := m.Weights[m.Set.Len()-2*4224:]
	if !slices.ContainsFunc(pairs, func(w float64) bool { return w != 0 }) {
		t.Error("no pair has a weight")
	}
}

func TestAModelNamesTheLimitsOfAllItsLabels(t *testing.T) {
	req := request(t, labelFileOf(t, "nodes 1", 1, 200, tame))
	req.Rows = append(req.Rows, labelFileOf(t, "nodes 2", 2, 200, tame), labelFileOf(t, "nodes 1", 3, 200, tame))
	mustFitPatterns(t, req)
	m := testkit.Must(oware.Sets.Load(features.ModelPath(req.Out)))(t)
	if p := m.Provenance; p.Labels != "nodes 1; nodes 2" || p.Engine != "bench-1" || len(p.Datasets) != 3 {
		t.Errorf("labels %q of engine %q, %d datasets: want all limits once, the engine once, three", p.Labels, p.Engine, len(p.Datasets))
	}
}

// A fit that is stopped anywhere, also while it chooses the ridge, gives the same bytes when it has
// resumed, and makes none of the finished rounds again.
func TestFitPatternsResumes(t *testing.T) {
	labels := labelFile(t, 3, 2000, tame)
	for _, choose := range []bool{false, true} {
		req := request(t, labels)
		req.Set, req.RidgeRows, req.Loss, req.Choose, req.Folds, req.Tolerance = "store+houses+adjacent", 1, "chances", choose, 2, 1e-3
		steps := int64(0)
		count := func(done, _ int64, _ string) { steps++ }
		whole, err := fitPatterns(t.Context(), oware.Sets, req, count)
		testkit.NoError(t, err)
		want, all := testkit.Read(t, whole.Model), steps
		for _, part := range []int64{4, 2} {
			req.Out, steps = filepath.Join(t.TempDir(), "again.weights"), 0
			ctx, cancel := context.WithCancel(t.Context())
			_, err = fitPatterns(ctx, oware.Sets, req, func(done, total int64, note string) {
				if count(done, total, note); steps == all-all/part {
					cancel()
				}
			})
			if cancel(); !errors.Is(err, context.Canceled) {
				t.Fatalf("a stopped fit gave %v", err)
			}
			if _, err := os.Stat(journal.PathOf(req.Out)); err != nil {
				t.Fatal(err)
			}
			other := req
			other.RidgeRows, other.Choose = 2, false
			if _, err := fitPatterns(t.Context(), oware.Sets, other, nil); !errors.Is(err, journal.ErrOther) {
				t.Errorf("a fit with another ridge gave %v", err)
			}
			steps = 0
			resumed := testkit.Must(fitPatterns(t.Context(), oware.Sets, req, count))(t)
			if !bytes.Equal(testkit.Read(t, resumed.Model), want) || resumed.SolverSteps != whole.SolverSteps {
				t.Errorf("choose %t: stopped and resumed, the fit gives %s after %d steps, else %s after %d", choose, resumed.Hash, resumed.SolverSteps, whole.Hash, whole.SolverSteps)
			}
			if steps >= all {
				t.Errorf("choose %t: resuming took %d steps, the whole fit %d", choose, steps, all)
			}
			if _, err := os.Stat(journal.PathOf(req.Out)); err == nil {
				t.Error("the journal is still there")
			}
		}
	}
}

func TestFitPatternsMeasuresOnlyUnseenSituations(t *testing.T) {
	req := request(t, labelFile(t, 4, 3000, tame))
	req.Validation = []string{req.Rows[0], labelFile(t, 5, 500, tame)}
	s := mustFitPatterns(t, req)
	if s.Overlap != 3000 || s.Validation.Rows != 500 || s.Validation.R < 0.999 {
		t.Errorf("overlap %d, validation %+v: expected 3000 left out, 500 measured", s.Overlap, s.Validation)
	}
	req.Validation = req.Rows
	if s = mustFitPatterns(t, req); s.Validation != nil {
		t.Errorf("validation without rows: %+v", s.Validation)
	}
	testkit.Contains(t, summaryText(s, rules.Descriptor().Info), "situations are in the training rows: 3000 rows")
}

func TestFitPatternsChoosesTheRidge(t *testing.T) {
	rng := rand.New(rand.NewPCG(6, 6))
	noisy := labelFile(t, 6, 2000, func(p rules.Position) float64 { return tame(p) + 60*rng.NormFloat64() })
	req := request(t, noisy)
	req.Choose, req.Set, req.Folds = true, "store+houses+pairs", 3
	s := mustFitPatterns(t, req)
	if s.Families[0].Ridge != 100 || s.Families[2].Ridge != 100 || s.Folds == nil || s.Folds.Rows != 2000 { // pairs are pure noise
		t.Errorf("families %+v, held out %+v", s.Families, s.Folds)
	}
	m, err := oware.Sets.Load(s.Model)
	if err != nil || m.Provenance.Ridge["pairs"] != 100 {
		t.Errorf("provenance %+v, error %v", m.Provenance, err)
	}
}

func TestFamiliesCountTheirColumns(t *testing.T) {
	all := familyFits([]int64{5, 0, 3, 20, 10, 9, 0}, solverOptions{families: familiesAt(2, 7), ridges: []float64{1, 2}})
	want := []FamilyFit{{Columns: 2, Seen: 1, Rare: 1, Median: 5, Ridge: 1}, {Columns: 5, Seen: 4, Rare: 2, Median: 10, Ridge: 2}}
	testkit.EqualSlices(t, all, want, "families")
}

// A fit to few rows with a model of many as its prior stays close to that model, and says so.
func TestPriorKeepsWeightsCloseToAModel(t *testing.T) {
	fit := func(req Request) (Summary, *oware.Model) {
		s := testkit.Must(fitPatterns(t.Context(), oware.Sets, req, nil))(t)
		m := testkit.Must(oware.Sets.Load(s.Model))(t)
		return s, m
	}
	first := request(t, labelFile(t, 8, 300, tame))
	s, before := fit(first)
	second := request(t, labelFile(t, 9, 30, tame))
	_, alone := fit(second)
	second.Out = filepath.Join(t.TempDir(), "second.weights")
	second.Prior, second.Trust = s.Model, 20
	_, after := fit(second)
	if p := after.Provenance; p.Prior != before.Hash() || p.Trust != 20 {
		t.Errorf("prior %q and trust %g: want %q and 20", p.Prior, p.Trust, before.Hash())
	}
	third := second
	third.Out, third.Prior, third.Trust = filepath.Join(t.TempDir(), "third.weights"), s.Compiled, 20
	if _, same := fit(third); same.Provenance.Prior != before.Hash() || !slices.Equal(same.Weights, after.Weights) {
		t.Errorf("compiled weights with their model next to them are another prior, %s, than the model, %s", same.Provenance.Prior, before.Hash())
	}
	withoutModel := filepath.Join(t.TempDir(), "without.weights")
	if data, err := os.ReadFile(s.Compiled); err != nil || os.WriteFile(withoutModel, data, 0o666) != nil {
		t.Fatal(err)
	}
	third.Set, third.Prior = "store", s.Model
	testkit.ErrorContains(t, errorOf(fitPatterns(t.Context(), oware.Sets, third, nil)), "weights of set store+houses: expected set store")
	third.Set, third.Prior = second.Set, withoutModel
	testkit.ErrorContains(t, errorOf(fitPatterns(t.Context(), oware.Sets, third, nil)), "expected one with the families")
	third.Set, third.Prior = "storephase+houses/4+sixes/4", "default"
	if _, err := fitPatterns(t.Context(), oware.Sets, third, nil); err != nil {
		t.Error(err)
	}
	distance := func(m *oware.Model) (sum float64) {
		for j := range m.Weights {
			sum += math.Abs(float64(m.Weights[j] - before.Weights[j]))
		}
		return sum
	}
	if near, far := distance(after), distance(alone); !(near < far/2) {
		t.Errorf("%g away from the prior, %g without it", near, far)
	}
}

func TestFitPatternsRejects(t *testing.T) {
	good := labelFile(t, 8, 300, tame)
	for name, change := range map[string]func(*Request){
		`output "w.json"`: func(r *Request) { r.Out = "w.json" },
		`"house" is no`:   func(r *Request) { r.Set = "house" },
		`loss is "hinge"`: func(r *Request) { r.Loss = "hinge" },
		`ridge of pairs: set store+houses has only store, houses`: func(r *Request) { r.Ridges = map[string]float64{"pairs": 1} },
		`ridge of houses`:  func(r *Request) { r.Ridges = map[string]float64{"houses": -1} },
		`folds is 1`:       func(r *Request) { r.Folds = 1 },
		`missing.parquet`:  func(r *Request) { r.Rows = []string{"missing.parquet"} },
		`missing-prior`:    func(r *Request) { r.Prior = "missing-prior.model" },
		`it needs a prior`: func(r *Request) { r.Trust = 1 },
		`prior p.model`:    func(r *Request) { r.Prior, r.Choose = "p.model", true },
	} {
		req := request(t, good)
		change(&req)
		testkit.ErrorContains(t, errorOf(fitPatterns(context.Background(), oware.Sets, req, nil)), name)
	}
	testkit.ErrorContains(t, errorOf(Fit(t.Context(), oware.Sets, Request{}, nil)), "no rows: expected datasets of labels, or one of features")
	testkit.ErrorContains(t, errorOf(Fit(t.Context(), features.Sets[rules.Position]{}, request(t, good), nil)), good, "no pattern features: make a table with train features")
}

// A game, or else a situation, is in one fold; a situation also if it recurs in another game or
// dataset. Games of two datasets with the same number are apart.
func TestFoldsKeepGamesAndSituationsTogether(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 9))
	const games, singles = 200, 1000 // of each of two datasets, games of ten rows
	var files []string
	var all []labelRow
	for range 2 {
		var rows []labelRow
		for i := range 10*games + singles {
			p := testkit.Must(rules.Descriptor().Random(rng, "abapa"))(t)
			row := labelRow{Position: p}
			if i < 10*games {
				row.Game = int32(1 + i/10)
			}
			rows = append(rows, row)
		}
		files = append(files, rowFile(t, rows))
		all = append(all, rows...)
	}
	repeats := len(all)
	var again []labelRow
	for i := range 100 {
		p := all[i*30].Position
		if i%2 == 1 {
			p = rules.Descriptor().Pass(p)
		}
		again = append(again, labelRow{Position: p, Game: int32(1 + i)})
	}
	files = append(files, rowFile(t, again))
	l := &labelledRows[rules.Position]{game: rules.Descriptor(), tables: tablesOf(t, files)}
	f := testkit.Must(l.folds(t.Context(), 3, 1))(t)
	var seen [3]int
	apart := 0
	for i := range repeats {
		seen[f.of[i]]++
		row := i % (repeats / 2)
		if row < 10*games && f.of[i] != f.of[i-row%10] {
			t.Fatalf("row %d is in fold %d, the first of its game in %d", i, f.of[i], f.of[i-row%10])
		}
		if i < 10*games && f.of[i] != f.of[i+repeats/2] {
			apart++
		}
	}
	for i := range 100 {
		if f.of[repeats+i] != f.of[i*30] {
			t.Errorf("the situation of row %d is in two folds", i*30)
		}
	}
	if slices.Min(seen[:]) < repeats/4 || apart < 5*games {
		t.Errorf("folds of %v rows; %d of %d rows of games with the same number are apart: expected two thirds", seen, apart, 10*games)
	}
}
