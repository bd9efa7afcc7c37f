package profile

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"maps"
	"math"
	"math/rand/v2"
	"slices"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/parallel"
)

// Drift measures how much the columns of two datasets differ.
type Drift struct {
	File    string        `json:"file"` // the other dataset
	Rows    int           `json:"rows"` // its rows that match the filter
	Columns []ColumnDrift `json:"columns"`
	// Phases compare the labels of each phase that occurs in both.
	Phases []PhaseDrift `json:"phases,omitempty"`
	Here   []string     `json:"only_here,omitempty"`  // columns only in this dataset
	There  []string     `json:"only_there,omitempty"` // columns only in the other
}

// Distance is a two-sample distance. For numbers it is that of Kolmogorov and Smirnov, the greatest
// difference between the cumulative shares of rows; for texts the total variation, half the sum of
// the differences between the shares of all values.
type Distance struct {
	Distance float64 `json:"distance"`
	// Noise is the 95th percentile of the distance between samples of these sizes from one source.
	Noise float64 `json:"noise"`
	Times float64 `json:"times"` // distance divided by noise
}

// ColumnDrift is the drift of a column.
type ColumnDrift struct {
	Name string `json:"name"`
	Distance
	// Here and There are the means of numbers in this and the other dataset.
	Here  *float64 `json:"here,omitempty"`
	There *float64 `json:"there,omitempty"`
	// Effective is the effective sample size of the column in each dataset: less than its number of
	// rows where rows of a game are correlated (Kish 1965).
	Effective [2]float64 `json:"effective_rows"`

	shares []share
}

// PhaseDrift is the drift of the labels of a phase.
type PhaseDrift struct {
	Phase int        `json:"phase"`
	Rows  [2]int     `json:"rows"`
	Means [2]float64 `json:"means"` // points
	Distance
}

// share is the cumulative shares of rows up to a value in both datasets.
type share struct{ value, here, there float64 }

// drift compares two surveys.
func (s *survey[P]) drift(ctx context.Context, other *survey[P], effects [2][]float64) (*Drift, error) {
	d := &Drift{File: other.manifest.File, Rows: other.rows}
	for i, f := range s.fields {
		k := slices.IndexFunc(other.fields, func(o field) bool { return o.name == f.name && o.typ == f.typ })
		switch {
		case k < 0:
			d.Here = append(d.Here, f.name)
			continue
		case numbersRows(f.name):
			continue
		}
		a, b := &s.tallies[i], &other.tallies[k]
		if a.rows == 0 || b.rows == 0 {
			continue
		}
		c := ColumnDrift{Name: f.name, Effective: [2]float64{float64(a.rows) / effects[0][i], float64(b.rows) / effects[1][k]}}
		var err error
		if f.typ == datasets.TextField {
			c.Distance, err = textDistance(ctx, f.names, other.fields[k].names, a, b, c.Effective)
		} else {
			err = c.compare(ctx, a, b)
		}
		if err != nil {
			return nil, err
		}
		d.Columns = append(d.Columns, c)
	}
	for _, f := range other.fields {
		if !slices.ContainsFunc(s.fields, func(o field) bool { return o.name == f.name && o.typ == f.typ }) {
			d.There = append(d.There, f.name)
		}
	}
	slices.SortStableFunc(d.Columns, func(a, b ColumnDrift) int { return cmp.Compare(b.Times, a.Times) })
	return d, s.phaseDrift(ctx, other, d)
}

// numbersRows reports whether a column numbers games or clusters, so that its values have no
// meaning.
func numbersRows(column string) bool {
	return column == "game" || column == datasets.GroupColumn
}

// compare compares columns of numbers.
func (c *ColumnDrift) compare(ctx context.Context, a, b *tally) (err error) {
	distinct, x, err := a.describe(ctx)
	if err != nil {
		return err
	}
	more, y, err := b.describe(ctx)
	if err != nil {
		return err
	}
	c.Here, c.There = &x.Mean, &y.Mean
	c.Distance, c.shares, err = numberDistance(ctx, a, b, distinct+more, c.Effective)
	return err
}

// phaseDrift compares the labels of each phase. A game has fewer rows in a phase than in all, so
// the overall design effect overstates the noise slightly.
func (s *survey[P]) phaseDrift(ctx context.Context, other *survey[P], d *Drift) error {
	at := slices.IndexFunc(d.Columns, func(c ColumnDrift) bool { return c.Name == "label" })
	if at < 0 {
		return nil
	}
	effective := d.Columns[at].Effective
	for phase := range s.phases {
		a, b := &s.phaseTally[phase], &other.phaseTally[phase]
		if a.rows == 0 || b.rows == 0 {
			continue
		}
		c := ColumnDrift{Effective: [2]float64{effective[0] * float64(a.rows) / float64(s.rows), effective[1] * float64(b.rows) / float64(other.rows)}}
		if err := c.compare(ctx, a, b); err != nil {
			return err
		}
		d.Phases = append(d.Phases, PhaseDrift{phase, [2]int{a.rows, b.rows}, [2]float64{*c.Here, *c.There}, c.Distance})
	}
	return nil
}

// mostShares is the number of values at which cumulative shares are computed; with fewer distinct
// values, at each.
const mostShares = 200

