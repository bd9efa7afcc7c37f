package inspect

import (
	"math"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	"kroo/features"
	othellofeatures "kroo/features/othello"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/testkit"
	"kroo/report"
)

// comparedWeights compares weights on the positions of a dataset.
func comparedWeights(t *testing.T, a, b, on string) *weightsComparison {
	t.Helper()
	d := testkit.Must(CompareFiles(t.Context(), a, b, allGames, CompareOptions{On: on}))(t)
	if d.Text("") == "" {
		t.Error("no text")
	}
	return d.Value.(*weightsComparison)
}

// labelFile writes labelled positions of games of seven plies.
func labelFile(t *testing.T) (string, []datasets.Row[oware.Position]) {
	t.Helper()
	rng := rand.New(rand.NewPCG(9, 9))
	var rows []datasets.Row[oware.Position]
	for i, p := range boards(t, 150) {
		rows = append(rows, datasets.Row[oware.Position]{Position: p, Label: float64(rng.IntN(2001) - 1000), Depth: 1, Game: int32(1 + i/7), Ply: int32(i % 7)})
	}
	path := filepath.Join(t.TempDir(), "labels.csv")
	testkit.NoError(t, datasets.Write(oware.Descriptor(), path, datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa", Limits: "depth 1"}, datasets.Rows(rows)))
	return path, rows
}

// TestComparedWeightsOfFeatures compares the thesis's two fits, the first with standard errors.
func TestComparedWeightsOfFeatures(t *testing.T) {
	path, w := thesisFile(t)
	c := comparedWeights(t, path, "thesis4", "")
	four, _ := owarefeatures.FindPublished("thesis4")
	testkit.Equal(t, len(c.Features), 12, "features")
	for i, f := range c.Features {
		if f.Feature != w.Features[i] || math.Abs(*f.Weights[0]-w.Points[i]*24/1000) > 1e-12 || math.Abs(f.StdErr[0]-w.StdErr[i]*24/1000) > 1e-12 {
			t.Errorf("%+v: want %s with %g points", f, w.Features[i], w.Points[i])
		}
		var other *float64
		for k, name := range four.Named.Features {
			if name == f.Feature {
				other = &four.Named.Points[k]
			}
		}
		if other == nil {
			if f.Weights[1] != nil || f.Difference != 0 {
				t.Errorf("%+v: want none in B", f)
			}
			continue
		}
		difference := (*other - w.Points[i]) * 24 / 1000
		if f.Weights[1] == nil || math.Abs(f.Difference-difference) > 1e-12 || math.Abs(f.z()-(*other-w.Points[i])/w.StdErr[i]) > 1e-9 {
			t.Errorf("%+v: want the difference %g", f, difference)
		}
	}
	testkit.Equal(t, c.Values.Boards, drawnBoards, "drawn boards")
}

// TestComparedValuesAreThoseOfTheDefinitions compares with the values of both models, by gonum.
func TestComparedValuesAreThoseOfTheDefinitions(t *testing.T) {
	model, compiled, m := patternFiles(t)
	on, rows := labelFile(t)
	c := comparedWeights(t, "thesis4", model, on)
	four, _ := owarefeatures.FindPublished("thesis4")
	var a, b []float64
	families := map[string]float64{}
	farthest := 0.0
	total := 0.0
	sum := [2]float64{}
	games := map[int32]float64{}
	clusters := map[int32]float64{}
	clamp := func(v float64) float64 { return max(-1000, min(1000, v)) }
	for _, r := range rows {
		x := four.Exact(r.Position)
		y := m.Exact(r.Position)
		a = append(a, x*24/1000)
		b = append(b, y*24/1000)
		farthest = max(farthest, math.Abs(y-x)*24/1000)
		byFamily := map[string]float64{}
		for _, part := range m.Parts(r.Position) {
			byFamily[part.Family] += part.Points
		}
		for name, points := range byFamily {
			families[name] += math.Abs(points)
			total += math.Abs(points)
		}
		ea := math.Abs(clamp(x) - r.Label)
		eb := math.Abs(clamp(y) - r.Label)
		sum[0] += ea
		sum[1] += eb
		games[r.Game] += eb - ea
		clusters[r.Game]++
	}
	n := float64(len(rows))
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-6 { // names are rounded to the precision of files
			t.Errorf("%s %g: want %g", what, got, want)
		}
	}
	v := c.Values
	distance := 0.0
	for i := range a {
		distance += math.Abs(b[i]-a[i]) / n
	}
	near("correlation", v.R, stat.Correlation(a, b, nil))
	near("difference", v.Difference, stat.Mean(b, nil)-stat.Mean(a, nil))
	near("distance", v.MeanDistance, distance)
	near("farthest board", v.Farthest[0].distance(), farthest)
	for _, f := range v.Families {
		if f.Family == "adjacent" {
			near("share of adjacent", f.Share[1], families["adjacent"]/total)
			near("mean of adjacent", *f.Mean[1], families["adjacent"]*24/1000/n)
			if f.Mean[0] != nil {
				t.Errorf("%+v: thesis4 has no such family", f)
			}
		}
	}
	difference := (sum[1] - sum[0]) / n
	squares := 0.0
	for game, d := range games {
		off := d - clusters[game]*difference
		squares += off * off
	}
	k := float64(len(games))
	l := v.Labels
	near("error of A", l.Errors[0], sum[0]/n*24/1000)
	near("error of B", l.Errors[1], sum[1]/n*24/1000)
	near("difference of errors", l.Difference, difference*24/1000)
	near("its error", l.DifferenceErr, math.Sqrt(squares*k/(k-1))/n*24/1000)
	testkit.Equal(t, l.Clusters, len(games), "clusters")

	same := comparedWeights(t, model, compiled, on)
	if same.Values.Difference != 0 || same.Weights[0].Hash != same.Weights[1].Hash || same.Features != nil {
		t.Errorf("a model and its tables: %+v", same)
	}
}

func TestOnlyWeightsOfOneGameUnderTheSameRulesAreCompared(t *testing.T) {
	set := testkit.Must(othellofeatures.Sets.ByName("squares"))(t)
	other := filepath.Join(t.TempDir(), "squares.json")
	testkit.NoError(t, testkit.Must(features.New("othello", "8x8", set.Info, set.Names(), othellofeatures.Figure3[:]))(t).Save(other))
	on, _ := labelFile(t)
	for _, c := range []struct{ a, b, on, want string }{
		{"captures", other, "", "the same game"},
		{"captures", "default-awari", "", "the same rules"},
		{"captures", on, "", "a dataset"},
		{other, other, on, "othello"},
	} {
		_, err := CompareFiles(t.Context(), c.a, c.b, allGames, CompareOptions{On: c.on})
		testkit.ErrorContains(t, err, c.want)
	}
	comparedWeights(t, other, other, "")
}

// Errors of weights are compared as those of runs are: no noise is claimed that is unknown.
func TestErrorsOnLabelsOfOneGame(t *testing.T) {
	for _, c := range []struct {
		difference float64
		want       string
	}{{0.25, "unknown: all boards are of one game"}, {0, "the same errors"}} {
		l := labelledErrors{Rows: 7, Clusters: 1, Errors: [2]float64{1, 1 + c.difference}, Difference: c.difference}
		d := &outline.Doc{Title: "errors"}
		d.Add(l.section(oware.Descriptor().Info))
		text := d.Text("")
		testkit.Contains(t, text, c.want)
		if strings.Contains(text, "within noise") {
			t.Errorf("noise of a single cluster:\n%s", text)
		}
	}
}

func TestComparisonDescribesItsSample(t *testing.T) {
	testkit.Equal(t, (&valuesComparison{Boards: 2000, Sample: "random boards (any)", isRandom: true}).sampleText(),
		report.Integer(2000)+" random boards (any)", "without a dataset")
	testkit.Equal(t, (&valuesComparison{Boards: 68, Sample: "labels.csv"}).sampleText(), "68 rows of labels.csv", "with one")
}
