package profile

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	"kroo/games/gametest"
	"kroo/games/oware"
	"kroo/internal/outline"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
	"kroo/report"
)

// labelRows returns labelled random boards: some exact, some from games; the last ten repeat
// earlier situations, five of them with the sides exchanged.
func labelRows(t *testing.T, n int) []row {
	t.Helper()
	rng := rand.New(rand.NewPCG(7, 7))
	var rows []row
	for i, p := range gametest.RandomPositions(t, oware.Descriptor(), rand.New(rand.NewPCG(3, 3)), "abapa", n) {
		if i >= n-10 {
			p = rows[i-n+10].Position
			if i%2 == 0 {
				p = p.Mirror()
			}
		}
		label := float64(36*(p.Store()-p.OpponentStore())) + 80*rng.NormFloat64()
		r := row{
			Position: p, Game: int32(i % 4), Ply: int32(i % 30),
			Score: int32(label * 2.4), Label: max(-1000, min(1000, math.Round(label))),
			Depth: int32(4 + i%9), Nodes: rng.Int64N(5000), Exact: i%5 == 0,
		}
		if i%3 != 0 {
			r.HasBest, r.Best = true, p.AppendMoves(nil)[0]
		}
		rows = append(rows, r)
	}
	return rows
}

// writeRows writes rows of oware to a file of that name.
func writeRows(t testing.TB, name string, m datasets.Meta, rows []row) string {
	t.Helper()
	m.Game = "oware"
	path := filepath.Join(t.TempDir(), name)
	testkit.NoError(t, datasets.Write(oware.Descriptor(), path, m, datasets.Rows(rows)))
	return path
}

func labelFile(t testing.TB, rows []row) string {
	t.Helper()
	return writeRows(t, "labels.parquet", datasets.Meta{Kind: datasets.Labels, Rules: "abapa", Limits: "nodes 7", Evaluator: "captures"}, rows)
}

func profileOf(t *testing.T, path string, o Options) *Profile {
	t.Helper()
	s, err := Of(t.Context(), oware.Descriptor(), path, o)
	testkit.NoError(t, err)
	return s
}

type row = datasets.Row[oware.Position]

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*(1+math.Abs(b)) }

// Compares with gonum over the rows that were written.
func TestColumnStatisticsAgreeWithGonum(t *testing.T) {
	rows := labelRows(t, 700)
	s := profileOf(t, labelFile(t, rows), Options{})
	want := map[string]func(row) float64{
		"phase": func(r row) float64 { return float64(r.Position.SeedsInPlay()) },
		"label": func(r row) float64 { return r.Label },
		"score": func(r row) float64 { return float64(r.Score) },
		"nodes": func(r row) float64 { return float64(r.Nodes) },
		"depth": func(r row) float64 { return float64(r.Depth) },
		"exact": func(r row) float64 { return truth(r.Exact) },
		"game":  func(r row) float64 { return float64(r.Game) },
	}
	types := map[string]string{"exact": "truth", "bound": "text", "best": "text"} // words of inspect --json
	checked := 0
	for _, c := range s.Columns {
		testkit.Equal(t, c.Type, cmp.Or(types[c.Name], "number"), "type of %s", c.Name)
		value, ok := want[c.Name]
		if !ok {
			continue
		}
		checked++
		var x []float64
		distinct := map[float64]bool{}
		for _, r := range rows {
			x = append(x, value(r))
			distinct[value(r)] = true
		}
		slices.Sort(x)
		mean, sd := stat.PopMeanStdDev(x, nil)
		q := func(p float64) float64 { return stat.Quantile(p, stat.Empirical, x, nil) }
		if c.Rows != 700 || c.Missing != 0 || c.Distinct != len(distinct) ||
			c.Min != x[0] || c.Max != x[len(x)-1] || c.Q1 != q(0.25) || c.Median != q(0.5) || c.Q3 != q(0.75) || !near(c.Mean, mean) || !near(c.SD, sd) {
			t.Errorf("%s: %+v %+v: want mean %g, deviation %g, %d different", c.Name, c, *c.Spread, mean, sd, len(distinct))
		}
	}
	if checked != len(want) {
		t.Errorf("%d columns of %d are there", checked, len(want))
	}
	best := s.Columns[slices.IndexFunc(s.Columns, func(c ColumnStats) bool { return c.Name == "best" })]
	if best.Missing != 234 || best.Spread != nil || best.Distinct < 6 || best.Distinct > 12 {
		t.Errorf("best %+v", best)
	}
}

