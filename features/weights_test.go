package features

import (
	"bytes"
	"errors"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/testkit"
)

// board is a made-up position: a number for either side.
type board struct{ own, opp int }

// The methods of games.Position are stubs: sets do not need them.
func (board) AppendMoves(dst []games.Move) []games.Move { return dst }
func (b board) Play(games.Move) board                   { return b }
func (board) Terminal() (diff int, over bool)           { return 0, true }
func (board) Repetition(int) (diff int, over bool)      { return 0, true }
func (board) Progress() int                             { return 0 }
func (board) DrawClock() int                            { return 0 }
func (board) PlyLimit() (plies, diff int)               { return 0, 0 }

// testSets has a set of twelve features: a side's number plus 0 to 11.
var testSets = Sets[board]{
	Game: &games.Game[board]{Info: games.Info{Name: "oware", Rules: []string{"abapa", "awari"}}},
	All:  []*Set[board]{NewSet(Definition[board]{Name: "thesis", About: "made up", Text: defined("v + i"), Features: twelve()})},
}

func twelve() (all []Feature[board]) {
	for i, name := range strings.Fields("captures <1 <2 <3 <4 <5 >7 >8 >10 >11 >12 >13") {
		all = append(all, Feature[board]{Name: name, Count: func(p board) (own, opp int) { return p.own + i, p.opp + i }})
	}
	return all
}

// published are the weights of Sala Soler 2014, full fit.
func published(t testing.TB) *Weights {
	t.Helper()
	s := testSets.All[0]
	w, err := New("oware", "abapa", s.Info, s.Names(),
		[]float64{36.65, -19.09, -18.08, -47.37, -3.33, 6.80, -20.55, -4.76, 12.13, 17.66, 20.70, 18.92})
	testkit.NoError(t, err)
	return w
}

// elsewhere returns weights of some features for another game.
func elsewhere(t testing.TB) *Weights {
	t.Helper()
	return testkit.Must(New("chess", "standard", testSets.All[0].Info, []string{">12", "captures"}, []float64{1, -2}))(t)
}

// complete returns weights with every field set.
func complete(t testing.TB) *Weights {
	w := published(t)
	w.StdErr = make([]float64, len(w.Points))
	w.StdErr[0] = 0.25
	w.Errors = &StandardErrors{Kind: ClusteredErrors, Clusters: 900}
	w.Train = &agreement.Doubled{Rows: 41036, R: 0.8149, R2: 0.664, MAE: 121.75, RMSE: 150}
	w.Validation = &agreement.Doubled{Rows: 32591, R: 0.8, R2: 0.64, MAE: 125, RMSE: 160}
	w.Provenance = Provenance{Dataset: "00ff", Ridge: Ridges{"": 0.5}, ScaledCondition: new(1e3), Selection: "none", Removed: []string{"<9"}, Aliased: []string{"<7"}, Note: "a\nb"}
	return w
}

func text(t testing.TB, w *Weights) string {
	data := testkit.Must(w.marshal())(t)
	return string(data)
}

func TestWeightsRoundTrip(t *testing.T) {
	for _, w := range []*Weights{published(t), complete(t), elsewhere(t)} {
		path := filepath.Join(t.TempDir(), "weights.json")
		testkit.NoError(t, w.Save(path))
		saved := testkit.Read(t, path)
		got := testkit.Must(ParseWeights(saved, path))(t)
		if diff := cmp.Diff(w, got); diff != "" {
			t.Error(diff)
		}
		testkit.Equal(t, got.Hash(), w.Hash(), "the hash does not survive a file")
		data := testkit.Read(t, path)
		testkit.NoError(t, got.Save(path))
		if again, _ := os.ReadFile(path); !bytes.Equal(again, data) {
			t.Error("saving what was loaded gives other bytes")
		}
	}
}

