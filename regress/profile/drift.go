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
	// Distance is a two-sample distance. For numbers it is that of Kolmogorov and Smirnov, the
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

	shares []share
}

// share is the cumulative shares of rows up to a value in both datasets.
type share struct{ value, here, there float64 }

// compare surveys another dataset and measures the drift of its columns from those of this one.
func compare[P games.Position[P]](ctx context.Context, g *games.Game[P], s *survey, o Options, work *parallel.Tally) (_ *Drift, err error) {
	there, err := datasets.Open(ctx, g.Info, o.Compare)
	if err != nil {
		return nil, err
	}
	defer there.Close()
	if err := there.Meta.CheckRules(g.Name, s.manifest.Meta.Rules); err != nil {
		return nil, err
	}
	o.Head = 0
	other := newSurvey(g.Info, there, o, s)
	defer func() { err = cmp.Or(err, other.close()) }()
	if err := read(ctx, g, other, there, o.Where, work.Pass()); err != nil {
		return nil, err
	}
	var effects [2][]float64
	for i, one := range []*survey{s, other} {
		if one.rows == 0 {
			return nil, fmt.Errorf("%s: no rows left to compare", one.manifest.File)
		}
		if effects[i], err = one.designEffects(ctx, work); err != nil {
			return nil, err
		}
	}
	d := &Drift{File: other.manifest.File, Rows: other.rows}
	if d.SharedSituations, d.SharedRows, err = s.shared(ctx, other); err != nil {
		return nil, err
	}
	for _, f := range other.fields {
		if s.column(f) < 0 {
			d.There = append(d.There, f.name)
		}
	}
	for i, f := range s.fields {
		k := other.column(f)
		if k < 0 {
			d.Here = append(d.Here, f.name)
			continue
		}
		a, b := &s.tallies[i], &other.tallies[k]
		if a.rows == 0 || b.rows == 0 || f.name == "game" || f.name == datasets.GroupColumn { // their values are only names
			continue
		}
		c := ColumnDrift{Name: f.name, Effective: [2]float64{float64(a.rows) / effects[0][i], float64(b.rows) / effects[1][k]}}
		if err := c.compare(ctx, a, b, f.typ == datasets.TextField); err != nil {
			return nil, err
		}
		d.Columns = append(d.Columns, c)
	}
	slices.SortStableFunc(d.Columns, func(a, b ColumnDrift) int { return cmp.Compare(b.Times, a.Times) })
	return d, nil
}

// mostShares is the number of values at which cumulative shares of numbers are computed; with few
// distinct values, at each.
const mostShares = 200

// compare measures the distance of two columns and its noise. A constant column has neither.
func (c *ColumnDrift) compare(ctx context.Context, a, b *tally, text bool) error {
	distinct, x, err := a.describe(ctx)
	if err != nil {
		return err
	}
	more, y, err := b.describe(ctx)
	if err != nil {
		return err
	}
	var here, there int
	var pooled []float64
	gap, variation, last, all := 0.0, 0.0, 0.0, text || distinct+more <= 2*mostShares
	err = both(ctx, a, b, func(value float64, inA, inB int) {
		here, there = here+inA, there+inB
		s := share{value, float64(here) / float64(a.rows), float64(there) / float64(b.rows)}
		gap = max(gap, math.Abs(s.here-s.there))
		variation += math.Abs(float64(inA)/float64(a.rows)-float64(inB)/float64(b.rows)) / 2
		if p := float64(here+there) / float64(a.rows+b.rows); all || p-last >= 1.0/mostShares {
			pooled, c.shares, last = append(pooled, p), append(c.shares, s), p
		}
	})
	if c.Distance = gap; text {
		c.Distance, c.shares = variation, nil
	} else {
		c.Here, c.There = &x.Mean, &y.Mean
	}
	if c.Noise = noise(pooled, c.Effective, text); c.Noise > 0 {
		c.Times = c.Distance / c.Noise
	}
	return err
}