func TestPhasesAndHistogramCountEveryRow(t *testing.T) {
	rows := labelRows(t, 900)
	s := profileOf(t, labelFile(t, rows), Options{})
	total, exact := 0, 0.0
	for _, p := range s.Phases {
		var labels []float64
		depth, proven := 0.0, 0.0
		for _, r := range rows {
			if r.Position.SeedsInPlay() == p.Phase {
				labels = append(labels, r.Label)
				depth += float64(r.Depth)
				proven += truth(r.Exact)
			}
		}
		n := float64(len(labels))
		mean, sd := stat.PopMeanStdDev(labels, nil)
		if p.Rows != len(labels) || !near(p.Depth, depth/n) || !near(p.Exact, proven/n) || !near(p.Labels.Mean, mean) || !near(p.Labels.SD, sd) {
			t.Errorf("phase %d: %+v: want %d rows, mean %g", p.Phase, p, len(labels), mean)
		}
		total += p.Rows
		exact += p.Exact * n
	}
	if total != 900 || !near(*s.ExactShare, exact/900) || !near(*s.ExactShare, 0.2) {
		t.Errorf("%d rows, exact share %g", total, *s.ExactShare)
	}
	total = 0
	for i, b := range s.Histogram {
		n, proven := 0, 0
		for _, r := range rows {
			if r.Label >= b.From && (r.Label < b.To || i == len(s.Histogram)-1) {
				n++
				proven += int(truth(r.Exact))
			}
		}
		if b.Rows != n || b.Exact != proven {
			t.Errorf("bin %+v: want %d rows, %d exact", b, n, proven)
		}
		total += b.Rows
	}
	if total != 900 || s.Histogram[0].From != -1000 || s.Histogram[19].To != 1000 {
		t.Errorf("%d rows in %+v", total, s.Histogram)
	}
}

func TestShareOfAllRowsIsOne(t *testing.T) {
	rows := labelRows(t, 49) // 1/49 added 49 times is not 1
	for i := range rows {
		rows[i].Exact, rows[i].Depth = true, 7
	}
	s := profileOf(t, labelFile(t, rows), Options{})
	if *s.ExactShare != 1 {
		t.Errorf("%v of the rows are exact: want 1", *s.ExactShare)
	}
	for _, p := range s.Phases {
		if p.Exact != 1 || p.Depth != 7 {
			t.Errorf("phase %d of %d rows: %v exact, depth %v: want 1 and 7", p.Phase, p.Rows, p.Exact, p.Depth)
		}
	}
	for _, c := range s.Columns {
		if c.Spread != nil && c.Distinct == 1 && (c.Mean != c.Min || c.SD != 0) {
			t.Errorf("%s is %v in every row: mean %v, deviation %v", c.Name, c.Min, c.Mean, c.SD)
		}
	}
}

func TestRepeatsIncludeMirrorImages(t *testing.T) {
	rows := labelRows(t, 300)
	s := profileOf(t, labelFile(t, rows), Options{})
	apart := 0.0
	for i := range 10 {
		apart += math.Abs(rows[290+i].Label-rows[i].Label) / 10
	}
	if r := s.Repeats; r.Situations != 290 || r.Repeated != 10 || r.Most != 2 || !near(r.Apart, apart) {
		t.Errorf("%+v: want 290 situations, 10 repeated, %g apart", r, apart)
	}
}

func TestSharedSituationsIncludeMirrorImages(t *testing.T) {
	rows := labelRows(t, 300)
	var other []row
	for i, r := range rows[280:300] { // ten of their own, and ten repeated ones
		p := r.Position
		if i%2 == 0 {
			p = p.Mirror()
		}
		other = append(other, row{Position: p})
	}
	other = append(other, row{Position: oware.Descriptor().Pass(rows[100].Position)}) // a fit has seen it, too
	path := writeRows(t, "positions.parquet", datasets.Meta{Kind: datasets.Positions, Rules: "abapa"}, other)
	if d := profileOf(t, labelFile(t, rows), Options{Compare: path}).Drift; d.SharedSituations != 21 || d.SharedRows != 31 {
		t.Errorf("%+v: want 21 situations, 31 rows", d)
	}
	for i, r := range other {
		other[i].Position = testkit.Must(oware.FromBookKey(oware.Awari, r.Position.BookKey()))(t)
	}
	awari := writeRows(t, "awari.parquet", datasets.Meta{Kind: datasets.Positions, Rules: "awari"}, other)
	_, err := Of(t.Context(), oware.Descriptor(), path, Options{Compare: awari})
	testkit.ErrorContains(t, err, "compare: ", "abapa")
}

