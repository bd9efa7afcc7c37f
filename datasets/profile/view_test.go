package profile

import (
	"context"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// viewOf writes random labels and opens them as a view.
func viewOf(t *testing.T, n int) (*View[oware.Position], string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "labels.parquet")
	testkit.NoError(t, datasets.Write(oware.Descriptor(), path, datasets.Meta{Kind: datasets.Labels, Game: "oware", Rules: "abapa"}, datasets.Rows(labelRows(t, n))))
	v, err := Open(t.Context(), oware.Descriptor(), path, 1<<20, nil)
	testkit.NoError(t, err)
	return v, path
}

// A view filters and describes as Dataset does.
func TestViewAgreesWithDataset(t *testing.T) {
	v, path := viewOf(t, 300)
	predict := func(p oware.Position) float64 { return 40 * float64(p.Store()-p.OpponentStore()) }
	for _, where := range []string{"", "phase>=20", "phase>=20, exact=true", "best!=F", "label<-5000", "key<5000000000000 or phase=9"} {
		s, err := v.Select(where)
		testkit.NoError(t, err)
		o := Options[oware.Position]{Where: where}
		if s.Rows() > 0 {
			o.Predict = predict
		}
		want, err := Of(t.Context(), oware.Descriptor(), path, o)
		testkit.NoError(t, err)
		if s.Rows() != want.Rows || s.Columns() != len(want.Columns) {
			t.Fatalf("%q: %d rows, %d columns, want %d, %d", where, s.Rows(), s.Columns(), want.Rows, len(want.Columns))
		}
		for i, c := range want.Columns {
			d, err := s.Distribution(t.Context(), i)
			testkit.NoError(t, err)
			if d.Name != c.Name || d.Rows != c.Rows || d.Distinct != c.Distinct || (d.Spread == nil) != (c.Spread == nil) || d.Spread != nil && *d.Spread != *c.Spread {
				t.Errorf("%q: column %+v, want %+v", where, d.ColumnStats, c)
			}
			sum := 0
			for _, b := range d.Bars {
				sum += b.Rows
			}
			if sum != d.Rows {
				t.Errorf("%q: the bars of %s hold %d of %d rows", where, d.Name, sum, d.Rows)
			}
		}
		if s.Rows() == 0 {
			continue
		}
		e := Evaluation[oware.Position]{Name: "stores", Predict: predict}
		c, err := s.Compare(e)
		if err != nil || c.Stats != want.Residuals.Stats || !slices.Equal(c.Phases, want.Residuals.Phases) {
			t.Errorf("%q: compared %+v, %v, want %+v", where, c, err, want.Residuals)
		}
		for i, r := range s.List(0, 5, &e) {
			w := want.Residuals.Worst[i]
			if r.Board != w.Board || *r.Label != w.Label || *r.Prediction != w.Prediction {
				t.Errorf("%q: worst row %+v, want %+v", where, r, w)
			}
		}
	}
}

// Filtering by a bar, as the page of datasets does, gives the rows that the bar counts.
func TestBarsAreFilters(t *testing.T) {
	v, _ := viewOf(t, 200)
	all, err := v.Select("")
	testkit.NoError(t, err)
	seen := map[string]bool{}
	number := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	for i := range all.Columns() {
		d, err := all.Distribution(t.Context(), i)
		testkit.NoError(t, err)
		for k, b := range d.Bars {
			below, kind, where := "<", "range", ""
			if k == len(d.Bars)-1 {
				below = "<="
			}
			switch {
			case b.Name != "":
				kind, where = "name", d.Name+"="+b.Name
			case b.From == b.To:
				kind, where = "number", d.Name+"="+number(b.From)
			default:
				where = d.Name + ">=" + number(b.From) + ", " + d.Name + below + number(b.To)
			}
			seen[kind] = true
			s, err := v.Select(where)
			if err != nil || s.Rows() != b.Rows {
				t.Errorf("%s: bar %+v, %q gives %d rows, %v", d.Name, b, where, s.Rows(), err)
			}
		}
	}
	if len(seen) != 3 {
		t.Errorf("bars of the kinds %v only: expected names, numbers and ranges", seen)
	}
}

func TestListPagesThroughAllRows(t *testing.T) {
	v, _ := viewOf(t, 100)
	s, err := v.Select("phase>=10")
	testkit.NoError(t, err)
	last, seen := 0, 0
	for offset := 0; offset < s.Rows()+20; offset += 7 {
		for _, r := range s.List(offset, 7, nil) {
			if r.Row <= last || len(r.Values) != s.Columns() {
				t.Fatalf("row %+v after %d", r, last)
			}
			last = r.Row
			seen++
		}
	}
	if seen != s.Rows() {
		t.Errorf("%d rows listed, want %d", seen, s.Rows())
	}
}

func TestViewRefuses(t *testing.T) {
	v, path := viewOf(t, 50)
	if _, err := Open(t.Context(), oware.Descriptor(), path, 100, nil); err == nil || !strings.Contains(err.Error(), "expected at most 10 rows") {
		t.Errorf("too many rows: %v", err)
	}
	stop := errors.New("stop")
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(stop)
	if _, err := Open(ctx, oware.Descriptor(), path, 1<<20, nil); !errors.Is(err, stop) {
		t.Errorf("stopped: %v", err)
	}
	if _, err := v.Select("nothing=1"); err == nil {
		t.Error("an unknown column is taken")
	}
}
