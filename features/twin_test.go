package features

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

const tiny = 1e-9

// near reports values that differ.
func near(t *testing.T, got, want float64, label string, args ...any) {
	t.Helper()
	if !(math.Abs(got-want) <= tiny) {
		t.Errorf(label+" is %g: want %g", append(args, got, want)...)
	}
}

// Places by a table and a count of the whole board are those of the definition, in all positions.
func TestValuesAreThoseOfTheDefinition(t *testing.T) {
	set := stripSets.All[0]
	own, opp := make([]int, 3), make([]int, 3)
	for _, s := range strips() {
		set.Values(s, own, opp)
		testkit.EqualSlices(t, own, []int{s[0] + s[1], countFull(s[:2]), 2 * s[0]}, "%v: own", s)
		testkit.EqualSlices(t, opp, []int{s[2] + s[3], countFull(s[2:]), 2 * s[2]}, "%v: other side's", s)
		got := [3]float64{}
		ones, vals := set.AppendRow(nil, nil, s)
		for _, i := range ones {
			got[i] = 1
		}
		for _, v := range vals {
			got[v.Index] = float64(v.Value)
		}
		testkit.Equal(t, got, slowCounts(s), "%v: row", s)
	}
}

func TestModelsAreTheirDefinition(t *testing.T) {
	counts, patterns := stripCounts(t), stripPairs(t)
	direct := NewDirect(stripGame, counts)
	for _, s := range strips() {
		near(t, counts.Exact(s), slowCountsValue(s), "%v: counts", s)
		near(t, patterns.Exact(s), slowPairs(patterns.Weights, s), "%v: pairs", s)
		// 8 stones are 1000 points, so that a hundredth of a stone is 1.25 points.
		testkit.Equal(t, direct.Evaluate(s), int(math.Round(slowCountsValue(s)/1.25)), "%v: hundredths of a stone", s)
	}
}

// Parts are the columns in order; they add up to the value, and their shares to them.
func TestPartsAddUp(t *testing.T) {
	for _, m := range []*Model[strip]{stripCounts(t), stripPairs(t)} {
		for _, s := range strips() {
			sum, last := 0.0, -1
			for _, part := range m.Parts(s) {
				sum += part.Points
				near(t, part.Points, part.Value*m.Weights[part.Column], "%s %v: points of %s", m.Set, s, part.Name)
				if part.Column <= last || part.Name != m.Set.ColumnName(part.Column) {
					t.Errorf("%s %v: column %d, %s, after %d", m.Set, s, part.Column, part.Name, last)
				}
				last = part.Column
				family := m.Set.Families()[slices.IndexFunc(m.Set.Families(), func(f Family) bool { return f.Name == part.Family })]
				if part.Column < family.From || part.Column >= family.To {
					t.Errorf("%s %v: column %d is of the family %s", m.Set, s, part.Column, part.Family)
				}
				if part.Shares != nil {
					shares := 0.0
					for _, share := range part.Shares {
						shares += share
					}
					near(t, shares, part.Points, "%s %v: shares of %s", m.Set, s, part.Name)
				}
			}
			near(t, sum, m.Exact(s), "%s %v: sum", m.Set, s)
		}
	}
}

// A place has the same share wherever its content is the same: of the counts, weight times content.
func TestExplanationsAddUp(t *testing.T) {
	counts := &Opened[strip]{Name: "c", Game: stripGame, Model: stripCounts(t), sets: stripSets}
	patterns := &Opened[strip]{Name: "p", Game: stripGame, Model: stripPairs(t), sets: stripSets}
	for _, s := range strips() {
		x := testkit.Must(counts.ExplainPosition(s))(t)
		near(t, x.Points, slowCountsValue(s), "%v: points", s)
		checkSums(t, x, counts.ByFamily(s))
		testkit.Equal(t, x.CentiSeeds, int(math.Round(slowCountsValue(s)/1.25)), "%v: hundredths without tables", s)
		d := slowCounts(s)
		near(t, x.Board, 100*d[1], "%v: the board", s) // places with three stones have no shares
		for i, house := range x.Houses {
			sign := 1 - 2*float64(i/2)
			want := sign * (20 - 15*float64(1-i%2)) * float64(s[i])
			if house.House != "ABab"[i:i+1] || house.Seeds != s[i] {
				t.Errorf("%v: house %d is %+v", s, i, house)
			}
			near(t, house.Points, want, "%v: house %s", s, house.House)
		}
		x = testkit.Must(patterns.ExplainPosition(s))(t)
		near(t, x.Points, slowPairs(patterns.Model.Weights, s), "%v: points of pairs", s)
		checkSums(t, x, patterns.ByFamily(s))
		pair := patterns.Model.Weights[4*s[0]+s[1]]
		near(t, x.Houses[0].Points, pair/2, "%v: half of a pair", s)
		testkit.Equal(t, x.CentiSeeds, stripTables{patterns.Model}.Evaluate(s), "%v: as the tables say", s)
	}
}

