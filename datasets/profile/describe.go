package profile

import (
	"context"

	"kroo/datasets"
	"kroo/internal/doc"
)

// ColumnStats describes a column. Of truth values, true counts as 1; text has
// no numbers.
type ColumnStats struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // number, truth or text
	Rows     int    `json:"rows"` // that have a value
	Missing  int    `json:"missing"`
	Distinct int    `json:"distinct"`
	*doc.Spread
}

// columnOf describes a column by its counts.
func columnOf(ctx context.Context, f field, t *tally) (s ColumnStats, err error) {
	s = ColumnStats{Name: f.name, Type: f.typ, Rows: t.rows, Missing: t.missing}
	s.Distinct, s.Spread, err = t.describe(ctx)
	if f.typ == datasets.TextField {
		s.Spread = nil
	}
	return s, err
}

// PhaseStats describes the rows of a phase of the game.
type PhaseStats struct {
	Phase  int         `json:"phase"`
	Rows   int         `json:"rows"`
	Labels *doc.Spread `json:"labels,omitempty"` // points
	Exact  float64     `json:"exact"`            // share of the labels that are proven
	Depth  float64     `json:"depth"`            // mean plies of the labelling searches
}