// numberDistance computes the Kolmogorov-Smirnov distance of two columns with at most the given
// number of distinct values.
func numberDistance(ctx context.Context, a, b *tally, distinct int, effective [2]float64) (d Distance, shares []share, err error) {
	var here, there int
	var pooled []float64
	last := 0.0
	err = both(ctx, a, b, func(value float64, inA, inB int) {
		here, there = here+inA, there+inB
		s := share{value, float64(here) / float64(a.rows), float64(there) / float64(b.rows)}
		d.Distance = max(d.Distance, math.Abs(s.here-s.there))
		if p := float64(here+there) / float64(a.rows+b.rows); distinct <= 2*mostShares || p-last >= 1.0/mostShares {
			pooled, shares, last = append(pooled, p), append(shares, s), p
		}
	})
	d.against(noise(pooled, effective, func(bridge, _ []float64) (most float64) {
		for _, v := range bridge {
			most = max(most, math.Abs(v))
		}
		return most
	}))
	return d, shares, err
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
		switch {
		case moreA && (!moreB || x.value < y.value):
			each(x.value, x.rows, 0)
			x, errA, moreA = nextA()
		case moreB && (!moreA || y.value < x.value):
			each(y.value, 0, y.rows)
			y, errB, moreB = nextB()
		default:
			each(x.value, x.rows, y.rows)
			x, errA, moreA = nextA()
			y, errB, moreB = nextB()
		}
	}
	return cmp.Or(errA, errB)
}

// textDistance computes the total variation distance of two columns of text.
func textDistance(ctx context.Context, namesA, namesB []string, a, b *tally, effective [2]float64) (d Distance, err error) {
	shares := map[string][2]float64{}
	for side, t := range []*tally{a, b} {
		names := [][]string{namesA, namesB}[side]
		for c, err := range t.all(ctx) {
			if err != nil {
				return d, err
			}
			s := shares[names[int(c.value)]]
			s[side] = float64(c.rows) / float64(t.rows)
			shares[names[int(c.value)]] = s
		}
	}
	var pooled []float64
	sum, weight := 0.0, float64(a.rows)/float64(a.rows+b.rows)
	for _, name := range slices.Sorted(maps.Keys(shares)) {
		s := shares[name]
		d.Distance += math.Abs(s[0]-s[1]) / 2
		sum += weight*s[0] + (1-weight)*s[1]
		pooled = append(pooled, sum)
	}
	d.against(noise(pooled, effective, func(_, steps []float64) (half float64) {
		for _, v := range steps {
			half += math.Abs(v) / 2
		}
		return half
	}))
	return d, nil
}

// against sets the noise and the ratio to it. A constant column has neither noise nor distance.
func (d *Distance) against(noise float64) {
	if d.Noise = noise; noise > 0 {
		d.Times = d.Distance / noise
	}
}

// pairsDrawn is the number of simulated pairs of samples for a noise level.
const pairsDrawn = 1000

// noise returns the 95th percentile of a distance between two samples of one source with the given
// cumulative shares. For large samples the difference of their shares is a Brownian bridge at these
// values, times √(1/n+1/m), for any number of distinct values.
func noise(cumulated []float64, effective [2]float64, of func(bridge, steps []float64) float64) float64 {
	rng := rand.New(rand.NewPCG(5, 95))
	n := len(cumulated)
	bridge, steps, distances := make([]float64, n), make([]float64, n), make([]float64, pairsDrawn)
	for i := range distances {
		at, from := 0.0, 0.0
		for k, p := range cumulated {
			at += math.Sqrt(max(0, p-from)) * rng.NormFloat64()
			bridge[k], from = at, p
		}
		last := 0.0
		for k, p := range cumulated {
			bridge[k] -= p * at
			steps[k], last = bridge[k]-last, bridge[k]
		}
		distances[i] = of(bridge, steps)
	}
	slices.Sort(distances)
	level := distances[pairsDrawn*95/100] * math.Sqrt(1/effective[0]+1/effective[1])
	if level = min(level, 1); level < 1e-12 { // a constant column
		return 0
	}
	return level
}

// compare surveys another dataset and measures the drift of its columns from those of this one.
func (s *survey[P]) compare(ctx context.Context, g *games.Game[P], from *datasets.Table, o Options[P], work *parallel.Tally) (d *Drift, err error) {
	there, err := datasets.Open(ctx, g.Info, o.Compare)
	if err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	defer there.Close()
	if err := there.Meta.CheckRules(s.game.Name, s.manifest.Meta.Rules); err != nil {
		return nil, fmt.Errorf("compare: %w", err)
	}
	other, err := surveyOf(ctx, g, there, Options[P]{Where: o.Where}, work.Pass())
	if err != nil {
		return nil, err
	}
	defer func() { err = cmp.Or(err, other.close()) }()
	for _, one := range []*survey[P]{s, other} {
		if one.rows == 0 {
			return nil, fmt.Errorf("%s: no rows left to compare", one.manifest.File)
		}
	}
	var effects [2][]float64
	if effects[0], err = s.designEffects(ctx, from, o.Where, work.Pass()); err != nil {
		return nil, err
	}
	if effects[1], err = other.designEffects(ctx, there, o.Where, work.Pass()); err != nil {
		return nil, err
	}
	return s.drift(ctx, other, effects)
}