// The rows of a single game are one observation.
func TestNoiseOfASingleGame(t *testing.T) {
	rows := labelRows(t, 40)
	for i := range rows {
		rows[i].Game = 1
		rows[i].Ply = int32(i)
	}
	path := labelFile(t, rows)
	s := profileOf(t, path, Options{Compare: path})
	if _, err := json.Marshal(s); err != nil {
		t.Error(err)
	}
	for _, c := range s.Drift.Columns {
		if c.Name == "ply" && c.Noise < 1 {
			t.Errorf("%s: noise %g of one game and one game: expected at least 1", c.Name, c.Noise)
		}
	}
}

// featureFile is a features table of random boards.
func featureFile(t *testing.T, n int) (string, []row) {
	t.Helper()
	set, err := owarefeatures.Sets.ByName("thesis4")
	testkit.NoError(t, err)
	var rows []row
	for _, r := range labelRows(t, n) {
		own, opp := make([]int, 4), make([]int, 4)
		set.Values(r.Position, own, opp)
		f := row{Position: r.Position, Game: r.Game, Ply: r.Ply, Label: r.Label, Depth: r.Depth, Exact: r.Exact}
		for j := range own {
			f.Own, f.Opp = append(f.Own, uint8(own[j])), append(f.Opp, uint8(opp[j]))
		}
		rows = append(rows, f)
	}
	return writeRows(t, "features.parquet", datasets.Meta{Kind: datasets.Features, Rules: "abapa", FeatureSet: "thesis4", Features: set.Names()}, rows), rows
}

// The games of two files have the same numbers, but other groups in the file of both.
func TestGroupsOfMergedFilesAreClusters(t *testing.T) {
	path, rows := featureFile(t, 600)
	meta, _, err := datasets.Read(oware.Descriptor(), path, datasets.Features)
	testkit.NoError(t, err)
	meta.Grouped = true
	clusters := map[int64]bool{}
	for i := range rows {
		if r := &rows[i]; i >= 300 && r.Game > 0 {
			r.Group = int64(datasets.ClusterOf(1, int64(r.Game)))
		}
		clusters[cmp.Or(rows[i].Group, datasets.GroupOf(oware.Descriptor(), rows[i].Position, rows[i].Game))] = true
	}
	s := profileOf(t, writeRows(t, "merged.parquet", meta, rows), Options{})
	if s.Errors.Clusters != len(clusters) {
		t.Errorf("%d clusters: want %d", s.Errors.Clusters, len(clusters))
	}
}