func TestHashFollowsWhatMattersForPlay(t *testing.T) {
	w, same := published(t), complete(t)
	testkit.Equal(t, w.Hash(), same.Hash(), "statistics or provenance change the hash")
	changes := map[string]func(*Weights){
		"rules":    func(w *Weights) { w.Rules = "awari" },
		"number":   func(w *Weights) { w.Points[4] = math.Nextafter(w.Points[4], 0) },
		"features": func(w *Weights) { w.Features = w.Features[1:]; w.Points = w.Points[1:] },
		"set":      func(w *Weights) { w.SetHash = "0" },
	}
	for name, change := range changes {
		other := published(t)
		change(other)
		if other.Hash() == w.Hash() {
			t.Errorf("changed %s: same hash", name)
		}
	}
}

func TestParseWeightsRefuses(t *testing.T) {
	good := text(t, complete(t))
	replace := func(old, new string) string {
		if !strings.Contains(good, old) {
			t.Fatalf("no %q in the file", old)
		}
		return strings.Replace(good, old, new, 1)
	}
	for name, c := range map[string]struct{ text, want string }{
		"nothing":           {"", "expected a JSON object"},
		"an array":          {"[1]", "expected a JSON object"},
		"null":              {"null", "expected a JSON object"},
		"another format":    {replace("kroo-weights", "kroo-book"), `expected "kroo-weights"`},
		"a later version":   {replace(`"version": 1`, `"version": 2`), "version is 2: expected 1"},
		"unknown rules":     {replace(`"abapa"`, `"kalah"`), `unknown rules "kalah"`},
		"unknown set":       {replace(`"thesis"`, `"thesis5"`), `unknown set "thesis5"`},
		"another game":      {replace(`"version": 1`, `"version": 1, "game": "chess"`), "weights for chess: expected weights for oware"},
		"no rules":          {replace(`"abapa"`, `""`), "expected both"},
		"a changed set":     {replace(`"set_hash": "`, `"set_hash": "0`), "fit the weights again"},
		"unknown feature":   {replace(`"<2"`, `"<9"`), `features[2] is "<9"`},
		"a feature twice":   {replace(`"<2"`, `"<1"`), "expected each feature once"},
		"a missing number":  {replace("36.65,", ""), "points has 11 numbers: expected 12"},
		"a huge number":     {replace("36.65", "1e6"), "points[0] is 1e+06"},
		"not a double":      {replace("36.65", "1e999"), "1e999"},
		"unknown errors":    {replace(`"clustered"`, `"guessed"`), `errors.kind is "guessed": expected ordinary, clustered, none`},
		"a string":          {replace("36.65", `"36.65"`), "points"},
		"an error below 0":  {replace("0.25", "-0.25"), "stderr[0]"},
		"an unknown field":  {replace(`"rules"`, `"rule"`), `unknown field "rule"`},
		"a field twice":     {replace(`"version": 1`, `"version": 1, "version": 1`), `field "version" appears twice: expected it once`},
		"twice in any case": {replace(`"version": 1`, `"version": 1, "Version": 1`), `field "Version" appears twice, first as "version"`},
		"twice, nested":     {replace(`"ridge": 0.5`, `"ridge": 0.5, "ridge": 0`), `field "ridge" appears twice: expected it once`},
		"text after it":     {good + "{}", "expected nothing after the object"},
		"too deep":          {`{"rules":` + strings.Repeat("[", 1000), "nested too deep"},
		"too long":          {good + strings.Repeat(" ", maxFile), "longer than"},
		"an export":         {`{"header": {"set": "houses"}, "points": {"houses A0": 1, "houses a0": 2}}`, "weights exported for other programs"},
		"a long export":     {`{"header": {"set": "houses"}` + strings.Repeat(" ", maxFile) + `}`, "weights exported for other programs"},
		"no features":       {`{"format":"kroo-weights","version":1,"rules":"abapa","set":"thesis","set_hash":"` + testSets.All[0].Hash() + `"}`, "features is empty"},
	} {
		_, err := testSets.Parse([]byte(c.text), "w.json")
		if err == nil {
			t.Errorf("%s: no error", name)
			continue
		}
		if s := err.Error(); !strings.HasPrefix(s, `weights file w.json: `) || !strings.Contains(s, c.want) || strings.Contains(s, "\n") {
			t.Errorf("%s: error %q: want %q in it", name, s, c.want)
		}
	}
}

