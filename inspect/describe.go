package inspect

import (
	"math"
	"slices"

	"kroo/games"
	"kroo/internal/parallel"
)

// ColumnStats describes a column. Of truth values, true counts as 1; text has
// no numbers.
type ColumnStats struct {
	Name     string `json:"name"`
	Type     string `json:"type"` // number, truth or text
	Rows     int    `json:"rows"` // that have a value
	Missing  int    `json:"missing"`
	Distinct int    `json:"distinct"`
	*Spread
}

// Spread says where numbers lie. Quartiles are values that occur, by nearest
// rank.
type Spread struct {
	Min    float64 `json:"min"`
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	Max    float64 `json:"max"`
	Mean   float64 `json:"mean"`
	SD     float64 `json:"sd"` // of the values themselves: divided by their number
}

// describe sums up all columns, several at a time.
func describe(fields []field) []ColumnStats {
	all := make([]ColumnStats, len(fields))
	parallel.For(0, len(fields), func(_, i int) { all[i] = fields[i].describe() })
	return all
}

func (f *field) describe() ColumnStats {
	sorted := sorted(slices.DeleteFunc(slices.Clone(f.values), math.IsNaN))
	s := ColumnStats{Name: f.name, Type: f.typ, Rows: len(sorted), Missing: len(f.values) - len(sorted)}
	for i, v := range sorted {
		if i == 0 || v != sorted[i-1] {
			s.Distinct++
		}
	}
	if f.typ != typeText && len(sorted) > 0 {
		spread := spreadOf(sorted)
		s.Spread = &spread
	}
	return s
}

// sorted sorts values in place.
func sorted(values []float64) []float64 {
	slices.Sort(values)
	return values
}

// spreadOf is that of sorted numbers, of which there are some.
func spreadOf(sorted []float64) Spread {
	n := float64(len(sorted))
	s := Spread{Min: sorted[0], Max: sorted[len(sorted)-1]}
	for _, v := range sorted {
		s.Mean += v / n
	}
	for _, v := range sorted {
		s.SD += (v - s.Mean) * (v - s.Mean) / n
	}
	s.SD = math.Sqrt(s.SD)
	rank := func(share float64) float64 { return sorted[max(0, int(math.Ceil(share*n))-1)] }
	s.Q1, s.Median, s.Q3 = rank(0.25), rank(0.5), rank(0.75)
	return s
}

// PhaseStats describes the rows of a phase of the game.
type PhaseStats struct {
	Phase  int     `json:"phase"`
	Rows   int     `json:"rows"`
	Labels *Spread `json:"labels,omitempty"` // points
	Exact  float64 `json:"exact"`            // share of the labels that are proven
	Depth  float64 `json:"depth"`            // mean plies of the labelling searches
}

// byPhase describes every phase that has rows.
func (t *table[P]) byPhase() (all []PhaseStats) {
	phase, labels := t.field("phase").values, t.labels()
	groups := make([][]int, t.game.MaxPhase+1)
	for i, v := range phase {
		groups[int(v)] = append(groups[int(v)], i)
	}
	for k, rows := range groups {
		if len(rows) == 0 {
			continue
		}
		s := PhaseStats{Phase: k, Rows: len(rows)}
		if labels != nil {
			values := make([]float64, 0, len(rows))
			for _, i := range rows {
				values = append(values, labels[i])
				s.Exact += t.field("exact").values[i] / float64(len(rows))
				s.Depth += t.field("depth").values[i] / float64(len(rows))
			}
			slices.Sort(values)
			spread := spreadOf(values)
			s.Labels = &spread
		}
		all = append(all, s)
	}
	return all
}

// Bin counts the labels of From ≤ label < To; the last bin holds its end too.
type Bin struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Rows  int     `json:"rows"`
	Exact int     `json:"exact"` // of those, proven
}

// bins is the number of bins of a histogram of labels.
const bins = 20

// emptyBins are the bins of values in points.
func emptyBins() []Bin {
	all := make([]Bin, bins)
	for i := range all {
		all[i].From = float64(-games.MaxPoints + i*binWidth)
		all[i].To = all[i].From + binWidth
	}
	return all
}

// binWidth is that of a bin, in points.
const binWidth = 2 * games.MaxPoints / bins

// binOf finds the bin of a value.
func binOf(all []Bin, y float64) *Bin {
	return &all[min(bins-1, int((y+games.MaxPoints)/binWidth))]
}

// histogram counts labels in bins of equal width.
func (t *table[P]) histogram() []Bin {
	labels := t.labels()
	if labels == nil {
		return nil
	}
	exact := t.field("exact").values
	all := emptyBins()
	for i, y := range labels {
		b := binOf(all, y)
		b.Rows++
		b.Exact += int(exact[i])
	}
	return all
}