func TestFeatureStatisticsAgreeWithGonum(t *testing.T) {
	path, rows := featureFile(t, 600)
	s := profileOf(t, path, Options{})
	if len(s.Features) != 4 {
		t.Fatalf("features %+v", s.Features)
	}
	d, y := make([][]float64, 4), make([]float64, 0, 600)
	for _, r := range rows {
		for j := range d {
			d[j] = append(d[j], float64(r.Own[j])-float64(r.Opp[j]))
		}
		y = append(y, r.Label)
	}
	for j, f := range s.Features {
		mean, sd := stat.PopMeanStdDev(d[j], nil)
		_, alone := stat.LinearRegression(d[j], y, nil, true)
		if !near(f.Mean, mean) || !near(f.SD, sd) || !near(f.R, stat.Correlation(d[j], y, nil)) || !near(f.Alone, alone) {
			t.Errorf("%s: %+v: want mean %g, deviation %g, slope %g", f.Name, f, mean, sd, alone)
		}
		for k := range d {
			if !near(f.With[k], stat.Correlation(d[j], d[k], nil)) {
				t.Errorf("%s with feature %d: %g", f.Name, k, f.With[k])
			}
		}
		n := 0
		for _, e := range f.Effect {
			sum, count := 0.0, 0
			for i, v := range d[j] {
				if v == float64(e.Difference) {
					sum += y[i]
					count++
				}
			}
			if count != e.Rows || !near(e.Label, sum/float64(count)) {
				t.Errorf("%s at %d: %+v: want %d rows, %g", f.Name, e.Difference, e, count, sum/float64(count))
			}
			// The expected error sums residuals by cluster.
			square, of := 0.0, map[uint64]float64{}
			for i, v := range d[j] {
				if v == float64(e.Difference) {
					of[datasets.ClusterOf(0, datasets.GroupOf(oware.Descriptor(), rows[i].Position, rows[i].Game))] += y[i] - sum/float64(count)
				}
			}
			for _, r := range of {
				square += r * r
			}
			want := 0.0
			if g := float64(len(of)); g > 1 {
				want = math.Sqrt(square*g/(g-1)) / float64(count)
			}
			if !near(e.Error, want) {
				t.Errorf("%s at %d: error %g, want %g", f.Name, e.Difference, e.Error, want)
			}
			n += e.Rows
		}
		if n != 600 || f.Together == nil || f.VIF == nil || *f.VIF < 1 {
			t.Errorf("%s: %d rows, together %v, vif %v", f.Name, n, f.Together, f.VIF)
		}
	}
	// Clusters are the three games, and the situations of rows outside games.
	clusters := map[uint64]bool{}
	for _, r := range rows {
		clusters[datasets.ClusterOf(0, datasets.GroupOf(oware.Descriptor(), r.Position, r.Game))] = true
	}
	text := fmt.Sprintf("Standard errors: clustered by game or situation, %d clusters.", len(clusters))
	if s.Errors.Kind != features.ClusteredErrors || s.Errors.Clusters != len(clusters) || !strings.Contains(s.Doc().Text(s.File), text) {
		t.Errorf("errors %+v, no %q in\n%s", s.Errors, text, s.Doc().Text(s.File))
	}
	// Labels depend on the captures alone, 36 points per seed.
	if c := s.Features[0]; math.Abs(*c.Together-36) > 4**c.StdErr {
		t.Errorf("captures weigh %g ± %g: want 36", *c.Together, *c.StdErr)
	}
	s = profileOf(t, path, Options{Where: fmt.Sprintf("own_captures=%d, opp_captures=%d", rows[0].Own[0], rows[0].Opp[0])})
	if c := s.Features[0]; c.Together != nil || c.SD != 0 || c.R != 0 {
		t.Errorf("a feature that does not vary: %+v", c)
	}
}

// predictionFile is a dataset of features with predictions.
func predictionFile(t *testing.T, n int) (string, []row) {
	t.Helper()
	_, rows := featureFile(t, n)
	for i, r := range rows {
		prediction := 60 * float64(r.Position.Store()-r.Position.OpponentStore())
		rows[i].Values = []float64{prediction, r.Label - prediction}
	}
	set := testkit.Must(owarefeatures.Sets.ByName("thesis4"))(t)
	return writeRows(t, "predictions.parquet", datasets.Meta{Kind: datasets.Features, Rules: "abapa", FeatureSet: "thesis4", Features: set.Names(), Columns: datasets.PredictionColumns}, rows), rows
}