func TestExplanationsHaveNoNegativeZero(t *testing.T) {
	x := Explanation{unit: "seed", perUnit: 100, Families: []FamilyPoints{{Name: "tiny", Points: -0.4}}}
	text := x.Doc().Body()
	if !strings.Contains(text, "+0.00") || strings.Contains(text, "-0.00") {
		t.Errorf("-0.004 seeds: %s", text)
	}
}

func checkSums(t *testing.T, x *Explanation, families map[string]float64) {
	t.Helper()
	byFamily, byPlace, byColumn := 0.0, x.Board, 0.0
	for _, f := range x.Families {
		byFamily += f.Points
		near(t, f.Points, families[f.Name], "%s: family %s", x.Position, f.Name)
	}
	for _, h := range x.Houses {
		byPlace += h.Points
	}
	last := math.Inf(1)
	for _, c := range x.Columns {
		byColumn += c.Points
		if c.Points == 0 || math.Abs(c.Points) > last {
			t.Errorf("%s: column %s of %g points after one of %g", x.Position, c.Name, c.Points, last)
		}
		last = math.Abs(c.Points)
	}
	near(t, byFamily, x.Points, "%s: families", x.Position)
	near(t, byPlace, x.Points, "%s: places", x.Position)
	near(t, byColumn, x.Points, "%s: columns", x.Position)
}

func TestExplainReadsItsBoardUnderItsRules(t *testing.T) {
	o := &Opened[strip]{Name: "c", Game: stripGame, Model: stripCounts(t), sets: stripSets}
	for _, rules := range []string{"", "plain"} {
		x := testkit.Must(o.Explain(rules, "3-1-0-2"))(t)
		testkit.Equal(t, x.Position, "3-1-0-2", "position")
		near(t, x.Points, slowCountsValue(strip{3, 1, 0, 2}), "points")
		text := x.Doc().Body()
		testkit.Contains(t, text, "|3-1-0-2|", "houses", "the board")
	}
	for rules, says := range map[string]string{"wild": "fitted under plain rules: expected wild", "tame": `unknown rules "tame"`} {
		_, err := o.Explain(rules, "0-0-0-0")
		testkit.ErrorContains(t, err, says)
	}
	_, err := o.Explain("", "0-0-0-4")
	testkit.ErrorContains(t, err, "place 4")
}

// Weights of tables alone are explained by their parts.
func TestTablesAloneAreExplained(t *testing.T) {
	m := stripPairs(t)
	o := &Opened[strip]{Name: "p", Game: stripGame, Tables: stripTables{m}, sets: stripSets}
	points := testkit.Must(o.Points())(t)
	for _, s := range strips() {
		x := testkit.Must(o.ExplainPosition(s))(t)
		near(t, x.Points, slowPairs(m.Weights, s), "%v: points", s)
		near(t, points(s), float64(stripTables{m}.Evaluate(s))*1.25, "%v: points of the tables", s)
		for name, want := range o.ByFamily(s) {
			k := slices.IndexFunc(x.Families, func(f FamilyPoints) bool { return f.Name == name })
			near(t, x.Families[k].Points, want, "%v: family %s", s, name)
		}
	}
	if _, err := o.Function(); !errors.Is(err, errNoModel) {
		t.Errorf("a model of tables alone: error %v", err)
	}
}

// saved writes a model, and returns its path and content.
func saved(t *testing.T, m *Model[strip], name string) (path string, data []byte) {
	t.Helper()
	path = filepath.Join(t.TempDir(), name)
	testkit.NoError(t, m.Save(path))
	return path, testkit.Read(t, path)
}

