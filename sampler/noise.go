package sampler

import (
	"context"
	"fmt"
	"math"

	"kroo/datasets"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/parallel"
	"kroo/internal/spec"
)

// NoiseConfig says how the noise of labels is measured: some positions are labelled
// more than once.
type NoiseConfig struct {
	Positions int `name:"positions" default:"200" range:"2..1000000" help:"positions that are labelled more than once"`
	Repeats   int `name:"repeats" default:"4" range:"2..1000" help:"labels of each position"`
}

// Check refuses what measures nothing, and what takes forever.
func (c NoiseConfig) Check() error {
	if err := spec.Check(&c); err != nil {
		return err
	}
	if searches := int64(c.Positions) * int64(c.Repeats); searches > mostNoise {
		return fmt.Errorf("noise of %d positions labelled %d times: expected at most %d searches in all", c.Positions, c.Repeats, mostNoise)
	}
	return nil
}

// mostNoise is how many searches of noise fit into memory, about 2 GB of them.
const mostNoise = 10_000_000

// Noise says how much of the labels' variance another search would not find
// again.
type Noise struct {
	Positions int     `json:"positions"`
	Repeats   int     `json:"repeats"`  // labels of each
	Within    float64 `json:"within"`   // standard deviation of the labels of one position, in points
	Total     float64 `json:"total"`    // standard deviation of all labels, in points
	Changed   float64 `json:"changed"`  // share of positions whose labels are not all the same
	CeilingR  float64 `json:"ceilingR"` // correlation with such labels of a function that knows each position's mean
}

// noiseSpread is how far repeated searches lie apart: limits of nodes go from
// the limit divided by it to the limit times it.
const noiseSpread = 1.25

// MeasureNoise labels positions of the table in, evenly spread over it, several times
// each. Searches limited by time differ by themselves. Those limited by
// nodes would not: their limits are spread evenly, in ratio, between four fifths
// and five quarters of the one asked for, so the noise is that of an arbitrary
// limit. Limits of depth alone are refused.
func MeasureNoise[P search.Position[P]](ctx context.Context, k engine.Kit[P], in string, cfg LabelConfig, c NoiseConfig, progress parallel.Progress) (Noise, error) {
	limits := cfg.Search.Limits()
	if limits.Nodes == 0 && limits.Time == 0 {
		return Noise{}, fmt.Errorf("noise of searches to depth %d: they are all the same; expected a limit of nodes or time", limits.Depth)
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

// noiseJobs are the searches, those of a position side by side.
func noiseJobs[P search.Position[P]](ctx context.Context, k engine.Kit[P], in string, limits search.Limits, n, repeats int) (jobs []engine.Job[P], rules string, err error) {
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

// spread is the limits of repeat i of n.
func spread(l search.Limits, i, n int) search.Limits {
	at := 2*float64(i)/float64(n-1) - 1
	l.Nodes = int64(math.Round(float64(l.Nodes) * math.Pow(noiseSpread, at)))
	return l
}

// noiseOf sums up labels, of which those of a position are side by side: one-way
// analysis of variance.
func noiseOf(labels []float64, repeats int) Noise {
	groups := len(labels) / repeats
	mean := 0.0
	for _, v := range labels {
		mean += v / float64(len(labels))
	}
	var within, total float64
	changed := 0
	for g := range groups {
		own := labels[g*repeats:][:repeats]
		m := 0.0
		for _, v := range own {
			m += v / float64(repeats)
		}
		differ := false
		for _, v := range own {
			within += (v - m) * (v - m)
			total += (v - mean) * (v - mean)
			differ = differ || v != own[0]
		}
		if differ {
			changed++
		}
	}
	n := Noise{Positions: groups, Repeats: repeats}
	if groups == 0 || total == 0 {
		return n
	}
	within /= float64(groups * (repeats - 1))
	total /= float64(len(labels) - 1)
	n.Within, n.Total = math.Sqrt(within), math.Sqrt(total)
	n.Changed = float64(changed) / float64(groups)
	n.CeilingR = math.Sqrt(max(0, 1-within/total))
	return n
}