func TestResidualsAgreeWithSimpleOnes(t *testing.T) {
	path, rows := predictionFile(t, 400)
	s := profileOf(t, path, Options{})
	type predicted struct {
		p              oware.Position
		label, guess   float64
		captures, seed int
	}
	var all []predicted
	for _, r := range rows {
		p := r.Position
		all = append(all, predicted{p, r.Label, r.Values[0], int(r.Own[0]) - int(r.Opp[0]), p.SeedsInPlay()})
	}
	checked := 0
	check := func(what string, rows int, got *ResidualStats, in func(predicted) bool) {
		var d []float64
		mae, mse := 0.0, 0.0
		for _, r := range all {
			if in(r) {
				e := r.label - r.guess
				d, mae, mse = append(d, e), mae+math.Abs(e), mse+e*e
			}
		}
		if k := float64(len(d)); rows != len(d) || !near(got.Mean, stat.Mean(d, nil)) || !near(got.MAE, mae/k) || !near(got.RMSE, math.Sqrt(mse/k)) {
			t.Errorf("%s: %d rows, %+v", what, rows, got)
		}
		checked += rows
	}
	for _, p := range s.Phases {
		check("phase", p.Rows, p.Residuals, func(r predicted) bool { return r.seed == p.Phase })
	}
	for _, e := range s.Features[0].Effect {
		check("captures", e.Rows, e.Residuals, func(r predicted) bool { return r.captures == e.Difference })
	}
	testkit.Equal(t, checked, 2*400, "rows by phase and captures")
	r := s.Residuals
	slices.SortStableFunc(all, func(a, b predicted) int { return cmp.Compare(math.Abs(b.label-b.guess), math.Abs(a.label-a.guess)) })
	for i, w := range r.Worst {
		if w.Board != all[i].p.String() || w.Label != all[i].label || w.Prediction != all[i].guess {
			t.Errorf("worst row %d: %+v: want %+v", i, w, all[i])
		}
	}
	if len(r.Worst) != 5 || r.Rows != 400 {
		t.Errorf("%+v", r)
	}
}

func TestHeadShowsRowsAsBoards(t *testing.T) {
	rows := labelRows(t, 50)
	s := profileOf(t, labelFile(t, rows), Options{Head: 2})
	if len(s.Head) != 2 || s.Head[1]["board"] != rows[1].Position.String() || s.Head[1]["label"] != rows[1].Label || s.Head[0]["exact"] != true {
		t.Errorf("head %v", s.Head)
	}
	if game := s.Head[0]["game"]; game != 0.0 {
		t.Errorf("the first row, of no game, has game %v: want 0, as the file", game)
	}
	if best, there := s.Head[0]["best"]; there {
		t.Errorf("the first row has the best move %v: want none", best)
	}
	if text := s.Doc().Text(s.File); !strings.Contains(text, rows[1].Position.Diagram()) || strings.Contains(text, rows[2].Position.String()) {
		t.Error("the text does not show just the first two boards")
	}
}

func TestProfilesOfEveryKindGiveTextJSONAndHTML(t *testing.T) {
	predictions, _ := predictionFile(t, 200)
	rows := labelRows(t, 200)
	labels := labelFile(t, rows)
	positions := writeRows(t, "p.parquet", datasets.Meta{Kind: datasets.Positions, Rules: "abapa"}, rows[:1])
	for path, o := range map[string]Options{predictions: {}, labels: {Compare: labels}, positions: {}, labels + "?": {Where: "phase>100"}} {
		path = strings.TrimSuffix(path, "?")
		s := profileOf(t, path, o)
		text, err := json.Marshal(s)
		testkit.NoError(t, err)
		var back Profile
		if err := json.Unmarshal(text, &back); err != nil || back.Rows != s.Rows || len(back.Columns) != len(s.Columns) {
			t.Errorf("%s: JSON gives %+v, error %v", path, back, err)
		}
		for _, c := range s.Columns {
			testkit.Contains(t, s.Doc().Text(s.File), c.Name)
		}
		html, err := report.HTML(s.Doc())
		testkit.NoError(t, err)
		if want := s.Rows > 0; bytes.Contains(html, []byte("<svg")) != want || bytes.Contains(html, []byte("<script")) {
			t.Errorf("%s: drawings %v: want %v", path, !want, want)
		}
		const effects = "abels and residuals by "
		shown := strings.Count(s.Doc().Text(""), "L"+effects)
		folded := bytes.Count(html, []byte(`class="aside"><summary>l`+effects))
		if shown != len(s.Features) || folded != shown {
			t.Errorf("%s: labels by %d features in the text, %d folded on the page: want %d", path, shown, folded, len(s.Features))
		}
		drawings := 2 * (5 + 5 + 3 + 2*len(s.Features) + 2*5) // each also for phones: charts of rows, residuals and worst rows; of correlations, of each feature, and of rows
		if s.Residuals != nil && bytes.Count(html, []byte("<svg aria-label")) != drawings {
			t.Errorf("%s: %d drawings: want %d", path, bytes.Count(html, []byte("<svg aria-label")), drawings)
		}
	}
}