func TestModelsReadBackAsTheyWere(t *testing.T) {
	for _, m := range []*Model[strip]{stripCounts(t), stripPairs(t)} {
		m.Calibration = &Calibration{Rate: [2]float64{1, 2}, Scores: "test"}
		if m.Named != nil {
			m.Named.Calibration = m.Calibration
		}
		path, data := saved(t, m, "x.model")
		got := testkit.Must(stripSets.Load(path))(t)
		testkit.EqualSlices(t, got.Weights, m.Weights, "%s: weights", m.Set)
		testkit.Equal(t, got.Hash(), m.Hash(), "%s: hash", m.Set)
		testkit.Equal(t, got.Provenance.Tool, m.Provenance.Tool, "%s: tool", m.Set)
		testkit.Equal(t, *got.Calibration, *m.Calibration, "%s: calibration", m.Set)
		testkit.Equal(t, testkit.Must(GameOf(data, path))(t), "strip", "%s: game", m.Set)
		testkit.NoError(t, got.CheckRules("plain"))
		testkit.ErrorContains(t, got.CheckRules("wild"), "fitted under plain rules")
		again, same := saved(t, got, "again.model")
		testkit.Equal(t, bytes.Equal(data, same), true, "%s: the same bytes in %s", m.Set, again)
	}
}

// The hash is of the rules, the set and the weights as files have them.
func TestModelHashFollowsWhatMattersForPlay(t *testing.T) {
	m := stripPairs(t)
	hash := m.Hash()
	m.Provenance.Note = "another origin"
	testkit.Equal(t, m.Hash(), hash, "another origin: hash")
	m.Weights[3] += 1e-12
	testkit.Equal(t, m.Hash(), hash, "less than a file resolves: hash")
	m.Weights[3] += 0.25
	if m.Hash() == hash {
		t.Error("another weight: the same hash")
	}
	m.Weights[3] = stripPairs(t).Weights[3]
	m.Rules = "wild"
	if m.Hash() == hash {
		t.Error("other rules: the same hash")
	}
}

func TestModelsThatDoNotFitTheirSetAreRefused(t *testing.T) {
	h := stripPairs(t).Header()
	weights := floatsOf(stripPairs(t).Weights)
	for says, change := range map[string]func(*Header, *[][]byte){
		"unknown set":                   func(h *Header, _ *[][]byte) { h.Set = "triples" },
		"has hash \"ffff\"":             func(h *Header, _ *[][]byte) { h.SetHash = "ffff" },
		"and 16 columns":                func(h *Header, _ *[][]byte) { h.Columns = 16 },
		"2 sections":                    func(_ *Header, s *[][]byte) { *s = append(*s, nil) },
		"expected 68 bytes":             func(_ *Header, s *[][]byte) { (*s)[0] = weights[:64] },
		"the hash does not match":       func(h *Header, _ *[][]byte) { h.ModelHash = "0" },
		`the game "oware"`:              func(h *Header, _ *[][]byte) { h.Game = "" },
		`unknown rules "tame"`:          func(h *Header, _ *[][]byte) { h.Rules = "tame" },
		"weight of column 16 (A-a) is ": func(_ *Header, s *[][]byte) { (*s)[0] = floatsOf(append(make([]float64, 16), math.NaN())) },
	} {
		h, sections := h, [][]byte{weights}
		change(&h, &sections)
		_, err := Open(stripSets, testkit.Must(SealPacked(KindModel, h, sections))(t), "x.model")
		testkit.ErrorContains(t, err, says, "weights file x.model")
	}
	noPatterns := stripSets
	noPatterns.Patterns = nil
	_, err := noPatterns.OpenPacked(testkit.Must(SealPacked(KindModel, h, [][]byte{weights}))(t))
	testkit.ErrorContains(t, err, "strip has no patterns")
	for says, make := range map[string]func() (*Model[strip], error){
		"16 weights: expected 17": func() (*Model[strip], error) {
			return stripSets.NewModel("plain", pairs{}, make([]float64, 16), Provenance{})
		},
		`unknown rules "tame"`: func() (*Model[strip], error) {
			return stripSets.NewModel("tame", pairs{}, make([]float64, 17), Provenance{})
		},
		"no feature set": func() (*Model[strip], error) { m := &Model[strip]{}; return m, m.Check() },
	} {
		_, err := make()
		testkit.ErrorContains(t, err, says)
	}
}

