package profile

import (
	"slices"
	"strings"
	"testing"

	"kroo/datasets"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// Filtering by a bar's condition, as on the page of datasets, selects the rows that the bar counts.
func TestBarsCountTheRowsOfTheirFilter(t *testing.T) {
	path := labelFile(t, labelRows(t, 120))
	s := testkit.Must(Of(t.Context(), oware.Descriptor(), path, Options[oware.Position]{Bars: true}))(t)
	kinds := map[bool]int{}
	columns := slices.DeleteFunc(slices.Clone(s.Columns), func(c ColumnStats) bool { return c.Rows == 0 || c.Name == datasets.GroupColumn })
	for k, section := range s.Distributions(func(condition string) string { return condition }) {
		sum := 0
		for i, where := range section.Table.Links {
			some := testkit.Must(Of(t.Context(), oware.Descriptor(), path, Options[oware.Position]{Where: where}))(t)
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