// The text of a dataset fits a terminal of 80 columns.
func TestTextFitsATerminal(t *testing.T) {
	s := Profile{
		File: "f.parquet", Rows: 40, PhaseName: "seeds in play", Meta: datasets.Meta{Kind: datasets.Features, Game: "oware", Rules: "abapa"},
		Histogram: outline.NewBins(1000), ExactShare: new(float64), game: oware.Descriptor().Info,
	}
	for i := range s.Histogram {
		s.Histogram[i].Rows = i * 1000
	}
	for i := range 40 {
		s.Phases = append(s.Phases, PhaseStats{Phase: i + 8, Rows: 1000 + i, Labels: &outline.Spread{Mean: -123.45, SD: 543.21}, Exact: 1, Depth: 12})
		s.Columns = append(s.Columns, ColumnStats{Name: "own_gt_13", Missing: 10_000, Distinct: 20_000, Spread: &outline.Spread{Min: -19_998, Mean: 0.00012345, SD: 123.456}})
	}
	s.Head, s.headRows = []map[string]any{{}}, []FittedRow{{Board: "a board", line: strings.Repeat("; own_gt_13 1", 30)}}
	for _, line := range strings.Split(s.Doc().Text("f.parquet"), "\n") {
		if n := utf8.RuneCountInString(line); n > outline.Screen {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

// Filtering by a bar's condition, as on the page of datasets, selects the rows that the bar counts.
func TestBarsCountTheRowsOfTheirFilter(t *testing.T) {
	path := labelFile(t, labelRows(t, 120))
	s := profileOf(t, path, Options{Filter: func(condition string) string { return condition }})
	kinds := map[bool]int{}
	columns := slices.DeleteFunc(slices.Clone(s.Columns), func(c ColumnStats) bool { return c.Rows == 0 || c.Name == datasets.GroupColumn })
	for k, section := range s.distributions() {
		sum := 0
		for i, where := range section.Table.Links {
			some := profileOf(t, path, Options{Where: where})
			testkit.Equal(t, some.Rows, section.Table.Bars[i], "rows with %s", where)
			sum += some.Rows
			kinds[strings.Contains(where, "<")]++
		}
		testkit.Equal(t, len(section.Figures) > 0, len(section.Table.Rows) > fewValues && columns[k].Name != "phase" && columns[k].Name != "label", "%s is drawn", section.Heading)
		testkit.Equal(t, sum, columns[k].Rows, "rows of %s", section.Heading)
	}
	if len(kinds) != 2 {
		t.Errorf("bars %v: expected values and ranges", kinds)
	}
}

// Each point of the chart has the quantiles of the rows with its predictions, and all rows are in one.
func TestResidualChartHasTheQuantilesOfItsRows(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	for _, n := range []int{0, 1, 24, 25, 49, 50, 51, 1000, 5000} {
		s := &Profile{Residuals: &Residuals{}, game: oware.Descriptor().Info}
		for range n {
			s.Residuals.drawn = append(s.Residuals.drawn, report.Point{X: math.Round(rng.NormFloat64() * 300), Y: rng.NormFloat64() * 500})
		}
		c := s.residualChart()
		if n == 0 {
			testkit.Equal(t, len(c.Curves), 0, "curves of no rows")
			continue
		}
		below := math.Inf(-1)
		for i, at := range c.Curves[2].Points { // medians
			if at.X <= below {
				t.Errorf("%d rows: point %d is at %v, after %v", n, i, at.X, below)
			}
			below = at.X
		}
		if groups := len(c.Curves[2].Points); groups > max(1, n/leastGroup) || groups > mostGroups {
			t.Errorf("%d rows in %d groups", n, groups)
		}
		for k := range c.Curves[1:] {
			for i, at := range c.Curves[k+1].Points {
				if above := c.Curves[k].Points[i]; at.Y > above.Y || at.X != above.X {
					t.Errorf("%d rows: %s is at %v, %s at %v", n, c.Curves[k+1].Name, at, c.Curves[k].Name, above)
				}
			}
		}
	}
	s := &Profile{Residuals: &Residuals{drawn: []report.Point{{Y: 3}, {Y: 1}, {Y: 2}}}, game: oware.Descriptor().Info}
	testkit.Equal(t, math.Round(1e6*s.residualChart().Curves[2].Points[0].Y)/1e6, 2.0, "median of 1, 2 and 3 seeds")
}
