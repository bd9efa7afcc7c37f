package study

import (
	"strings"
	"testing"

	"kroo/endgame"
	"kroo/games/oware"
)

func TestHistoryOfSmallLevels(t *testing.T) {
	tab, err := endgame.Build(t.Context(), endgame.Config{Rules: oware.Abapa, Bounds: endgame.Sharp, Seeds: 4, Resolve: 4}, nil)
	if err != nil {
		t.Fatal(err)
	}
	r, err := History(t.Context(), tab, 4, quiet)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range r.Lines {
		if c.Exact != c.Positions || c.Free+c.Depend > c.Exact || c.Free == 0 {
			t.Errorf("%+v", c)
		}
	}
	if rows := r.Rows(); len(rows) != 5 || !strings.Contains(r.Note(), "depends: ") || len(r.Chart().Curves) != 3 {
		t.Errorf("%q\n%s", rows, r.Note())
	}
	if _, err := History(t.Context(), tab, 5, func(int64, int64) { t.Error("it begins") }); err == nil {
		t.Error("five seeds of a table of four")
	}
}
