package regress

import (
	"context"
	"slices"

	"kroo/datasets"
	"kroo/games"
)

// Readings of what a label is where the search has proven who wins. Labels have
// ±1000 points there, the ends of their scale.
const (
	ProvenCentre = "centre"         // 0, the middle of the scale
	ProvenWins   = "wins-at-centre" // 0 where the side to move wins; where it loses, −1000
)

// readings are the readings of proven results that a fit can set beside the
// labels as they are.
func readings() []string { return []string{ProvenCentre, ProvenWins} }

// provenOf tells which labels are proven.
func provenOf[P games.Position[P]](rows []datasets.FeatureRow[P]) []bool {
	proven := make([]bool, len(rows))
	for i, r := range rows {
		proven[i] = r.Exact
	}
	return proven
}

// read gives data the labels of a reading.
func (d data) read(reading string, proven []bool) data {
	y := slices.Clone(d.Y)
	for i := range y {
		if proven[i] && (reading == ProvenCentre || y[i] > 0) {
			y[i] = 0
		}
	}
	d.Y = y
	return d
}

// fitReadings fits the subsets to labels that are read otherwise.
func (t *trainer) fitReadings(ctx context.Context, out *Summary) error {
	for _, name := range t.Proven {
		read := *t
		read.train, read.valid = t.train.read(name, t.trainProven), t.valid.read(name, t.validProven)
		subsets, err := read.fitSubsets(ctx)
		if err != nil {
			return err
		}
		out.Readings = append(out.Readings, ReadingSummary{name, subsets})
	}
	return nil
}
