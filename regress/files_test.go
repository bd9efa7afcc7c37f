package regress

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/features"
	owarefeatures "kroo/features/oware"
	tictactoefeatures "kroo/features/tictactoe"
	"kroo/games/oware"
	"kroo/games/tictactoe"
	_ "kroo/internal/testenv" // temporary folders in memory
	"kroo/internal/testkit"
)

// Tic-tac-toe works like oware: labels, a table of features, and weights that recover the function
// behind the labels.
func TestFilesOfAnotherGame(t *testing.T) {
	dir := t.TempDir()
	rng := rand.New(rand.NewPCG(50, 1))
	set := testkit.Must(tictactoefeatures.Sets.ByName("squares"))(t)
	own, opp := make([]int, 4), make([]int, 4)
	var rows []datasets.Row[tictactoe.Position]
	for range 400 {
		p := testkit.Must(tictactoe.Descriptor().Random(rng, "standard"))(t)
		set.Values(p, own, opp)
		label := 0.0
		for i, w := range []float64{12, 150, 40, -8} {
			label += w * float64(own[i]-opp[i])
		}
		rows = append(rows, datasets.Row[tictactoe.Position]{Position: p, Label: label, Depth: 1})
	}
	labels, table, out := filepath.Join(dir, "l.parquet"), filepath.Join(dir, "f.parquet"), filepath.Join(dir, "w.json")
	testkit.NoError(t, datasets.Write(tictactoe.Descriptor(), labels, datasets.Meta{Kind: datasets.Labels, Game: "tictactoe", Rules: "standard"}, datasets.Rows(rows)))
	n, err := Tabulate(context.Background(), tictactoefeatures.Sets, Tabulation{In: labels, Out: table, Set: "squares"}, nil)
	if err != nil || n != 400 {
		t.Fatalf("%d rows, error %v", n, err)
	}
	s := testkit.Must(fitFeatures(context.Background(), tictactoefeatures.Sets, Request{Rows: []string{table}, Out: out}, nil))(t)
	w := testkit.Must(tictactoefeatures.Sets.Load(out))(t)
	for i, want := range []float64{12, 150, 40, -8} {
		if !near(w.Named.Points[i], want, 1e-6) {
			t.Errorf("%s: %g: want %g", w.Named.Features[i], w.Named.Points[i], want)
		}
	}
	if s.Game != "tictactoe" || len(s.Captures.Features) != 0 || !strings.Contains(summaryText(s, tictactoe.Descriptor().Info), " wins") || strings.Contains(summaryText(s, tictactoe.Descriptor().Info), "captures") {
		t.Errorf("summary %+v", s)
	}
	testkit.ErrorContains(t, errorOf(Tabulate(context.Background(), tictactoefeatures.Sets, Tabulation{In: labels, Out: table, Set: "thesis"}, nil)), "expected lines or squares")
}

// Values that do not fit a table are an error, of either side.
func TestTabulateRefusesValuesOutOfRange(t *testing.T) {
	rows := []datasets.Row[tictactoe.Position]{{Position: testkit.Must(tictactoe.Descriptor().Start("standard"))(t), Depth: 1}}
	labels := filepath.Join(t.TempDir(), "l.parquet")
	meta := datasets.Meta{Kind: datasets.Labels, Game: "tictactoe", Rules: "standard"}
	testkit.NoError(t, datasets.Write(tictactoe.Descriptor(), labels, meta, datasets.Rows(rows)))
	for _, c := range []struct {
		own, opp int
		want     string
	}{{256, 0, "the feature big is 256: expected 0 to 255"}, {0, -1, "the feature big is -1"}, {255, 0, ""}} {
		count := func(tictactoe.Position) (int, int) { return c.own, c.opp }
		set := features.NewSet(features.Definition[tictactoe.Position]{
			Name: "sizes", About: "made up",
			Features: []features.Feature[tictactoe.Position]{{Name: "big", Meaning: "made up", Count: count}},
		})
		sets := features.Sets[tictactoe.Position]{Game: tictactoe.Descriptor(), All: []*features.Set[tictactoe.Position]{set}, DefaultSet: "sizes"}
		_, err := Tabulate(t.Context(), sets, Tabulation{In: labels, Out: filepath.Join(t.TempDir(), "f.parquet"), Set: "sizes"}, nil)
		if c.want == "" {
			testkit.NoError(t, err)
			continue
		}
		testkit.ErrorContains(t, err, c.want, tictactoe.Descriptor().Print(rows[0].Position))
	}
}