// Of a selection of features an engine would have weights of 0 for the others.
func TestIncompleteWeightsAreFound(t *testing.T) {
	testkit.NoError(t, stripCounts(t).CheckComplete())
	some := testkit.Must(New("strip", "plain", stripSets.All[0].Info, []string{"sum", "first"}, []float64{1, 2}))(t)
	m := testkit.Must(stripSets.Model(some))(t)
	testkit.EqualSlices(t, m.Weights, []float64{1, 0, 2}, "weights by column")
	testkit.ErrorContains(t, m.CheckComplete(), "2 features, without full", "all 3 of set counts")
}

// The model next to tables is theirs if its hash says so.
func TestFindModelFindsTheModelOfTheTables(t *testing.T) {
	m := stripPairs(t)
	path := filepath.Join(t.TempDir(), "x.weights")
	testkit.NoError(t, WritePacked(path, KindCompiled, stripTables{m}.Header(), [][]byte{floatsOf(m.Weights)}))
	open := func() (*Opened[strip], error) {
		o := testkit.Must(Open(stripSets, testkit.Read(t, path), path))(t)
		return o, o.FindModel()
	}
	o := testkit.Must(open())(t)
	if o.Model != nil || o.Tables.Header().ModelHash != m.Hash() || o.Rules() != "plain" {
		t.Errorf("without a model: %+v", o)
	}
	testkit.NoError(t, m.Save(ModelPath(path)))
	o = testkit.Must(open())(t)
	testkit.EqualSlices(t, testkit.Must(o.Function())(t).Weights, m.Weights, "weights of the model")
	points := testkit.Must(o.Points())(t)
	near(t, points(strip{3, 0, 1, 0}), slowPairs(m.Weights, strip{3, 0, 1, 0}), "points by the model")
	other := stripPairs(t)
	other.Weights[0]++
	testkit.NoError(t, other.Save(ModelPath(path)))
	if o := testkit.Must(open())(t); o.Model != nil {
		t.Error("the model of other tables is taken")
	}
	testkit.Write(t, ModelPath(path), "damaged")
	_, err := open()
	testkit.ErrorContains(t, err, "the model next to "+path, "remove it to use the tables alone")
	if errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v: the file is there", err)
	}
}

func TestEvaluatorsAreTables(t *testing.T) {
	m := stripPairs(t)
	o := &Opened[strip]{Name: "p", Game: stripGame, Model: m, sets: stripSets}
	testkit.Equal(t, testkit.Must(o.Evaluator())(t).Header().ModelHash, m.Hash(), "model of the tables")
	o.Model = stripCounts(t)
	_, err := o.Evaluator()
	testkit.ErrorContains(t, err, "tables need patterns")
	o.sets.Patterns = nil
	_, err = o.Evaluator()
	testkit.ErrorContains(t, err, "p: weights for strip")
}

// A calibration changes nothing else in a file but the command that made it, and can be taken away again.
func TestRecalibrateChangesTheCalibrationAlone(t *testing.T) {
	c := &Calibration{Rate: [2]float64{1, 0.9}, Draw: [2]float64{1.5, 0.2}, Games: 400, Scores: "test"}
	for _, m := range []*Model[strip]{stripCounts(t), stripPairs(t)} {
		path, plain := saved(t, m, "x.model")
		testkit.Write(t, path, testkit.Must(Recalibrate(path, c, "train weights calibrate"))(t))
		got := testkit.Must(stripSets.Load(path))(t)
		testkit.Equal(t, *got.Calibration, *c, "%s: calibration", m.Set)
		testkit.EqualSlices(t, got.Weights, m.Weights, "%s: weights", m.Set)
		testkit.Equal(t, got.Provenance.Made, "train weights calibrate", "%s: command", m.Set)
		again := testkit.Must(Recalibrate(path, nil, m.Provenance.Made))(t)
		testkit.Equal(t, bytes.Equal(again, plain), true, "%s: without it the file is as before", m.Set)
	}
	_, err := Recalibrate(filepath.Join(t.TempDir(), "none"), c, "")
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v: expected that there is no file", err)
	}
}

