package regress

import (
	"context"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/parallel"
)

// Pairing measures several evaluations on the same rows.
type Pairing struct {
	Rows        int      `json:"rows"`
	Clusters    int      `json:"clusters"` // games, and situations of rows without a game
	Evaluations []Paired `json:"evaluations"`
}

// Paired is an evaluation compared with the first, row by row.
type Paired struct {
	agreement.Stats
	// Difference is its mean absolute error less that of the first evaluation, in points, and
	// DifferenceErr the standard error by cluster; 0 for a single cluster.
	Difference    float64 `json:"difference"`
	DifferenceErr float64 `json:"difference_err"`
}

// Z returns the difference in standard errors; 0 if there is none.
func (p Paired) Z() float64 {
	if p.DifferenceErr == 0 {
		return 0
	}
	return p.Difference / p.DifferenceErr
}

// PairingOptions are evaluations, and the rows to measure them on.
type PairingOptions[P games.Position[P]] struct {
	Predict []func(P) float64 // each in points for the side to move
	// Clamped limits predictions to ±1000 points, as labels are.
	Clamped  bool
	Paths    []string     // datasets of labels or features, at least one
	Where    string       // filter of their rows (train help filters); "" means all
	Skip     func(P) bool // positions to leave out; nil for none
	Progress parallel.Progress
}

// Pair measures evaluations on the rows of datasets.
func Pair[P games.Position[P]](ctx context.Context, g *games.Game[P], o PairingOptions[P]) (Pairing, error) {
	tables, err := openTables(ctx, g.Info, o.Paths)
	if err != nil {
		return Pairing{}, err
	}
	defer tables.close()
	sums := make([]agreement.Sums, len(o.Predict))
	gains := newGains(len(o.Predict))
	q := datasets.Query{Kind: tables.kind(), Where: o.Where}
	for r, err := range scan(ctx, g, tables, q, o.Progress) {
		if err != nil {
			return Pairing{}, err
		}
		if o.Skip != nil && o.Skip(r.Position) {
			continue
		}
		cluster := r.cluster(g)
		first := o.predict(0, r.Position)
		for i := range o.Predict {
			now := o.predict(i, r.Position)
			sums[i].Add(now, r.Label, 1)
			gains[i].add(cluster, first, now, r.Label, 1)
		}
	}
	p := Pairing{Clusters: gains[0].Len()}
	for i := range sums {
		one := Paired{Stats: sums[i].Stats()}
		p.Rows = one.Rows
		if p.Rows > 0 {
			reduction, stdErr := gains[i].mean()
			one.Difference = 0 - reduction // 0 has no sign
			one.DifferenceErr = stdErr
		}
		p.Evaluations = append(p.Evaluations, one)
	}
	return p, nil
}

func (o *PairingOptions[P]) predict(i int, p P) float64 {
	points := o.Predict[i](p)
	if o.Clamped {
		return clamp(points)
	}
	return points
}
