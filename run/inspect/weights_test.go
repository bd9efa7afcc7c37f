package inspect

import (
	"bytes"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/features"
	othellofeatures "kroo/features/othello"
	owarefeatures "kroo/features/oware"
	"kroo/games/gametest"
	"kroo/games/othello"
	"kroo/games/oware"
	"kroo/internal/agreement"
	"kroo/internal/testkit"
)

func boards(t *testing.T, n int) []oware.Position {
	return gametest.RandomPositions(t, oware.Descriptor(), rand.New(rand.NewPCG(3, 3)), "abapa", n)
}

// thesisFile saves the thesis's full fit.
func thesisFile(t *testing.T) (string, *features.Weights) {
	t.Helper()
	m, _ := owarefeatures.FindPublished("thesis")
	w := m.Named
	w.StdErr = []float64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12}
	w.Errors = &features.StandardErrors{Kind: features.ClusteredErrors, Clusters: 900}
	w.Provenance.Aliased = []string{"seen", "twice"}
	w.Validation = &agreement.Doubled{Rows: 100, R: 0.8149, MAE: 121.75}
	path := filepath.Join(t.TempDir(), "patterns.json")
	testkit.NoError(t, w.Save(path))
	return path, w
}

// patternFiles saves random weights of store+houses+adjacent as a model and compiled, in one
// folder.
func patternFiles(t *testing.T) (model, compiled string, m *owarefeatures.Model) {
	t.Helper()
	set := testkit.Must(owarefeatures.Parse("store+houses+adjacent"))(t)
	rng := rand.New(rand.NewPCG(4, 4))
	points := make([]float64, set.Len())
	for i := range points {
		if i%3 != 1 {
			points[i] = 20 * rng.NormFloat64()
		}
	}
	m = testkit.Must(owarefeatures.Sets.NewModel("abapa", set, points, features.Provenance{Round: 2, Loss: "chances", Scale: 400, Ridge: map[string]float64{"houses": 3}}))(t)
	dir := t.TempDir()
	model, compiled = filepath.Join(dir, "w.model"), filepath.Join(dir, "w.weights")
	if _, err := owarefeatures.Sets.Patterns.Keep(m, compiled, model); err != nil {
		t.Fatal(err)
	}
	return model, compiled, m
}

// opened opens weights of oware.
func opened(t *testing.T, name string) *owarefeatures.Opened {
	t.Helper()
	return testkit.Must(allGames.Weights(name))(t).(*owarefeatures.Opened)
}

func TestFactsOfWeights(t *testing.T) {
	model, compiled, m := patternFiles(t)
	for path, kind := range map[string]string{model: "model", compiled: "compiled"} {
		w := testkit.Must(allGames.Weights(path))(t)
		i := w.Facts()
		if i.Kind != kind || i.Set != "store+houses+adjacent" || i.Rules != "abapa" || i.Hash != m.Hash() || i.Columns != 1+288+768 || i.Nonzero != 705 {
			t.Errorf("%s: %+v", path, i)
		}
		if (i.Play == "") != (kind == "model") || i.Provenance.Round != 2 || len(i.Families) != 3 {
			t.Errorf("%s: %+v", path, i)
		}
		f, sum, n, largest := i.Families[2], 0.0, 0, 0.0
		for _, x := range m.Weights[289:] {
			if x != 0 {
				n++
			}
			sum += float64(x) * float64(x)
			largest = max(largest, math.Abs(float64(x)))
		}
		if f.Name != "adjacent" || f.Columns != 768 || f.Nonzero != n || math.Abs(f.RMS-math.Sqrt(sum/float64(n))) > 1e-9 || f.Largest != largest {
			t.Errorf("family %+v: want rms %g of %d, largest %g", f, math.Sqrt(sum/float64(n)), n, largest)
		}
		testkit.Contains(t, i.Doc().Text(path), m.Hash(), "400 hundredths of a seed", "ridge of houses", "adjacent")
	}
}

// Compiled weights are explained by the model in the file next to them, unless it is another
// model.
func TestModelMustBelongToTheCompiledWeights(t *testing.T) {
	_, compiled, m := patternFiles(t)
	w := opened(t, compiled)
	if w.Model == nil || w.Model.Hash() != m.Hash() {
		t.Fatalf("model %v", w.Model)
	}
	other, _ := owarefeatures.FindByName("captures")
	testkit.NoError(t, other.Save(strings.TrimSuffix(compiled, ".weights")+".model"))
	if w = opened(t, compiled); w.Model != nil {
		t.Fatalf("model %v: want none", w.Model)
	}
	_, err := w.Function()
	testkit.ErrorContains(t, err, compiled, "compiled weights have no weights of columns")
	for format, want := range map[string]string{"json": `"houses": [`, "c": "kroo_evaluate"} {
		var b bytes.Buffer
		if err := w.Export(&b, format); err != nil || !strings.Contains(b.String(), want) {
			t.Errorf("%s: error %v: want the tables, with %q", format, err, want)
		}
	}
}

