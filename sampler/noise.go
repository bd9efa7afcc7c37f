package sampler

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/parallel"
	"kroo/internal/spec"
)

// NoiseConfig describes how the noise of labels is measured: by labelling some positions
// repeatedly.
type NoiseConfig struct {
	Positions int `name:"positions" default:"200" range:"2..1000000" help:"positions to label repeatedly"`
	Repeats   int `name:"repeats" default:"4" range:"2..1000" help:"labels per position"`
}

// Check refuses settings that measure nothing or take too long.
func (c NoiseConfig) Check() error {
	if err := spec.Check(&c); err != nil {
		return err
	}
	if searches := int64(c.Positions) * int64(c.Repeats); searches > maxNoiseSearches {
		return fmt.Errorf("noise of %d positions labelled %d times: expected at most %d searches in all",
			c.Positions, c.Repeats, maxNoiseSearches)
	}
	return nil
}

// maxNoiseSearches is the maximum number of searches, which takes about 2 GB of memory.
const maxNoiseSearches = 10_000_000

// Noise is the part of the labels' variance that another search would not reproduce.
type Noise struct {
	Positions int     `json:"positions"`
	Repeats   int     `json:"repeats"`  // labels per position
	Within    float64 `json:"within"`   // standard deviation of the labels of one position, in points
	Total     float64 `json:"total"`    // standard deviation of all labels, in points
	Changed   float64 `json:"changed"`  // share of positions whose labels differ
	CeilingR  float64 `json:"ceilingR"` // correlation of such labels with the means of their positions: the limit of any fit
}

// noiseSpread is the range of node limits of repeated searches: from limit/noiseSpread to
// limit·noiseSpread.
const noiseSpread = 1.25

// MeasureNoise labels positions of the table in, evenly spaced, several times each. Searches
// limited by time vary by themselves. Those limited by nodes do not: their limits are spread evenly
// on a logarithmic scale from four fifths to five quarters of the given limit, so the noise is that
// of an arbitrary limit. Limits of depth alone are refused.
func MeasureNoise[P search.Position[P]](
	ctx context.Context, k engine.Kit[P], in string, cfg LabelConfig, c NoiseConfig, progress parallel.Progress,
) (Noise, error) {
	limits := cfg.Search.Limits()
	if limits.Nodes == 0 && limits.Time == 0 {
		return Noise{}, fmt.Errorf("noise of searches to depth %d: they are all the same; expected a limit of "+
			"nodes or time", limits.Depth)
	}
	if err := c.Check(); err != nil {
		return Noise{}, err
	}
	jobs, rules, err := noiseJobs(ctx, k, in, limits, c.Positions, c.Repeats)
	if err != nil {
		return Noise{}, err
	}
	e, err := engine.Open(ctx, k, cfg.Spec, rules)
	if err != nil {
		return Noise{}, err
	}
	defer e.Close()
	pool, err := poolOf(cfg, e, int64(len(jobs)), nil)
	if err != nil {
		return Noise{}, err
	}
	labels := make([]float64, len(jobs))
	done := int64(0)
	progress.At(0, int64(len(jobs)))
	err = pool.Search(ctx, parallel.List(jobs), func(j engine.Job[P], a engine.Answer) error {
		labels[j.Number] = float64(engine.Points(k.Game.Info, a.Score))
		done++
		progress.At(done, int64(len(jobs)))
		return nil
	})
	return noiseOf(labels, c.Repeats), err
}

// noiseJobs returns the searches, those of a position consecutively.
func noiseJobs[P search.Position[P]](
	ctx context.Context, k engine.Kit[P], in string, limits search.Limits, n, repeats int,
) (jobs []engine.Job[P], rules string, err error) {
	m, err := datasets.Open(ctx, k.Game.Info, in)
	if err != nil {
		return nil, "", err
	}
	defer m.Close()
	n = int(min(int64(n), m.Rows))
	row, taken := int64(0), int64(0)
	for r, err := range datasets.Scan(ctx, k.Game, m, datasets.Query{Kind: datasets.Positions}) {
		if err != nil {
			return nil, "", err
		}
		if row*int64(n) >= taken*m.Rows && taken < int64(n) {
			taken++
			for i := range repeats {
				jobs = append(jobs, engine.Job[P]{Number: len(jobs), Position: r.Position, Limits: spread(limits, i, repeats)})
			}
		}
		row++
	}
	return jobs, m.Meta.Rules, nil
}

// spread returns the limits of repeat i of n.
func spread(l search.Limits, i, n int) search.Limits {
	at := 2*float64(i)/float64(n-1) - 1
	l.Nodes = int64(math.Round(float64(l.Nodes) * math.Pow(noiseSpread, at)))
	return l
}

// noiseOf computes the noise of labels, consecutive by position: one-way analysis of variance.
func noiseOf(labels []float64, repeats int) Noise {
	n := Noise{Positions: len(labels) / repeats, Repeats: repeats}
	total := stat.Variance(labels, nil)
	if !(total > 0) {
		return n
	}
	within := 0.0
	share := 1 / float64(n.Positions)
	for own := range slices.Chunk(labels, repeats) {
		within += share * stat.Variance(own, nil)
		if slices.Min(own) != slices.Max(own) {
			n.Changed += share
		}
	}
	n.Within = math.Sqrt(within)
	n.Total = math.Sqrt(total)
	n.CeilingR = math.Sqrt(max(0, 1-within/total))
	return n
}
