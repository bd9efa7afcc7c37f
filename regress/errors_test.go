package regress

import (
	"encoding/csv"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"gonum.org/v1/gonum/mat"

	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// tableOf reads a CSV file by column.
func tableOf(t *testing.T, path string) map[string][]string {
	t.Helper()
	f := testkit.Must(os.Open(path))(t)
	defer f.Close()
	rows := testkit.Must(csv.NewReader(f).ReadAll())(t)
	all := map[string][]string{}
	for _, row := range rows[1:] {
		for j, name := range rows[0] {
			all[name] = append(all[name], row[j])
		}
	}
	return all
}

func numbers(t *testing.T, texts []string) (all []float64) {
	t.Helper()
	for _, text := range texts {
		v, err := strconv.ParseFloat(text, 64)
		testkit.NoError(t, err)
		all = append(all, v)
	}
	return all
}

// ofR is R's results for the columns of errors.csv.
type ofR struct {
	names           []string
	weights, stderr []float64
	aliased         []string
}

func readR(t *testing.T) map[string]ofR {
	t.Helper()
	of, all := tableOf(t, filepath.Join("testdata", "errors-of-r.csv")), map[string]ofR{}
	for i, what := range of["what"] {
		r := all[what]
		if of["estimate"][i] == "NA" {
			r.aliased = append(r.aliased, of["feature"][i])
		} else {
			r.names = append(r.names, of["feature"][i])
			r.weights = append(r.weights, numbers(t, of["estimate"][i:i+1])...)
			r.stderr = append(r.stderr, numbers(t, of["stderr"][i:i+1])...)
		}
		all[what] = r
	}
	return all
}

// Weights and standard errors agree with lm, lm(weights=) and a sandwich clustered by game, and
// aliased columns with those that lm reports as NA.
func TestErrorsAgreeWithR(t *testing.T) {
	of := tableOf(t, filepath.Join("testdata", "errors.csv"))
	names := []string{"a", "b", "c", "aliased"}
	x := mat.NewDense(len(of["a"]), len(names), nil)
	for j, name := range names {
		x.SetCol(j, numbers(t, of[name]))
	}
	d := data{X: x, Y: numbers(t, of["label"])}
	weights := numbers(t, of["weight"])
	var clusters []uint64
	for _, c := range numbers(t, of["cluster"]) {
		clusters = append(clusters, uint64(c))
	}
	want := readR(t)
	for what, scales := range map[string][]float64{
		"ordinary": nil, "aliased": nil, "clustered": nil, "ordinary weighted": {1, 1000, 1e-4}, "clustered weighted": {1, 1000, 1e-4},
	} {
		if scales == nil {
			scales = []float64{0}
		}
		for _, scale := range scales {
			d.W, d.C = nil, nil
			if scale > 0 {
				for _, w := range weights {
					d.W = append(d.W, scale*w)
				}
			}
			if strings.Contains(what, "clustered") {
				d.C = clusters
			}
			r := want[what]
			got := fitColumns(t, d, data{}, names, slices.Concat(r.names, r.aliased), 0)
			if !slices.Equal(got.Features, r.names) || !slices.Equal(got.Aliased, r.aliased) {
				t.Errorf("%s: features %q, aliased %q: R has %q and %q", what, got.Features, got.Aliased, r.names, r.aliased)
				continue
			}
			for j, name := range r.names {
				if !near(got.Points[j], r.weights[j], 1e-10*math.Abs(r.weights[j])) || !near(got.StdErr[j], r.stderr[j], 1e-10*r.stderr[j]) {
					t.Errorf("%s, weights times %g, %s: %v ± %v: R has %v ± %v", what, scale, name, got.Points[j], got.StdErr[j], r.weights[j], r.stderr[j])
				}
			}
		}
	}
}

// ofGames are rows whose first feature and whose noise are strongly correlated within a game.
func ofGames(rng *rand.Rand, games, each int, weights []float64) data {
	d := data{X: mat.NewDense(games*each, len(weights), nil), Y: make([]float64, games*each)}
	for i := range d.Y {
		d.C = append(d.C, uint64(i/each))
		if i%each == 0 {
			d.X.Set(i, 0, 3*rng.NormFloat64())
			d.Y[i] = 60 * rng.NormFloat64()
		} else {
			d.X.Set(i, 0, d.X.At(i-1, 0))
			d.Y[i] = d.Y[i-1]
		}
		for j := 1; j < len(weights); j++ {
			d.X.Set(i, j, rng.NormFloat64())
		}
	}
	for i := range d.Y {
		for j, w := range weights {
			d.Y[i] += w * d.X.At(i, j)
		}
		d.Y[i] += 10 * rng.NormFloat64()
	}
	return d
}

// Standard errors match the spread of weights over repetitions, even if the rows of a game are
// correlated.
func TestClusteredErrorsMatchTheSpreadOfWeights(t *testing.T) {
	rng := rand.New(rand.NewPCG(52, 1))
	truth := []float64{30, -8}
	const runs = 300
	var squares, errors [2]float64
	for range runs {
		d := ofGames(rng, 80, 15, truth)
		m := mustFit(t, d, options{Clusters: d.C})
		if *m.Errors != (features.StandardErrors{Kind: features.ClusteredErrors, Clusters: 80}) {
			t.Fatalf("errors are %s", m.Errors)
		}
		for j, w := range m.Points {
			squares[j] += (w - truth[j]) * (w - truth[j]) / runs
			errors[j] += m.StdErr[j] / runs
		}
	}
	for j := range truth {
		if ratio := errors[j] / math.Sqrt(squares[j]); !near(ratio, 1, 0.12) {
			t.Errorf("weight %d: standard errors are %.2f of the spread of the weights", j, ratio)
		}
	}
}

// A feature that is constant within games is less certain than ordinary errors suggest, so backward
// elimination by t drops it before a feature that varies within games.
func TestBackwardUsesClusteredErrors(t *testing.T) {
	d := ofGames(rand.New(rand.NewPCG(53, 1)), 60, 40, []float64{6, 8})
	names := []string{"game", "row"}
	for _, c := range []struct {
		clusters []uint64
		want     string
	}{{nil, "row"}, {d.C, "game"}} {
		d.C = c.clusters
		steps, err := backwardOf(t, d, names, 1, selectBackward)
		if err != nil || len(steps) != 2 || steps[1].Removed != c.want {
			t.Errorf("%d clusters: %+v, error %v: want %s dropped", len(c.clusters), steps, err, c.want)
		}
	}
}

// Adding each row as the other side sees it, with label and values negated, adds no information:
// the errors stay the same.
func TestDoubledRowsDoNotHalveTheVariance(t *testing.T) {
	rows := columnRowsOf(t, 2000)
	rng := rand.New(rand.NewPCG(54, 1))
	var once []featureRow
	for i := 0; i < len(rows); i += 2 {
		noise := 20 * rng.NormFloat64()
		rows[i].Label, rows[i+1].Label = rows[i].Label+noise, rows[i+1].Label-noise
		rows[i].Weight, rows[i+1].Weight = 0, 0
		once = append(once, rows[i])
	}
	o := trainOptions{Meta: columnMeta}
	o.Meta.Weighted = false
	var all [2]*trained
	for i, list := range [][]featureRow{once, rows} {
		all[i] = testkit.Must(trainRows(t, list, nil, o))(t)
	}
	one, two := all[0].Weights, all[1].Weights
	if one.Errors.Kind != features.OrdinaryErrors || *two.Errors != (features.StandardErrors{Kind: features.ClusteredErrors, Clusters: 2000}) {
		t.Errorf("errors are %s and %s: want ordinary ones, and 2000 clusters of two rows", one.Errors, two.Errors)
	}
	for j := range one.Points {
		if !near(one.Points[j], two.Points[j], 1e-9) || !near(two.StdErr[j]/one.StdErr[j], 1, 0.1) {
			t.Errorf("%s: %v ± %v, doubled %v ± %v", one.Features[j], one.Points[j], one.StdErr[j], two.Points[j], two.StdErr[j])
		}
	}
}

// If there are too few games for standard errors, the output explains the empty columns.
func TestTooFewGamesForErrorsAreReported(t *testing.T) {
	d := ofGames(rand.New(rand.NewPCG(55, 1)), 2, 100, []float64{6, 8})
	names := []string{"game", "row"}
	testkit.ErrorContains(t, errorOf(backwardOf(t, d, names, 0.1, selectBackward)), "2 games or situations, for 2 features", "--select least-weight")
	if steps, err := backwardOf(t, d, names, 1, selectLeastWeight); err != nil || len(steps) != 2 {
		t.Errorf("by weight: %+v, error %v", steps, err)
	}
	fit := fitColumns(t, d, data{}, names, names, 0)
	one := fit.weights(oware.Descriptor().Info, nil, false)
	text := one.Note + one.Table.Text()
	if fit.StdErr != nil || !strings.Contains(text, "standard errors: none, the rows are of only 2 games or situations") || strings.Count(text, "–") != 4 {
		t.Errorf("errors %v in\n%s", fit.StdErr, text)
	}
}

// Files and texts name the aliased features and the kind of the errors.
func TestAliasedFeaturesAndTheKindOfErrorsAreReported(t *testing.T) {
	rows := columnRowsOf(t, 200)
	meta := columnMeta
	meta.Columns = []string{"mobility", "tempo", "both"}
	rng := rand.New(rand.NewPCG(56, 1))
	for i := range rows {
		v := rows[i].Values
		rows[i].Label += 20 * rng.NormFloat64()
		rows[i].Values = append(v, v[0]-2*v[1])
	}
	for _, selection := range []string{selectNone, selectBackward} {
		o := trainOptions{Meta: meta, Config: Config{Select: selection, Tolerance: 0.001}}
		out := testkit.Must(trainRows(t, rows, nil, o))(t)
		w := out.Weights
		if !slices.Equal(w.Features, meta.Columns[:2]) || !slices.Equal(w.Provenance.Aliased, meta.Columns[2:]) || len(w.StdErr) != 2 {
			t.Errorf("%s: features %q, aliased %q, %d errors", selection, w.Features, w.Provenance.Aliased, len(w.StdErr))
		}
		path := filepath.Join(t.TempDir(), "w.json")
		testkit.NoError(t, w.Save(path))
		data := testkit.Read(t, path)
		if again, err := features.ParseWeights(data, path); err != nil || again.Errors == nil || *again.Errors != *w.Errors {
			t.Errorf("%s: read back %+v, error %v", selection, again, err)
		}
		text := summaryText(out.Summary, oware.Descriptor().Info)
		for _, want := range []string{
			"no weight (NA), combinations of earlier features: both",
			"standard errors: clustered by game or situation, 200 clusters scaled condition number 1",
		} {
			testkit.Contains(t, text, want)
		}
	}
}

// Belsley, Kuh and Welsch's condition number, of the columns scaled to length 1: √((1+c)/(1−c)) of two
// columns at an angle of cosine c, whatever their scale.
func TestTheConditionNumberIsThatOfTheScaledColumns(t *testing.T) {
	for c, want := range map[float64]string{
		0.6:    "scaled condition number 2: below 30, the features are not collinear (Belsley",
		0.9999: "scaled condition number 141: 30 or more, the features are nearly collinear",
	} {
		gram := mat.NewSymDense(2, []float64{4, 2 * 500 * c, 0, 500 * 500})
		s := testkit.Must(Solve(gram, []float64{1, 1}, 0))(t)
		if want := math.Sqrt((1 + c) / (1 - c)); !near(s.ScaledCondition, want, 1e-9*want) {
			t.Errorf("cosine %g: %v, want %v", c, s.ScaledCondition, want)
		}
		testkit.Contains(t, ModelSummary{ScaledCondition: s.ScaledCondition}.conditionText(), want)
	}
}

// Standard errors of selected features are said to be too small, in the summary and of the file.
func TestErrorsAfterASelectionAreQualified(t *testing.T) {
	const note = "they do not account for the selection of the features"
	rows := columnRowsOf(t, 200)
	rng := rand.New(rand.NewPCG(58, 1))
	for i := range rows {
		rows[i].Label += 20 * rng.NormFloat64()
	}
	for tolerance, dropped := range map[float64]bool{0: false, 1: true} {
		o := trainOptions{Meta: columnMeta, Config: Config{Select: selectBackward, Tolerance: tolerance}}
		out := testkit.Must(trainRows(t, rows, nil, o))(t)
		if text := summaryText(out.Summary, oware.Descriptor().Info); strings.Contains(text, note) != dropped {
			t.Errorf("tolerance %g: %s", tolerance, text)
		}
		facts := (&owarefeatures.Opened{Game: oware.Descriptor(), Named: out.Weights}).Facts()
		if text := strings.Join(strings.Fields(facts.Doc().Text("w.json")), " "); strings.Contains(text, note) != dropped {
			t.Errorf("tolerance %g: %s", tolerance, text)
		}
	}
}
