// Package profile describes datasets in depth. [Of] reads a dataset, optionally with a filter,
// other datasets to search for the same situations, and an evaluation to compare with the labels.
// The [Profile] is available as text, JSON and a page of plots.
//
// Memory use hardly depends on the number of rows (a bit for each): rows are summed as they are
// read, and what has to be compared is sorted in temporary files.
package profile

import (
	"cmp"
	"context"
	"fmt"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/doc"
	"kroo/internal/parallel"
)

// Options select what to examine in addition to the rows.
type Options[P any] struct {
	Where   string   // filter, such as "phase>=20, exact=true"; "" means all rows
	Against []string // datasets to search for the same situations
	Compare string   // dataset to compare the columns with; may be ""
	Head    int      // number of rows to show as boards
	Bars    bool     // compute histograms for [Profile.Distributions]
	// Predict is an evaluation in points to compare with the labels, or nil; Weights is its
	// name.
	Predict func(P) float64
	// Progress counts the rows read; may be nil.
	Progress parallel.Progress
	Weights  string
}

// Profile describes a dataset.
type Profile struct {
	File       string            `json:"file"`
	Bytes      int64             `json:"bytes"`
	SHA256     string            `json:"sha256"`
	Total      int64             `json:"total"` // rows in the file
	Rows       int               `json:"rows"`  // rows that match the filter
	Where      string            `json:"where,omitempty"`
	Meta       datasets.Meta     `json:"meta"`
	Digests    map[string]string `json:"digests,omitempty"` // of all rows, by column: see [datasets.Manifest]
	Adopted    bool              `json:"adopted,omitempty"` // the manifest was created by train adopt
	Columns    []ColumnStats     `json:"columns"`
	PhaseName  string            `json:"phase_name"` // what a phase counts
	Phases     []PhaseStats      `json:"phases"`
	Histogram  doc.Bins          `json:"histogram,omitempty"` // of labels
	ExactShare *float64          `json:"exact_share,omitempty"`
	Repeats    Repeats           `json:"repeats"`
	Leaks      []Leak            `json:"leaks,omitempty"`
	Drift      *Drift            `json:"drift,omitempty"` // from the compared dataset
	Features   []FeatureStats    `json:"features,omitempty"`
	Errors     *features.Errors  `json:"errors,omitempty"`    // kind of the features' standard errors
	Influence  *Influence        `json:"influence,omitempty"` // of rows on the fit of all features
	Residuals  *Residuals        `json:"residuals,omitempty"`
	Head       []map[string]any  `json:"head,omitempty"`

	// The first rows as text: a table and the boards.
	rowTable   *doc.Table
	headBoards []FittedRow

	manifest datasets.Manifest
	game     games.Info
}

// inUnits converts points to the game's unit: seeds in oware.
func (s *Profile) inUnits(points float64) float64 { return points / s.game.PointsPerUnit() }

// Of describes a dataset of a game. It reads the rows once, or twice if they have features. Memory
// use does not grow with the number of rows.
func Of[P games.Position[P]](ctx context.Context, g *games.Game[P], path string, o Options[P]) (_ *Profile, err error) {
	from, err := datasets.Open(ctx, g.Info, path)
	if err != nil {
		return nil, err
	}
	defer from.Close()
	m := from.Manifest
	if o.Predict != nil {
		if err := needLabels(m); err != nil {
			return nil, err
		}
	}
	work, err := passes(m, o)
	if err != nil {
		return nil, err
	}
	all, err := surveyOf(ctx, g, from, o, work.Pass())
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, all.close()) }()
	s := &Profile{
		File: path, Bytes: m.Bytes, SHA256: m.SHA256, Total: m.Rows, Rows: all.rows,
		Where: o.Where, Meta: m.Meta, Digests: m.Digests, Adopted: m.Adopted, PhaseName: g.PhaseName, Histogram: all.histogram, manifest: m, game: g.Info,
	}
	if err := sumUp(ctx, s, all, o); err != nil {
		return nil, err
	}
	if o.Compare != "" {
		if s.Drift, err = all.compare(ctx, g, from, o, work); err != nil {
			return nil, err
		}
	}
	if err := all.describeFeatures(ctx, from, o, s, work.Pass()); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if r := all.residuals; r != nil {
		if s.Rows == 0 && o.Predict != nil {
			return nil, fmt.Errorf("%s: no rows left to compare weights with", m.File)
		}
		if s.Rows > 0 {
			s.Residuals = r.residuals(g)
		}
	}
	s.addHead(all.fields, all.first)
	return s, nil
}

// sumUp fills in the profile from a survey, and compares with the other datasets.
func sumUp[P games.Position[P]](ctx context.Context, s *Profile, all *survey[P], o Options[P]) (err error) {
	if s.Columns, err = all.columns(ctx, o.Bars); err != nil {
		return err
	}
	if s.Phases, err = all.byPhase(ctx); err != nil {
		return err
	}
	if s.Repeats, err = all.repeats(ctx); err != nil {
		return err
	}
	if s.Histogram != nil && s.Rows > 0 {
		share := float64(all.exact) / float64(s.Rows)
		s.ExactShare = &share
	}
	for _, other := range o.Against {
		l, err := all.leak(ctx, other)
		if err != nil {
			return err
		}
		s.Leaks = append(s.Leaks, l)
	}
	return nil
}

// passes returns a progress tally for the largest number of passes that a dataset can take.
func passes[P any](m datasets.Manifest, o Options[P]) (*parallel.Tally, error) {
	total := m.Rows
	if m.Meta.Kind == datasets.Features {
		total += m.Rows
	}
	if o.Compare != "" {
		other, err := datasets.ReadManifest(o.Compare)
		if err != nil {
			return nil, fmt.Errorf("compare: %w", err)
		}
		total += m.Rows + 2*other.Rows
	}
	return o.Progress.Tally(0, total), nil
}