func TestParseWeightsRefusesEveryTruncation(t *testing.T) {
	good := text(t, complete(t))
	for n := range len(strings.TrimSpace(good)) {
		if _, err := ParseWeights([]byte(good[:n]), "w.json"); err == nil {
			t.Fatalf("accepts the first %d of %d bytes", n, len(good))
		}
	}
}

func TestSaveRefusesWhatLoadingRefuses(t *testing.T) {
	path := filepath.Join(t.TempDir(), "weights.json")
	w := published(t)
	w.Train = &agreement.Doubled{MAE: math.NaN()}
	if err := w.Save(path); err == nil {
		t.Error("saves a statistic that is not a number")
	}
	if _, err := os.Stat(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("stat returns %v: want no file", err)
	}
}

func TestLoadNamesTheMissingFile(t *testing.T) {
	_, err := testSets.Load(filepath.Join(t.TempDir(), "none.json"))
	if !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "none.json") {
		t.Errorf("error %v", err)
	}
}

func FuzzParseWeights(f *testing.F) {
	f.Add([]byte(text(f, complete(f))))
	f.Add([]byte(text(f, published(f))))
	f.Add([]byte(`{"features":["<1","<1"],"points":[1,null]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		w, err := ParseWeights(data, "w.json")
		if err != nil {
			if strings.Contains(err.Error(), "\n") {
				t.Errorf("error of several lines: %q", err)
			}
			return
		}
		again, err := ParseWeights([]byte(text(t, w)), "again")
		if err != nil || again.Hash() != w.Hash() || !bytes.Equal([]byte(text(t, w)), []byte(text(t, again))) {
			t.Errorf("not the same after saving: %v", err)
		}
	})
}

// Every bit of a saved file matters, except in white space and in the case of letters that JSON
// ignores.
func TestFlippedBitsAreRefused(t *testing.T) {
	w := complete(t)
	path := filepath.Join(t.TempDir(), "w.json")
	testkit.NoError(t, w.Save(path))
	good := testkit.Read(t, path)
	for i := range good {
		for bit := range 8 {
			bad := bytes.Clone(good)
			bad[i] ^= 1 << bit
			got, err := ParseWeights(bad, "w.json")
			if err == nil && text(t, got) != text(t, w) {
				t.Fatalf("byte %d (%q) bit %d: read as other weights", i, good[i], bit)
			}
		}
	}
	byHand := strings.Replace(string(good), `"sha256"`, `"removed"`, 1)
	if _, err := ParseWeights([]byte(byHand), "w.json"); err == nil {
		t.Error("an unknown field was accepted")
	}
	if _, err := ParseWeights([]byte(text(t, w)), "w.json"); err != nil {
		t.Errorf("weights without a checksum: %v", err)
	}
}

// Another program chooses the scale of its columns, so their weights may be of any size.
func TestWeightsOfColumnsHaveAnySize(t *testing.T) {
	names := []string{"tiny", "huge"}
	w := testkit.Must(New("oware", "abapa", ColumnsOnly(names), names, []float64{5e10, 1e-3}, names...))(t)
	w.StdErr = []float64{2.5e9, 5e-5}
	facts := Facts{Linear: w, of: games.Info{Unit: "seed", UnitsPerWin: 24}}
	text := facts.Doc().Text("w.json")
	for _, want := range []string{"+1.200e+09", "6.0e+07", "+2.40e-05", "1.2e-06"} {
		testkit.Contains(t, text, want)
	}
	_, err := New("oware", "abapa", ColumnsOnly(names), names, []float64{5e10, math.NaN()}, names...)
	testkit.ErrorContains(t, err, "points[1] is NaN, the weight of huge")
	_, err = New("oware", "abapa", ColumnsOnly(names), names, []float64{5e10, 1}, "huge")
	testkit.ErrorContains(t, err, "points[0] is 5e+10, the weight of tiny")
}