func TestExportedJSONHasEveryWeight(t *testing.T) {
	m := stripPairs(t)
	m.Weights[5] = float64(float32(0.1)) // needs all digits of a float32
	o := &Opened[strip]{Name: "p", Game: stripGame, Model: m, sets: stripSets}
	var text bytes.Buffer
	testkit.NoError(t, o.Export(&text, "json"))
	var got struct {
		Header Header
		Points map[string]float64
	}
	testkit.NoError(t, json.Unmarshal(text.Bytes(), &got))
	testkit.Equal(t, got.Header.ModelHash, m.Hash(), "hash")
	testkit.Equal(t, len(got.Points), len(m.Weights), "number of weights")
	for i, w := range m.Weights {
		testkit.Equal(t, float32(got.Points[m.Set.ColumnName(i)]), float32(w), "weight of %s", m.Set.ColumnName(i))
	}
	text.Reset()
	testkit.NoError(t, o.Export(&text, "c"))
	testkit.Equal(t, text.String(), "tables "+m.Hash()+" as c", "tables")
	named := &Opened[strip]{Name: "c", Game: stripGame, Model: stripCounts(t), Named: stripCounts(t).Named, sets: stripSets}
	text.Reset()
	testkit.NoError(t, named.Export(&text, "json"))
	testkit.Equal(t, testkit.Must(ParseWeights(text.Bytes(), "c"))(t).Hash(), named.Named.Hash(), "hash of weights by name")
}

