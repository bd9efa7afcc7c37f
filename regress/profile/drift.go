package profile

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"math"
	"math/rand/v2"
	"slices"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/outline"
	"kroo/internal/parallel"
)

// Drift measures how much the columns of two datasets differ.
type Drift struct {
	File             string        `json:"file"` // the other dataset
	Rows             int           `json:"rows"` // its rows that match the filter
	SharedSituations int           `json:"shared_situations"`
	SharedRows       int           `json:"shared_rows"` // rows of this dataset with these situations
	Columns          []ColumnDrift `json:"columns"`
	Here             []string      `json:"only_here,omitempty"`  // columns only in this dataset
	There            []string      `json:"only_there,omitempty"` // columns only in the other
}

// ColumnDrift is the drift of a column.
type ColumnDrift struct {
	Name string `json:"name"`
	// Distance is a two-sample distance. For numbers it is the Kolmogorov-Smirnov distance, the
	// greatest difference between the cumulative shares of rows; for texts the total variation, half
	// the sum of the differences between the shares of all values.
	Distance float64 `json:"distance"`
	// Noise is the 95th percentile of the distance between samples of these sizes from one source.
	Noise float64 `json:"noise"`
	Times float64 `json:"times"` // distance divided by noise
	// Here and There are the means of numbers in this and the other dataset.
	Here  *float64 `json:"here,omitempty"`
	There *float64 `json:"there,omitempty"`
	// Effective is the effective sample size of the column in each dataset: less than its number of
	// rows where rows of a game are correlated (Kish 1965).
	Effective [2]float64 `json:"effective_rows"`
}

// compare surveys another dataset and measures the drift of its columns from those of this one.
func compare[P games.Position[P]](
	ctx context.Context, g *games.Game[P], s *survey, there *datasets.Table, o Options, reading *parallel.Tally,
) (_ *Drift, err error) {
	o.Head = 0
	other := newSurvey(ctx, g.Info, there, o, s)
	defer func() { err = cmp.Or(err, other.temp.Close()) }()
	if err := read(g, other, o.Where, reading.Pass()); err != nil {
		return nil, err
	}
	for _, one := range []*survey{s, other} {
		if one.rows == 0 {
			return nil, fmt.Errorf("%s: no rows left to compare", one.from.File)
		}
	}
	work := o.begin("comparing", int64(s.rows+other.rows))
	s.setEffective(work)
	other.setEffective(work)
	d := &Drift{File: other.from.File, Rows: other.rows}
	d.SharedSituations, d.SharedRows = s.countShared(other)
	for _, c := range other.columns {
		if s.column(c.name, c.typ) == nil {
			d.There = append(d.There, c.name)
		}
	}
	for i := range s.columns {
		a := &s.columns[i]
		b := other.column(a.name, a.typ)
		if b == nil {
			d.Here = append(d.Here, a.name)
			continue
		}
		if a.rows == 0 || b.rows == 0 || a.name == "game" || a.name == datasets.GroupColumn { // their values are only names
			continue
		}
		c := ColumnDrift{Name: a.name, Effective: [2]float64{a.effective, b.effective}}
		c.compare(&a.tally, &b.tally, a.typ == datasets.TextField)
		d.Columns = append(d.Columns, c)
	}
	slices.SortStableFunc(d.Columns, func(a, b ColumnDrift) int { return cmp.Compare(b.Times, a.Times) })
	return d, nil
}

// mostShares is the number of values at which cumulative shares of numbers are computed; with few
// distinct values, at each.
const mostShares = 200

