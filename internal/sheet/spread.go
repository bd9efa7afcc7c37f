package sheet

import "math"

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

// SpreadOf is that of sorted numbers, of which there are some.
func SpreadOf(sorted []float64) Spread {
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

// Bin counts the values of From ≤ value < To; the last bin holds its end too.
type Bin struct {
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Rows  int     `json:"rows"`
	Exact int     `json:"exact"` // of those, proven
}

// Bins divide a range around 0 into equal parts.
type Bins []Bin

// NewBins are 20 from -most to most.
func NewBins(most float64) Bins {
	all := make(Bins, 20)
	for i := range all {
		all[i].From = -most + float64(i)*most/10
		all[i].To = all[i].From + most/10
	}
	return all
}

// Count counts a value.
func (all Bins) Count(v float64, exact bool) {
	width := all[0].To - all[0].From
	b := &all[min(len(all)-1, int((v-all[0].From)/width))]
	b.Rows++
	if exact {
		b.Exact++
	}
}
