package outline

import (
	"iter"
	"math"
	"sort"
)

// Spread describes a distribution. Quartiles are values of the sample, by nearest rank.
type Spread struct {
	Min    float64 `json:"min"`
	Q1     float64 `json:"q1"`
	Median float64 `json:"median"`
	Q3     float64 `json:"q3"`
	Max    float64 `json:"max"`
	Mean   float64 `json:"mean"`
	SD     float64 `json:"sd"` // population standard deviation: divided by n
}

// SpreadOf describes values in ascending order, each with its number of rows, given the number of all
// rows. It returns nil without rows, and the number of distinct values.
func SpreadOf[T int | float64](values iter.Seq2[T, int], rows int) (s *Spread, distinct int) {
	s = &Spread{}
	quartiles := [3]*float64{&s.Q1, &s.Median, &s.Q3}
	squares, seen := 0.0, 0
	for value, n := range values {
		if n == 0 {
			continue
		}
		v := float64(value)
		distinct++
		if distinct == 1 {
			s.Min, s.Mean = v, v
		}
		s.Max = v
		for i, at := range quartiles {
			if rank := max(1, (rows*(i+1)+3)/4); seen < rank && rank <= seen+n {
				*at = v
			}
		}
		// West's update of mean and squares (1979).
		seen += n
		off := v - s.Mean
		s.Mean += off * float64(n) / float64(seen)
		squares += float64(n) * off * (v - s.Mean)
	}
	if distinct == 0 {
		return nil, 0
	}
	s.SD = math.Sqrt(squares / float64(rows))
	return s, distinct
}

// Bin counts the values with From ≤ value < To, or those with a name. The last bin includes its
// upper edge. A bin for one whole number has To equal to From.
type Bin struct {
	Name  string  `json:"name,omitempty"`
	From  float64 `json:"from"`
	To    float64 `json:"to"`
	Rows  int     `json:"rows"`
	Exact int     `json:"exact"` // proven values among Rows
}

// Bins are adjacent intervals in ascending order.
type Bins []Bin

// NewBins returns 20 equal bins from -most to most.
func NewBins(most float64) Bins { return between(-most, most, 20) }

// between divides a range into n equal bins.
func between(low, high float64, n int) Bins {
	all := make(Bins, n)
	width := (high - low) / float64(n)
	for i := range all {
		all[i].From, all[i].To = low+float64(i)*width, low+float64(i+1)*width
	}
	all[n-1].To = high
	return all
}

// Limits of [BinsOf].
const (
	maxWhole  = 60    // most distinct whole numbers with one bin each
	equalBins = 30    // number of bins otherwise
	narrowest = 1e-12 // least width of a bin, as a share of the largest value
)

// BinsOf counts values, each with its number of rows. It reads them twice. A few distinct whole
// numbers get one bin each; otherwise bins are of equal width.
func BinsOf(values iter.Seq2[float64, int]) (all Bins) {
	low := math.Inf(1)
	high := math.Inf(-1)
	whole := true
	for v := range values {
		low = min(low, v)
		high = max(high, v)
		whole = whole && v == math.Trunc(v)
	}
	switch {
	case low > high:
		return nil
	case whole && high-low < maxWhole:
		for i := range int(high-low) + 1 {
			v := low + float64(i)
			all = append(all, Bin{From: v, To: v})
		}
	case high-low < equalBins*narrowest*max(-low, high):
		all = between(low, high, 1)
	default:
		all = between(low, high, equalBins)
	}
	for v, rows := range values {
		all.at(v).Rows += rows
	}
	return all
}

// at returns the bin of a value. It compares with the rounded edges, as filters do.
func (all Bins) at(v float64) *Bin {
	return &all[max(0, sort.Search(len(all), func(i int) bool { return all[i].From > v })-1)]
}

// Count adds a value.
func (all Bins) Count(v float64, exact bool) {
	b := all.at(v)
	b.Rows++
	if exact {
		b.Exact++
	}
}

// Trim returns the bins without empty ones at either end.
func (all Bins) Trim() Bins {
	for len(all) > 0 && all[0].Rows == 0 {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1].Rows == 0 {
		all = all[:len(all)-1]
	}
	return all
}