// compare measures the distance of two columns and its noise. A constant column has neither.
func (c *ColumnDrift) compare(a, b *tally, text bool) {
	x, distinct := outline.SpreadOf(a.all(), a.rows)
	y, more := outline.SpreadOf(b.all(), b.rows)
	var here, there int
	var pooled []float64
	gap := 0.0
	variation := 0.0
	last := 0.0
	all := text || distinct+more <= 2*mostShares
	both(a.ascending(), b.ascending(), func(inA, inB int) {
		here, there = here+inA, there+inB
		gap = max(gap, math.Abs(float64(here)/float64(a.rows)-float64(there)/float64(b.rows)))
		variation += math.Abs(float64(inA)/float64(a.rows)-float64(inB)/float64(b.rows)) / 2
		if p := float64(here+there) / float64(a.rows+b.rows); all || p-last >= 1.0/mostShares {
			pooled, last = append(pooled, p), p
		}
	})
	c.Distance = gap
	if text {
		c.Distance = variation
	} else if x != nil && y != nil {
		c.Here, c.There = &x.Mean, &y.Mean
	}
	c.Noise = noise(pooled, c.Effective, text)
	if c.Noise > 0 {
		c.Times = c.Distance / c.Noise
	}
}

// both passes on the rows with each key of either sequence, in ascending order.
func both(a, b iter.Seq2[uint64, int], each func(inA, inB int)) {
	next, stop := iter.Pull2(b)
	defer stop()
	y, inB, more := next()
	for x, inA := range a {
		for ; more && y < x; y, inB, more = next() {
			each(0, inB)
		}
		if !more || y != x {
			each(inA, 0)
			continue
		}
		each(inA, inB)
		y, inB, more = next()
	}
	for ; more; y, inB, more = next() {
		each(0, inB)
	}
}

// pairsDrawn is the number of simulated pairs of samples for a noise level.
const pairsDrawn = 1000

// noise returns the 95th percentile of the distance between two samples of one source with the given
// cumulative shares. For large samples the difference of their shares is a Brownian bridge at these
// values, times √(1/n+1/m), for any number of distinct values.
func noise(cumulated []float64, effective [2]float64, text bool) float64 {
	rng := rand.New(rand.NewPCG(5, 95))
	walk, distances := make([]float64, len(cumulated)), make([]float64, pairsDrawn)
	for i := range distances {
		at, from := 0.0, 0.0
		for k, p := range cumulated {
			at += math.Sqrt(max(0, p-from)) * rng.NormFloat64()
			walk[k], from = at, p
		}
		gap := 0.0
		variation := 0.0
		last := 0.0
		for k, p := range cumulated {
			bridge := walk[k] - p*at
			gap = max(gap, math.Abs(bridge))
			variation += math.Abs(bridge-last) / 2
			last = bridge
		}
		distances[i] = gap
		if text {
			distances[i] = variation
		}
	}
	slices.Sort(distances)
	level := distances[pairsDrawn*95/100] * math.Sqrt(1/effective[0]+1/effective[1])
	level = min(level, 1)
	if level < 1e-12 { // a constant column
		return 0
	}
	return level
}

// setEffective sets the effective sample size of each column: its rows divided by the design effect,
// how much more the sums of clusters vary than those of as many independent rows (Kish 1965), which is
// 1 for a constant column.
func (s *survey) setEffective(work *parallel.Tally) {
	n := len(s.columns)
	spreads := make([]outline.Spread, n)
	sums := make([]float64, n)
	squares := make([]float64, n)
	for i := range s.columns {
		if of, _ := outline.SpreadOf(s.columns[i].all(), s.columns[i].rows); of != nil {
			spreads[i] = *of
		}
	}
	clusters := s.byCluster(work, func(record []uint64) {
		for i, bits := range record[s.fieldsAt:] {
			if v := math.Float64frombits(bits); v == v { // not missing
				sums[i] += v - spreads[i].Mean
			}
		}
	}, func() {
		for i, v := range sums {
			squares[i] += v * v
			sums[i] = 0
		}
	})
	for i, of := range spreads {
		c := &s.columns[i]
		c.effective = float64(c.rows)
		switch {
		case clusters == 1: // its deviations from its own mean add up to 0
			c.effective = 1
		case of.SD > 0:
			c.effective /= squares[i] / (c.effective * of.SD * of.SD)
		}
	}
}