// Text in names stays in its literal and its comment.
func TestNamesAreQuotedForC(t *testing.T) {
	for name, want := range map[string]string{
		"mobility": `"mobility"`, `a "b" \`: `"a \042b\042 \134"`, "what??/": `"what\077\077/"`, "é\n": `"\303\251\012"`,
	} {
		testkit.Equal(t, quoteC(name), want, "%q", name)
	}
	w := &Weights{Rules: "plain", Features: []string{"ends */ here", "begins /* here", `line \`}, Points: []float64{1, 2, 3}}
	var c strings.Builder
	testkit.NoError(t, w.writeC(&c))
	testkit.Contains(t, c.String(), "1, /* ends  * / here */", "2, /* begins / *  here */", "3, /* line / */")
}

// Text of a hostile file stays in its comment.
func TestCommentsOfCStayComments(t *testing.T) {
	for _, text := range []string{"a */ b", "a /*/ b", `a *\ b`, "a *\\\n/ b", "a *??/\n/ b", "a **// b", "a *?/ b"} {
		got := EscapeComment(text)
		for _, bad := range []string{"*/", "/*", `\`, "?"} {
			if strings.Contains(got, bad) {
				t.Errorf("%q becomes %q, which has %q", text, got, bad)
			}
		}
	}
	w := &Weights{Rules: "plain */ int evil(void){return 1;} /*", Features: []string{"x"}, Points: []float64{1}}
	var c strings.Builder
	testkit.NoError(t, w.writeC(&c))
	testkit.Contains(t, c.String(), "plain  * / int evil")
}

// Weights of another program's columns have the game and rules of the game that they are opened for.
func TestOpenChecksTheOriginOfColumns(t *testing.T) {
	columns := []string{"mobility"}
	open := func(game, rules string) error {
		w := testkit.Must(New(game, rules, ColumnsOnly(columns), columns, []float64{1}, columns...))(t)
		_, err := Open(stripSets, testkit.Must(w.seal())(t), "columns.json")
		return err
	}
	testkit.NoError(t, open("strip", "wild"))
	testkit.ErrorContains(t, open("strip", "plain */ int evil;"), "columns.json", "unknown rules")
	testkit.ErrorContains(t, open("chess", "plain"), "columns.json", "weights for chess: expected weights for strip")
}

// An explanation lists families, columns and houses.
func TestExplanationsListTheirParts(t *testing.T) {
	counts := &Opened[strip]{Name: "c", Game: stripGame, Model: stripCounts(t), sets: stripSets}
	x := testkit.Must(counts.ExplainPosition(strips()[27]))(t)
	testkit.Contains(t, x.Doc().Body(), "\nFamilies\n", "\nColumns\n", "\nHouses\n", " "+x.Columns[0].Name+" ")
}

func TestErrorsOfAFitAreInTheUnitOfTheGame(t *testing.T) {
	points := 2.5 * stripGame.PointsPerUnit()
	for name, want := range map[string]string{"validation_mae": "2.50 stones", "rmse": "2.50 stones"} {
		testkit.Equal(t, statText(stripGame.Info, name, points), want, "%s", name)
	}
	testkit.Equal(t, statText(stripGame.Info, "rows", 1200), "1200", "a count")
	testkit.Equal(t, statText(stripGame.Info, "r", 0.25), "0.25", "another statistic")
}

// The scale of a fit is in the unit of its game.
func TestScalesAreInTheUnitOfTheGame(t *testing.T) {
	text := fmt.Sprint(origin(&Provenance{Scale: 400}, stripGame.Info))
	testkit.Contains(t, text, "400 hundredths of a stone")
}

// Figures of families against sums over their columns.
func TestFactsOfFamilies(t *testing.T) {
	m := stripPairs(t)
	o := &Opened[strip]{Name: "p", Game: stripGame, Model: m, Tables: stripTables{m}, sets: stripSets}
	f := o.Facts()
	if f.Kind != "compiled" || f.Hash != m.Hash() || f.Play != "tables of "+m.Hash() || f.Rounding != 0.5 || f.Columns != 17 || f.Set != "pairs" {
		t.Errorf("facts %+v", f)
	}
	total := 0
	for i, family := range m.Set.Families() {
		nonzero, squares, largest := 0, 0.0, 0.0
		for column := family.From; column < family.To; column++ {
			w := m.Weights[column]
			squares += w * w
			largest = math.Max(largest, math.Abs(w))
			if w != 0 {
				nonzero++
			}
		}
		got := f.Families[i]
		if got.Name != family.Name || got.Columns != family.To-family.From || got.Nonzero != nonzero || got.Largest != largest {
			t.Errorf("family %+v: want %d weights that are not 0 and the largest %g", got, nonzero, largest)
		}
		near(t, got.RMS, math.Sqrt(squares/float64(nonzero)), "root mean square of %s", family.Name)
		total += nonzero
	}
	testkit.Equal(t, f.Nonzero, total, "weights that are not 0")
	testkit.Contains(t, f.Doc().Body(), "17 columns, 16 nonzero weights", "within 0.0050 stones")
	if strings.Contains(f.Doc().Body(), f.Provenance.Tool) {
		t.Errorf("the build that fitted them is for --json: %s", f.Doc().Body())
	}
	testkit.Contains(t, string(testkit.Must(json.Marshal(f.Doc().Value))(t)), `"tool":"`+f.Provenance.Tool)
	bare := (&Opened[strip]{Name: "p", Game: stripGame, Tables: stripTables{m}, sets: stripSets}).Facts()
	if bare.Families != nil || bare.Hash != f.Hash || bare.Columns != 17 {
		t.Errorf("facts of tables alone: %+v", bare)
	}
}

// Chances against the model's definition: a game is won if the score and a logistic error exceed the
// threshold of a draw, and lost if they are below its negative.
func TestChancesAreThoseOfLogisticErrors(t *testing.T) {
	c := &Calibration{Rate: [2]float64{0.4, 1.2}, Draw: [2]float64{0.1, 0.9}, Margin: [2]float64{2, 10}}
	for _, score := range []float64{-3, -0.5, 0, 0.5, 3} {
		for _, part := range []float64{0, 0.25, 1} {
			rate, draw := 0.4*(1-part)+1.2*part, 0.1*(1-part)+0.9*part
			won, even, lost := integrate(rate*score, draw)
			win, drawn, loss := c.Chances(score, part)
			const precision = 1e-6
			if math.Abs(win-won) > precision || math.Abs(drawn-even) > precision || math.Abs(loss-lost) > precision {
				t.Errorf("score %g at %g: %g, %g, %g: want %g, %g, %g", score, part, win, drawn, loss, won, even, lost)
			}
			if drawn < 0 {
				t.Errorf("score %g at %g: a draw has the chance %g", score, part, drawn)
			}
			near(t, win+drawn+loss, 1, "score %g at %g: sum", score, part)
			other, same, _ := c.Chances(-score, part)
			near(t, other, loss, "score %g at %g: win of the other side", score, part)
			near(t, same, drawn, "score %g at %g: draw of the other side", score, part)
			near(t, c.ExpectedMargin(score, part, 1e9), score*(2+8*part*part), "margin at %g", part)
		}
	}
	testkit.Equal(t, c.ExpectedMargin(100, 1, 48), 48, "the largest margin")
	testkit.Equal(t, c.ExpectedMargin(-100, 1, 48), -48, "the smallest margin")
	testkit.Equal(t, Percent(0.126), "13 %", "per cent")
}

// integrate adds up the density of the logistic distribution in small steps.
func integrate(score, threshold float64) (win, draw, loss float64) {
	const step, end = 1e-3, 40.0
	for x := -end; x < end; x += step {
		middle := x + step/2
		p := step * math.Exp(-middle) / math.Pow(1+math.Exp(-middle), 2)
		// The threshold falls into a step: its parts count.
		above := share(x, step, threshold-score)
		below := 1 - share(x, step, -threshold-score)
		win += p * above
		loss += p * below
		draw += p * (1 - above - below)
	}
	return win, draw, loss
}

// share is the share of the step from x that is above a threshold.
func share(x, step, threshold float64) float64 { return min(1, max(0, (x+step-threshold)/step)) }

func TestCalibrationsAreShownAtTheirPhases(t *testing.T) {
	c := &Calibration{Rate: [2]float64{1, 1}, Margin: [2]float64{2, 2}, Positions: 9, Games: 4, Scores: "of a test"}
	m := stripPairs(t)
	m.Calibration = c
	f := (&Opened[strip]{Name: "p", Game: stripGame, Model: m, sets: stripSets}).Facts()
	text := f.Doc().Body()
	// Without draws, a score of 1 wins 1/(1+1/e) = 73 %, one of 3 95 %; the margin is twice the score.
	testkit.Contains(t, text, "9 positions of 4 games (scores of a", "73 %", "95 %", "+2.0", "+6.0")
	testkit.Equal(t, strings.Contains(text, "-0 %"), false, "a rounding error of a chance of 0 is shown")
}

func TestDefaultsAndMeaningsOfSets(t *testing.T) {
	testkit.Equal(t, stripSets.Default("plain"), "counts", "default set")
	testkit.Equal(t, stripSets.Default("wild"), "few", "default set of other rules")
	testkit.Equal(t, stripSets.Meaning("full"), "places with three stones", "meaning")
	testkit.Equal(t, stripSets.Meaning("empty"), "", "meaning of an unknown name")
	testkit.Equal(t, KindModel.String()+" "+KindCompiled.String()+" "+Kind(7).String(), "model compiled kind 7", "kinds")
}

func TestErrorsAreDescribed(t *testing.T) {
	for says, e := range map[string]StandardErrors{
		"ordinary, each row is independent; they do not account for the selection": {Kind: OrdinaryErrors},
		"clustered by game or situation, 12 clusters; they do not account":         {Kind: ClusteredErrors, Clusters: 12},
		"none, the rows are of only 3 games or situations":                         {Kind: NoErrors, Clusters: 3},
	} {
		testkit.Contains(t, e.Describe(true), says)
		testkit.Equal(t, strings.Contains(e.Describe(true), "selection"), e.Kind != NoErrors, "%s: selection", e.Kind)
		testkit.Equal(t, e.Describe(false), e.String(), "%s: without a selection", e.Kind)
	}
}

// One penalty is a number in a file, several are an object.
func TestRidgesReadBack(t *testing.T) {
	for text, want := range map[string]Ridges{`0.5`: {"": 0.5}, `{"pairs":10,"store":0.1}`: {"pairs": 10, "store": 0.1}} {
		testkit.Equal(t, string(testkit.Must(json.Marshal(want))(t)), text, "text")
		var got Ridges
		testkit.NoError(t, json.Unmarshal([]byte(text), &got))
		testkit.Equal(t, len(got), len(want), "%s: number", text)
		for name, v := range want {
			testkit.Equal(t, got[name], v, "%s: ridge %q", text, name)
		}
	}
}

// Signs and exponents of float32 come together, and any bits survive.
func TestFloatsReadBack(t *testing.T) {
	w := []float64{0, -1, 0.1, math.Inf(1), math.MaxFloat32, 5e-324, math.Copysign(0, -1)}
	b := floatsOf(w)
	testkit.Equal(t, len(b), 4*len(w), "bytes")
	for i, got := range parseFloats(b) {
		testkit.Equal(t, math.Float64bits(got), math.Float64bits(float64(float32(w[i]))), "number %d", i)
		testkit.Equal(t, b[3*len(w)+i], byte(math.Float32bits(float32(w[i]))>>24), "last byte of number %d", i)
	}
}

func TestMissingFilesSaySo(t *testing.T) {
	path := filepath.Join(t.TempDir(), "none.model")
	_, err := stripSets.Load(path)
	testkit.ErrorContains(t, err, "cannot read weights", path)
	if !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v: expected that there is no file", err)
	}
	_, err = GameOf([]byte(PackedMagic), path)
	testkit.ErrorContains(t, err, "weights file "+path)
	_, err = os.Stat(path)
	testkit.Equal(t, errors.Is(err, fs.ErrNotExist), true, "the file is not made")
}
