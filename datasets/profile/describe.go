package profile

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/parallel"
	"kroo/internal/sheet"
)

// ColumnStats describes a column. Of truth values, true counts as 1; text has
// no numbers.
type ColumnStats struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // number, truth or text
	Rows     int    `json:"rows"` // that have a value
	Missing  int    `json:"missing"`
	Distinct int    `json:"distinct"`
	*sheet.Spread
}

// describe sums up all columns, several at a time.
func describe(fields []field) []ColumnStats {
	all := make([]ColumnStats, len(fields))
	parallel.For(0, len(fields), func(_, i int) { all[i] = fields[i].describe() })
	return all
}

func (f *field) describe() ColumnStats {
	sorted := slices.DeleteFunc(slices.Clone(f.values), math.IsNaN)
	slices.Sort(sorted)
	s := ColumnStats{Name: f.name, Type: f.typ, Rows: len(sorted), Missing: len(f.values) - len(sorted)}
	for i, v := range sorted {
		if i == 0 || v != sorted[i-1] {
			s.Distinct++
		}
	}
	if f.typ != datasets.TextField && len(sorted) > 0 {
		spread := sheet.SpreadOf(sorted)
		s.Spread = &spread
	}
	return s
}

// PhaseStats describes the rows of a phase of the game.
type PhaseStats struct {
	Phase  int           `json:"phase"`
	Rows   int           `json:"rows"`
	Labels *sheet.Spread `json:"labels,omitempty"` // points
	Exact  float64       `json:"exact"`            // share of the labels that are proven
	Depth  float64       `json:"depth"`            // mean plies of the labelling searches
}

// byPhase describes every phase that has rows.
func (t *table[P]) byPhase() (all []PhaseStats) {
	phase, labels := t.field("phase").values, t.labels()
	groups := make([][]int32, t.game.MaxPhase+1)
	for i, v := range phase {
		groups[int(v)] = append(groups[int(v)], int32(i))
	}
	for k, rows := range groups {
		if len(rows) == 0 {
			continue
		}
		s := PhaseStats{Phase: k, Rows: len(rows)}
		if labels != nil {
			values := pick(labels, rows)
			slices.Sort(values)
			spread := sheet.SpreadOf(values)
			s.Labels = &spread
			s.Exact, s.Depth = stat.Mean(pick(t.field("exact").values, rows), nil), stat.Mean(pick(t.field("depth").values, rows), nil)
		}
		all = append(all, s)
	}
	return all
}

// histogram counts labels in bins of equal width.
func (t *table[P]) histogram() sheet.Bins {
	labels := t.labels()
	if labels == nil {
		return nil
	}
	exact := t.field("exact").values
	all := sheet.NewBins(games.MaxPoints)
	for i, y := range labels {
		all.Count(y, exact[i] != 0)
	}
	return all
}
