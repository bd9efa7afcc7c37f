package profile

import (
	"kroo/datasets"
	"kroo/games"
)

// featureSums add up the differences of features, and the label, over the rows of a dataset.
type featureSums struct {
	names []string
	plain int         // of the names, those that count: their differences are whole and within ±255
	bands []*products // of the differences and then the label, by the part of the game
	parts bands
	cells []cell // of each plain feature, by difference
}

// cell is the rows in which a difference has a value.
type cell struct {
	rows   int
	labels float64 // sum
}

// widest is the largest difference of two counts.
const widest = 255

// cellOf is where the cell of a feature and a difference is.
func cellOf(feature int, difference float64) int {
	return feature*(2*widest+1) + int(difference) + widest
}

func newFeatureSums(names []string, plain, maxPhase int) *featureSums {
	parts := bandsOf(maxPhase)
	return &featureSums{names: names, plain: plain, parts: parts, bands: make([]*products, parts.n), cells: make([]cell, plain*(2*widest+1))}
}

// bands divide the phases of a game.
type bands struct{ n, width, last int }

// mostBands is into how many parts the phases are divided at most.
const mostBands = 6

func bandsOf(maxPhase int) bands {
	width := (maxPhase + mostBands - 1) / mostBands
	return bands{(maxPhase + width - 1) / width, width, maxPhase}
}

// of is the part that a phase is in: phase 0 is in the first.
func (b bands) of(phase int) int { return max(0, phase-1) / b.width }

// ends are the first and last phase of a part.
func (b bands) ends(i int) (first, last int) {
	if i > 0 {
		first = i*b.width + 1
	}
	return first, min((i+1)*b.width, b.last)
}

// addFeatures adds the rows of a table.
func addFeatures[P games.Position[P]](f *featureSums, t *table[P]) {
	differences, labels, phase := t.differences(f.names), t.labels(), t.field("phase").values
	row := make([]float64, len(f.names)+1)
	for i, y := range labels {
		for j, x := range differences {
			row[j] = x[i]
			if j < f.plain {
				c := &f.cells[cellOf(j, x[i])]
				c.rows++
				c.labels += y
			}
		}
		row[len(differences)] = y
		f.band(f.parts.of(int(phase[i])), row).add(row)
	}
}

// band is the sums of a part of the game, all with the first row as their origin.
func (f *featureSums) band(i int, row []float64) *products {
	if f.bands[i] == nil {
		origin := append([]float64{}, row...)
		for _, b := range f.bands {
			if b != nil {
				origin = b.origin
			}
		}
		f.bands[i] = newProducts(origin)
	}
	return f.bands[i]
}

// total is the sums over all rows, nil without any.
func (f *featureSums) total() *products {
	var all *products
	for _, b := range f.bands {
		if b == nil {
			continue
		}
		if all == nil {
			all = newProducts(b.origin)
		}
		all.merge(b)
	}
	return all
}

// columns are those of a dataset that a fit needs.
func (f *featureSums) columns(m datasets.Meta) []string {
	all := []string{"game", "label"}
	for _, name := range f.names[:f.plain] {
		all = append(all, "own_"+datasets.ColumnName(name), "opp_"+datasets.ColumnName(name))
	}
	return append(all, m.Fitted()...)
}

// differences are those of features, each for every row.
func (t *table[P]) differences(names []string) (all [][]float64) {
	for _, name := range names {
		all = append(all, t.difference(name))
	}
	return all
}