// An unreadable model is an error, not a missing model: otherwise an export would contain tables
// instead of columns.
func TestUnreadableModelIsAnError(t *testing.T) {
	model, compiled, _ := patternFiles(t)
	content := testkit.Read(t, model)
	content[len(content)/2] ^= 1
	testkit.NoError(t, os.WriteFile(model, content, 0o666))
	check := func(what string) {
		_, err := allGames.Weights(compiled)
		testkit.ErrorContains(t, err, model, "restore it, or remove it")
	}
	check("damaged")
	testkit.NoError(t, os.Remove(model), os.Mkdir(model, 0o777))
	check("a folder")
	testkit.NoError(t, os.Remove(model))
	if w := opened(t, compiled); w.Model != nil {
		t.Errorf("model %v: want none", w.Model)
	}
}

// explain explains the value of a board.
func explain(name, rules, board string) (*features.Explanation, error) {
	w, err := allGames.Weights(name)
	if err != nil {
		return nil, err
	}
	return w.Explain(rules, board)
}

// Explanations add up: that is pinned in features/oware.
func TestExplainedValuesAreThoseOfTheWeights(t *testing.T) {
	model, compiled, m := patternFiles(t)
	jsonFile, tw := thesisFile(t)
	set := testkit.Must(owarefeatures.Sets.Model(tw))(t)
	rounding := testkit.Must(owarefeatures.Compile(m))(t).Rounding()
	for _, p := range boards(t, 8) {
		for path, want := range map[string]float64{model: m.Exact(p), compiled: m.Exact(p), jsonFile: set.Exact(p)} {
			x := testkit.Must(explain(path, "", p.String()))(t)
			if math.Abs(x.Points-want) > 1e-3 || math.Abs(float64(x.CentiSeeds)-2.4*want) > rounding {
				t.Errorf("%s %v: %g points, %d centi-seeds: want %g", path, p, x.Points, x.CentiSeeds, want)
			}
			for i, h := range x.Houses {
				testkit.Equal(t, h.Seeds, p.House(i), "%v: house %s has", p, h.House)
			}
		}
	}
}

// The houses of the side to move come first, with the names used in games.
func TestExplainNamesHousesAsGamesDo(t *testing.T) {
	for side, want := range map[string]string{"S": "ABCDEFabcdef", "N": "abcdefABCDEF"} {
		x := testkit.Must(explain("thesis4", "", "4-4-4-4-4-0-5-5-5-5-4-4-0-0-"+side))(t)
		got := ""
		for _, h := range x.Houses {
			got += h.House
		}
		testkit.Equal(t, got, want, "%s to move: houses", side)
	}
}

func TestExplainRefuses(t *testing.T) {
	for _, c := range []struct{ weights, rules, board, want string }{
		{"thesis4", "awari", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "expected awari"},
		{"thesis4", "chess", "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", "unknown rules"},
		{"thesis5", "", "", "did you mean thesis4? expected default, default-awari, captures"},
	} {
		_, err := explain(c.weights, c.rules, c.board)
		testkit.ErrorContains(t, err, c.want)
	}
}

// Exports of patterns are pinned in features/oware.
func TestExportedSeedCountsHaveEveryWeight(t *testing.T) {
	path, w := thesisFile(t)
	var b bytes.Buffer
	testkit.NoError(t, testkit.Must(allGames.Weights(path))(t).Export(&b, "json"))
	got, err := owarefeatures.Sets.Parse(b.Bytes(), "exported")
	if err != nil || got.Hash() != w.Hash() {
		t.Errorf("weights %v, error %v", got, err)
	}
}

func TestThesisWeightsAreShownInSeeds(t *testing.T) {
	path, _ := thesisFile(t)
	w := testkit.Must(allGames.Weights(path))(t)
	text := strings.Join(strings.Fields(w.Facts().Doc().Text("")), " ")
	testkit.Contains(t, text, "captures +0.880 0.024", "standard errors: clustered by game or situation, 900 clusters no weight (NA), combinations of earlier features: seen, twice", "validation: 100 rows, R 0.8149")
}

// Weights of another game are described and explained; they cannot evaluate a board of oware.
func TestWeightsOfAnotherGame(t *testing.T) {
	set := testkit.Must(othellofeatures.Sets.ByName("squares"))(t)
	path := filepath.Join(t.TempDir(), "squares.json")
	testkit.NoError(t, testkit.Must(features.New("othello", "8x8", set.Info, set.Names(), othellofeatures.Figure3[:]))(t).Save(path))
	w := testkit.Must(allGames.Weights(path))(t)
	if i := w.Facts(); i.Columns == 0 || i.Doc().Text("") == "" {
		t.Errorf("described as %+v", i)
	}
	_, err := w.Explain("", oware.Start(oware.Abapa).String())
	testkit.ErrorContains(t, err, "board")
	testkit.ErrorContains(t, w.Export(&bytes.Buffer{}, "c"), "weights for othello: expected weights of a game whose evaluators are tables")
	x := testkit.Must(w.Explain("", othello.Start(othello.Large).String()))(t)
	sum := x.Board
	for _, f := range x.Families {
		sum -= f.Points
	}
	if math.Abs(sum) > 1e-9 || len(x.Families) == 0 || x.Houses != nil {
		t.Errorf("explains %+v", x)
	}
}