// both merges the values of two tallies in ascending order.
func both(ctx context.Context, a, b *tally, each func(value float64, inA, inB int)) error {
	nextA, stopA := iter.Pull2(a.all(ctx))
	defer stopA()
	nextB, stopB := iter.Pull2(b.all(ctx))
	defer stopB()
	x, errA, moreA := nextA()
	y, errB, moreB := nextB()
	for (moreA || moreB) && errA == nil && errB == nil {
		inA := moreA && (!moreB || x.value <= y.value)
		inB := moreB && (!moreA || y.value <= x.value)
		value, rows := y.value, [2]int{}
		if inA {
			value, rows[0] = x.value, x.rows
			x, errA, moreA = nextA()
		}
		if inB {
			rows[1] = y.rows
			y, errB, moreB = nextB()
		}
		each(value, rows[0], rows[1])
	}
	return cmp.Or(errA, errB)
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
		gap, variation, last := 0.0, 0.0, 0.0
		for k, p := range cumulated {
			bridge := walk[k] - p*at
			gap, variation, last = max(gap, math.Abs(bridge)), variation+math.Abs(bridge-last)/2, bridge
		}
		if distances[i] = gap; text {
			distances[i] = variation
		}
	}
	slices.Sort(distances)
	level := distances[pairsDrawn*95/100] * math.Sqrt(1/effective[0]+1/effective[1])
	if level = min(level, 1); level < 1e-12 { // a constant column
		return 0
	}
	return level
}

// mostCuts is the number of values at which a column's rows are divided to measure its design
// effect.
const mostCuts = 7

// cut is a value of a column, up to which it has a share of its rows.
type cut struct {
	value, share float64
	upTo         float64 // rows of the current cluster
	squares      float64 // over clusters: rows up to the value, less the expected number
}

// cutsOf returns values that divide a column's rows into parts of similar size.
func cutsOf(ctx context.Context, t *tally) (cuts []cut, err error) {
	seen, next := 0, 1
	for c, err := range t.all(ctx) {
		if err != nil {
			return nil, err
		}
		if seen += c.rows; seen*(mostCuts+1) >= next*t.rows && seen < t.rows {
			cuts = append(cuts, cut{value: c.value, share: float64(seen) / float64(t.rows)})
			next = seen*(mostCuts+1)/t.rows + 1
		}
	}
	return cuts, nil
}

// designEffects returns the design effect of each column: how much more it varies between clusters
// than between as many independent rows (Kish 1965), averaged over the shares of rows up to several
// values. It is 1 for a constant column.
func (s *survey) designEffects(ctx context.Context, work *parallel.Tally) (all []float64, err error) {
	columns, rows := make([][]cut, len(s.fields)), 0.0 // rows of the current cluster
	for i := range columns {
		if columns[i], err = cutsOf(ctx, &s.tallies[i]); err != nil {
			return nil, err
		}
	}
	if _, err = s.byCluster(ctx, work, func(record []uint64) {
		rows++
		for i, bits := range record[s.fieldsAt:] {
			v := math.Float64frombits(bits)
			for k := len(columns[i]) - 1; k >= 0 && v <= columns[i][k].value; k-- {
				columns[i][k].upTo++
			}
		}
	}, func() {
		for _, cuts := range columns {
			for k := range cuts {
				off := cuts[k].upTo - rows*cuts[k].share
				cuts[k].squares += off * off
				cuts[k].upTo = 0
			}
		}
		rows = 0
	}); err != nil {
		return nil, err
	}
	for _, cuts := range columns {
		sum := 0.0
		for _, c := range cuts {
			sum += c.squares / (float64(s.rows) * c.share * (1 - c.share) * float64(len(cuts)))
		}
		if sum == 0 {
			sum = 1
		}
		all = append(all, sum)
	}
	return all, nil
}