// Compares with the set's own values, row by row.
func TestTabulateKeepsRowsAndTheirOrder(t *testing.T) {
	labels := labelFile(t, 51, 700, tame)
	table := filepath.Join(t.TempDir(), "f.parquet")
	var last int64
	if _, err := Tabulate(context.Background(), owarefeatures.Sets, Tabulation{In: labels, Out: table, Set: "thesis"}, func(done, _ int64, _ string) { last = done }); err != nil || last != 700 {
		t.Fatalf("progress ends at %d, error %v", last, err)
	}
	meta, rows, err := datasets.Read(oware.Descriptor(), table, datasets.Features)
	testkit.NoError(t, err)
	_, from, err := datasets.Read(oware.Descriptor(), labels, datasets.Labels)
	testkit.NoError(t, err)
	set := testkit.Must(owarefeatures.Sets.ByName("thesis"))(t)
	own, opp := make([]int, 12), make([]int, 12)
	for i, r := range rows {
		set.Values(from[i].Position, own, opp)
		for j := range own {
			if int(r.Own[j]) != own[j] || int(r.Opp[j]) != opp[j] {
				t.Fatalf("row %d: %v %v: want %v %v", i, r.Own, r.Opp, own, opp)
			}
		}
		if r.Position != from[i].Position || r.Game != from[i].Game || r.Ply != from[i].Ply || r.Label != from[i].Label {
			t.Fatalf("row %d: %+v of %+v", i, r, from[i])
		}
	}
	if meta.Kind != datasets.Features || meta.FeatureSet != "thesis" || len(meta.Parent) != 64 || meta.Limits != "nodes 1" {
		t.Errorf("meta %+v", meta)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Tabulate(ctx, owarefeatures.Sets, Tabulation{In: labels, Out: filepath.Join(t.TempDir(), "f.parquet"), Set: "thesis"}, nil); err == nil {
		t.Error("goes on after it was stopped")
	}
}

func TestDesignMatrixMatchesTheFit(t *testing.T) {
	labels := labelFile(t, 41, 300, tame)
	out := filepath.Join(t.TempDir(), "design.parquet")
	set := testkit.Must(owarefeatures.Parse("store+houses"))(t)
	sum, err := WriteDesign(t.Context(), owarefeatures.Sets, labels, out, "store+houses", "", nil)
	if err != nil || sum.Rows != 300 || sum.Columns != set.Len() {
		t.Fatalf("%+v, error %v", sum, err)
	}
	csvOf := func(suffix string) map[string][]string {
		return tableOf(t, strings.TrimSuffix(out, ".parquet")+suffix)
	}
	rows, columns := csvOf(".labels.csv"), csvOf(".columns.csv")
	if len(rows["board"]) != 300 || len(columns["name"]) != set.Len() || columns["name"][1] != set.ColumnName(1) || columns["family"][0] != "store" {
		t.Fatalf("%d rows, %d columns", len(rows["board"]), len(columns["name"]))
	}
	l := rowsOf(t, tablesOf(t, []string{labels}))
	entries := int64(0)
	for i, label := range numbers(t, rows["label"]) {
		p := testkit.Must(oware.ParseBoard(oware.Abapa, rows["board"][i]))(t)
		if p != l.positions[i] || math.Abs(label-tame(p)) > 1e-3 {
			t.Fatalf("row %d: %s with label %g, want %s with %g", i, p, label, l.positions[i], tame(p))
		}
		var row sparseRow
		l.sparse(set).read(i, &row)
		entries += int64(len(row.entries()))
	}
	if sum.Entries != entries {
		t.Errorf("%d entries, want %d", sum.Entries, entries)
	}
}

// A column that is listed twice counts twice; there are no zeros.
func TestEntriesOfARow(t *testing.T) {
	r := sparseRow{[]uint32{3, 1, 3}, []features.Entry{{Index: 2, Value: 0}, {Index: 1, Value: -1}, {Index: 3, Value: 0.5}}}
	if got := r.entries(); len(got) != 1 || got[3] != 2.5 {
		t.Errorf("%v: want 2.5 in column 3", got)
	}
}

// A matrix that replaces a dataset removes the manifest.
func TestAMatrixThatReplacesADatasetRemovesItsManifest(t *testing.T) {
	out := filepath.Join(t.TempDir(), "l.parquet")
	labels := labelFile(t, 41, 300, tame)
	testkit.Write(t, out, testkit.Read(t, labels))
	testkit.Write(t, datasets.ManifestPath(out), testkit.Read(t, datasets.ManifestPath(labels)))
	_, err := WriteDesign(t.Context(), owarefeatures.Sets, labels, out, "store", "", nil)
	testkit.NoError(t, err)
	if _, err := os.Stat(datasets.ManifestPath(out)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the manifest is still there: %v", err)
	}
}

func TestDesignMatricesAreParquet(t *testing.T) {
	testkit.ErrorContains(t, errorOf(DesignPaths("design.npz")), "design.npz", ".parquet")
	paths, err := DesignPaths("a/design.parquet")
	if err != nil || fmt.Sprint(paths) != "[a/design.parquet a/design.labels.csv a/design.columns.csv]" {
		t.Errorf("%q, error %v", paths, err)
	}
}
