// Package profile describes datasets in depth. [Of] reads a dataset, optionally with a filter and
// another dataset to compare with. The [Profile] is available as text, JSON and a page of plots.
//
// Memory use hardly depends on the number of rows: rows are summed as they are read, and what has to
// be compared is sorted in temporary files.
package profile

import (
	"cmp"
	"context"
	"fmt"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/outline"
	"kroo/internal/parallel"
)

// Options select what to examine in addition to the rows.
type Options struct {
	Where   string // filter, such as "phase>=20, exact=true"; "" means all rows
	Compare string // dataset to compare with; may be ""
	Head    int    // number of rows to show as boards
	// Filter returns a link to the rows with a condition. If it is set, the description has
	// the distribution of each column, with these links.
	Filter func(condition string) string
	// Progress returns the progress of a step of the work, in rows; may be nil. The steps are reading and,
	// as far as they are needed, comparing and measuring.
	Progress func(step string) parallel.Progress
}

// begin begins a step of a number of rows.
func (o Options) begin(step string, rows int64) *parallel.Tally {
	var progress parallel.Progress
	if o.Progress != nil {
		progress = o.Progress(step)
	}
	return progress.Tally(0, rows)
}

// Profile describes a dataset.
type Profile struct {
	File       string                   `json:"file"`
	Bytes      int64                    `json:"bytes"`
	SHA256     string                   `json:"sha256"`
	Total      int64                    `json:"total"` // rows in the file
	Rows       int                      `json:"rows"`  // rows that match the filter
	Where      string                   `json:"where,omitempty"`
	Meta       datasets.Meta            `json:"meta"`
	Digests    map[string]string        `json:"digests,omitempty"` // of all rows, by column: see [datasets.Manifest]
	Columns    []ColumnStats            `json:"columns"`
	PhaseName  string                   `json:"phase_name"` // what a phase counts
	Phases     []PhaseStats             `json:"phases"`
	Histogram  outline.Bins             `json:"histogram,omitempty"` // of labels
	ExactShare *float64                 `json:"exact_share,omitempty"`
	Repeats    Repeats                  `json:"repeats"`
	Drift      *Drift                   `json:"drift,omitempty"` // from the compared dataset
	Features   []FeatureStats           `json:"features,omitempty"`
	Errors     *features.StandardErrors `json:"errors,omitempty"`    // kind of the features' standard errors
	Influence  *Influence               `json:"influence,omitempty"` // of rows on the fit of all features
	Residuals  *Residuals               `json:"residuals,omitempty"` // of predictions in the dataset
	Head       []map[string]any         `json:"head,omitempty"`

	headRows []FittedRow // Head as boards
	filter   func(condition string) string
	manifest datasets.Manifest
	game     games.Info
}

// ColumnStats describes a column. A boolean true counts as 1; text has no numeric statistics.
type ColumnStats struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // number, truth or text
	Rows     int    `json:"rows"` // rows with a value
	Missing  int    `json:"missing"`
	Distinct int    `json:"distinct"`
	*outline.Spread

	bars outline.Bins
}

// PhaseStats describes the rows of a phase.
type PhaseStats struct {
	Phase  int             `json:"phase"`
	Rows   int             `json:"rows"`
	Labels *outline.Spread `json:"labels,omitempty"` // points
	Exact  float64         `json:"exact"`            // share of proven labels
	Depth  float64         `json:"depth"`            // mean depth of the labelling searches, plies

	Residuals *ResidualStats `json:"residuals,omitempty"`
}

// Repeats counts repeated situations: positions that are equal under the game's symmetries, such as
// exchanging the players' names.
type Repeats struct {
	Situations int     `json:"situations"` // distinct situations
	Repeated   int     `json:"repeated"`   // rows whose situation occurred before
	Most       int     `json:"most"`       // rows of the most frequent situation
	Apart      float64 `json:"apart"`      // mean absolute difference between a repeated row's label and the first one's, points
}

// inUnits converts points to the game's unit: seeds in oware.
func (s *Profile) inUnits(points float64) float64 { return points / s.game.PointsPerUnit() }

// Of describes a dataset of a game. Memory use does not grow with the number of rows.
func Of[P games.Position[P]](ctx context.Context, g *games.Game[P], path string, o Options) (_ *Profile, err error) {
	from, err := datasets.Open(ctx, g.Info, path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	m := from.Manifest
	rows := m.Rows
	var there *datasets.Table
	if o.Compare != "" {
		there, err = datasets.Open(ctx, g.Info, o.Compare)
		if err == nil {
			defer there.Close()
			err = there.Meta.CheckRules(g.Name, m.Meta.Rules)
		}
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		rows += there.Rows
	}
	reading := o.begin("reading", rows)
	all := newSurvey(ctx, g.Info, from, o, nil)
	defer func() { err = cmp.Or(err, all.temp.Close()) }()
	if err := read(g, all, o.Where, reading.Pass()); err != nil {
		return nil, err
	}
	s := &Profile{
		File:      path,
		Bytes:     m.Bytes,
		SHA256:    m.SHA256,
		Total:     m.Rows,
		Rows:      all.rows,
		Where:     o.Where,
		Meta:      m.Meta,
		Digests:   m.Digests,
		PhaseName: g.PhaseName,
		Histogram: all.histogram,
		Head:      all.head,
		headRows:  all.headRows,
		filter:    o.Filter,
		manifest:  m,
		game:      g.Info,
	}
	all.describe(s)
	if there != nil {
		s.Drift, err = compare(ctx, g, all, there, o, reading)
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
	}
	if err := all.describeFeatures(s, o); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	lists := [][]FittedRow{s.headRows}
	if s.Influence != nil {
		lists = append(lists, s.Influence.Leverage, s.Influence.Residuals)
	}
	if s.Residuals != nil {
		lists = append(lists, s.Residuals.Worst)
	}
	if err := addBoards(ctx, g, from, lists...); err != nil {
		return nil, err
	}
	for i, r := range s.headRows {
		s.Head[i]["board"] = r.Board
	}
	return s, nil
}

// addBoards reads the positions of rows.
func addBoards[P games.Position[P]](ctx context.Context, g *games.Game[P], from *datasets.Table, lists ...[]FittedRow) error {
	wanted := map[int64][]*FittedRow{}
	for _, rows := range lists {
		for i := range rows {
			wanted[rows[i].Row] = append(wanted[rows[i].Row], &rows[i])
		}
	}
	if len(wanted) == 0 {
		return nil
	}
	for b, err := range from.Batches(ctx, datasets.Query{Columns: []string{datasets.PositionColumn(g)}}) {
		if err != nil {
			return err
		}
		if err := setBoards(g, from, b, wanted); err != nil {
			return err
		}
	}
	return nil
}

// setBoards sets the positions of the wanted rows of a batch, if it has any.
func setBoards[P games.Position[P]](g *games.Game[P], from *datasets.Table, b *datasets.Batch, wanted map[int64][]*FittedRow) (err error) {
	var positions []P // of the batch, once it has a wanted row
	for i := range b.Len() {
		rows := wanted[b.Row(i)+1]
		if rows == nil {
			continue
		}
		if positions == nil {
			positions, err = datasets.AppendPositions(g, from.Meta.Rules, b, 0, nil)
			if err != nil {
				return err
			}
		}
		for _, r := range rows {
			r.Board = g.Print(positions[i])
			r.diagram = g.Diagram(positions[i])
			r.position = positions[i]
		}
	}
	return nil
}
