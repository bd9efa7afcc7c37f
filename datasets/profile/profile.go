package profile

import (
	"context"
	"fmt"

	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/sheet"
)

// Options say what to look at beside the rows themselves.
type Options[P any] struct {
	Where   string   // rows to keep, such as "phase>=20, exact=true"; "" is all
	Against []string // datasets to look for the same situations in
	Head    int      // rows to show as boards
	// Predict is an evaluation in points to compare labels with, nil for none;
	// Weights is its name.
	Predict func(P) float64
	// Progress hears of the rows read; nil for nobody.
	Progress func(done, total int64)
	Weights  string
}

// Profile describes a dataset.
type Profile struct {
	File       string            `json:"file"`
	Bytes      int64             `json:"bytes"`
	SHA256     string            `json:"sha256"`
	Total      int64             `json:"total"` // rows in the file
	Rows       int               `json:"rows"`  // that the filter wants
	Where      string            `json:"where,omitempty"`
	Meta       datasets.Meta     `json:"meta"`
	Digests    map[string]string `json:"digests,omitempty"` // of all rows, by column: see [datasets.Manifest]
	Adopted    bool              `json:"adopted,omitempty"` // its manifest was made after it
	Columns    []ColumnStats     `json:"columns"`
	PhaseName  string            `json:"phase_name"` // what a phase counts
	Phases     []PhaseStats      `json:"phases"`
	Histogram  sheet.Bins        `json:"histogram,omitempty"` // of labels
	ExactShare *float64          `json:"exact_share,omitempty"`
	Repeats    Repeats           `json:"repeats"`
	Leaks      []Leak            `json:"leaks,omitempty"`
	Features   []FeatureStats    `json:"features,omitempty"`
	Errors     *features.Errors  `json:"errors,omitempty"` // of what kind the features' standard errors are
	Residuals  *Residuals        `json:"residuals,omitempty"`
	Head       []map[string]any  `json:"head,omitempty"`

	// Head for people: a header and the values of each row, and its board.
	rowTable [][]string
	boards   []string

	manifest datasets.Manifest
	labels   []float64
	game     games.Info
}

// inUnits is a value of the file, in points, in what people count in: seeds in oware.
func (s *Profile) inUnits(points float64) float64 { return points / s.game.PointsPerUnit() }

// Of reads a dataset of a game and describes it. It holds the rows that
// the filter wants in memory, some hundred bytes each.
func Of[P games.Position[P]](ctx context.Context, g *games.Game[P], path string, o Options[P]) (*Profile, error) {
	m, err := datasets.ReadManifest(path)
	if err != nil {
		return nil, err
	}
	told := func(int) {}
	if o.Progress != nil {
		told = func(rows int) { o.Progress(int64(rows), m.Rows) }
	}
	t, err := readTable(ctx, g, path, m, o.Where, told)
	if err != nil {
		return nil, err
	}
	s := &Profile{
		File: path, Bytes: m.Bytes, SHA256: m.SHA256, Total: m.Rows, Rows: t.rows(),
		Where: o.Where, Meta: m.Meta, Digests: m.Digests, Adopted: m.Adopted, PhaseName: g.PhaseName, manifest: m, labels: t.labels(), game: g.Info,
	}
	s.Columns, s.Phases, s.Histogram, s.Repeats = describe(t.fields), t.byPhase(), t.histogram(), t.repeats()
	if exact := t.field("exact"); exact != nil && s.Rows > 0 {
		share := stat.Mean(exact.values, nil)
		s.ExactShare = &share
	}
	for _, other := range o.Against {
		l, err := t.leak(ctx, other)
		if err != nil {
			return nil, err
		}
		s.Leaks = append(s.Leaks, l)
	}
	if s.Features, s.Errors, err = t.features(); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	switch {
	case o.Predict != nil:
		s.Residuals, err = t.residuals(o.Weights, t.predictions(o.Predict))
	case m.Meta.Predicted() && t.rows() > 0:
		s.Residuals, err = t.residuals("the predictions of the file", t.field(datasets.PredictionColumns[0]).values)
	}
	if err != nil {
		return nil, err
	}
	t.head(s, o.Head)
	return s, nil
}

// head puts the first rows into the sheet.
func (t *table[P]) head(s *Profile, n int) {
	s.rowTable = [][]string{{"row"}}
	for k := range t.fields {
		s.rowTable[0] = append(s.rowTable[0], t.fields[k].name)
	}
	for i := range min(n, t.rows()) {
		row := map[string]any{"board": t.game.Print(t.positions[i])}
		texts := []string{fmt.Sprint(i + 1)}
		for k := range t.fields {
			f := &t.fields[k]
			texts = append(texts, f.show(f.values[i]))
			if v := f.values[i]; v == v { // not missing
				row[f.name] = f.json(v)
			}
		}
		s.Head = append(s.Head, row)
		s.rowTable = append(s.rowTable, texts)
		s.boards = append(s.boards, t.game.Diagram(t.positions[i])+"\n"+t.game.Print(t.positions[i])+"\n")
	}
}

// json is a value as JSON holds it.
func (f *field) json(v float64) any {
	switch f.typ {
	case datasets.TextField:
		return f.names[int(v)]
	case datasets.TruthField:
		return v != 0
	}
	return v
}
