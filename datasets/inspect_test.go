package datasets

import (
	"encoding/json"
	"math"
	"path/filepath"
	"sort"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"kroo/games/oware"
)

func TestInspectSumsUp(t *testing.T) {
	start := oware.Start(oware.Abapa)
	rows := []LabelRow{
		{PositionRow: PositionRow{Key: start.BookKey()}, Label: 1, Score: -200, Depth: 7, Nodes: 10, Exact: true},
		{PositionRow: PositionRow{Key: start.Play(5).BookKey()}, Label: 2, Score: 100, Depth: 7, Nodes: 20},
		{PositionRow: PositionRow{Key: start.BookKey()}, Label: 2, Score: 100, Depth: 7, Nodes: 30},
		{PositionRow: PositionRow{Key: start.BookKey()}, Label: 7, Score: 100, Depth: 7, Nodes: 40},
	}
	for _, ext := range extensions {
		path := filepath.Join(t.TempDir(), "l"+ext)
		if err := WriteLabels(path, Meta{Game: "oware", Rules: "abapa", Note: "four rows"}, rows); err != nil {
			t.Fatal(err)
		}
		s, err := Inspect(path)
		if err != nil {
			t.Fatal(err)
		}
		if s.File != path || s.Format != ext[1:] || s.Rows != 4 || s.Meta.Note != "four rows" || s.Meta.Kind != Labels {
			t.Errorf("%s: %+v", ext, s)
		}
		hash, err := FileHash(path)
		if err != nil || s.SHA256 != hash {
			t.Errorf("hash %s, want %s, %v", s.SHA256, hash, err)
		}
		got := map[string]ColumnSummary{}
		for _, c := range s.Columns {
			got[c.Name] = c
		}
		for _, want := range []ColumnSummary{
			{"label", "float64", 3, &Numbers{1, 7, 3, math.Sqrt(5.5), []float64{1, 1, 1, 2, 2, 7, 7}}},
			{"score", "int32", 2, &Numbers{-200, 100, 25, math.Sqrt(16875), []float64{-200, -200, -200, 100, 100, 100, 100}}},
			{"depth", "int32", 1, &Numbers{7, 7, 7, 0, []float64{7, 7, 7, 7, 7, 7, 7}}},
			{"phase", "uint8", 1, &Numbers{48, 48, 48, 0, []float64{48, 48, 48, 48, 48, 48, 48}}},
			{"exact", "bool", 2, &Numbers{0, 1, 0.25, math.Sqrt(0.1875), []float64{0, 0, 0, 0, 0, 1, 1}}},
			{"board", "text", 2, nil},
		} {
			if diff := cmp.Diff(want, got[want.Name], cmpopts.EquateApprox(1e-12, 0)); diff != "" {
				t.Errorf("%s (-want +got)\n%s", ext, diff)
			}
		}
		first := []any{start.BookKey(), "4-4-4-4-4-4-4-4-4-4-4-4-0-0-S", int64(48), int64(0), int64(0), int64(-200), 1.0, int64(7), true, int64(10), "value", ""}
		if len(s.First) != 4 || !cmp.Equal(s.First[0], first) {
			t.Errorf("first rows %v, want to begin with %v", s.First, first)
		}
		if _, err := json.Marshal(s); err != nil {
			t.Error(err)
		}
	}
}

// The statistics of random columns against the definitions, the slow way.
func TestNumbersAgainstTheDefinitions(t *testing.T) {
	rng := newRand()
	for range 50 {
		values := make([]float64, 1+rng.IntN(200))
		seen := map[float64]bool{}
		var sum, squares float64
		for i := range values {
			values[i] = float64(rng.IntN(100))
			seen[values[i]] = true
			sum += values[i]
			squares += values[i] * values[i]
		}
		n := float64(len(values))
		got := summarize(&column{name: "x", typ: typeFloat64, floats: append([]float64(nil), values...)})
		sort.Float64s(values)
		if got.Distinct != int64(len(seen)) || got.Numbers.Min != values[0] || got.Numbers.Max != values[len(values)-1] {
			t.Errorf("%+v of %v", got, values)
		}
		variance := squares/n - sum*sum/n/n
		if math.Abs(got.Numbers.Mean-sum/n) > 1e-9 || math.Abs(got.Numbers.SD-math.Sqrt(max(0, variance))) > 1e-6 {
			t.Errorf("mean %v and SD %v of %v", got.Numbers.Mean, got.Numbers.SD, values)
		}
		for i, q := range Quantiles {
			atMost := 0 // the quantile is the least value with a share of q at or below it
			for _, v := range values {
				if v <= got.Numbers.Quantiles[i] {
					atMost++
				}
			}
			below := sort.SearchFloat64s(values, got.Numbers.Quantiles[i])
			if float64(atMost) < q*n || float64(below) >= q*n {
				t.Errorf("quantile %v of %v is %v", q, values, got.Numbers.Quantiles[i])
			}
		}
	}
}

func TestInspectEmptyTable(t *testing.T) {
	for _, ext := range extensions {
		path := filepath.Join(t.TempDir(), "p"+ext)
		if err := WriteFeatures(path, featureMeta("a"), nil); err != nil {
			t.Fatal(err)
		}
		s, err := Inspect(path)
		if err != nil {
			t.Fatal(err)
		}
		if s.Rows != 0 || len(s.First) != 0 || len(s.Columns) != 10 || s.Columns[2].Numbers != nil {
			t.Errorf("%+v", s)
		}
		if _, err := json.Marshal(s); err != nil {
			t.Error(err)
		}
	}
}

// All formats of all kinds give the same summary but for the file's own data.
func TestFormatsGiveTheSameSummary(t *testing.T) {
	rows := randomFeatures(newRand(), 300, 2)
	var s [2]*Summary
	for i, ext := range extensions {
		path := filepath.Join(t.TempDir(), "f"+ext)
		if err := WriteFeatures(path, featureMeta("a", "b"), rows); err != nil {
			t.Fatal(err)
		}
		var err error
		if s[i], err = Inspect(path); err != nil {
			t.Fatal(err)
		}
	}
	if diff := cmp.Diff(s[0], s[1], cmpopts.IgnoreFields(Summary{}, "File", "Format", "Bytes", "SHA256")); diff != "" {
		t.Error(diff)
	}
	if len(s[0].First) != FirstRows {
		t.Errorf("%d first rows, want %d", len(s[0].First), FirstRows)
	}
}
