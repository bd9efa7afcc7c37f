package study

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/stat"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/internal/doc"
	"kroo/internal/parallel"
	"kroo/report"
)

// NoiseConfig configures [Noise].
type NoiseConfig struct {
	Sample
	Nodes int64 `name:"nodes" default:"16000000" range:"20000.." group:"Search" help:"positions visited by the long search"` // whose score counts as the value
}

// NoiseResult reports the errors of the scores of short searches against a long one.
type NoiseResult struct {
	Positions int         `json:"positions"` // without a proof by the long search
	Nodes     int64       `json:"nodes"`     // of the long search
	Jump      float64     `json:"jump"`      // mean change between iterations, from depth 10, in hundredths of the unit
	Lines     []NoiseLine `json:"lines"`

	unit, from string
}

// NoiseLine is the errors at one number of nodes: root mean squares, in hundredths of the unit.
type NoiseLine struct {
	Nodes  int64            `json:"nodes"`
	Errors [maxMean]float64 `json:"errors"` // of the last score, of the mean of the last two, three, four
}

// maxMean is the largest number of iterations averaged.
const maxMean = 4

// meanNames are the names of NoiseLine.Errors.
var meanNames = [maxMean]string{"last score", "mean of 2", "mean of 3", "mean of 4"}

// minNodes is the smallest number of nodes reported, with enough iterations to average. A long
// search of at least twice as many is reported at its half, quarter and so on.
const minNodes = 10_000

// step is an iteration: its score and its cost.
type step struct {
	score int
	nodes int64
}

// Noise searches the positions of a sample, under the rules of an engine, with that engine, and
// compares the scores of the iterations with the mean of the last two.
func Noise[P search.Position[P]](ctx context.Context, s Subject[P], e *engine.Engine[P], c NoiseConfig, progress parallel.Progress) (*NoiseResult, error) {
	c.Rules = e.Rules
	sample, err := positions(ctx, s, c.Sample)
	if err != nil {
		return nil, err
	}
	all := make([][]step, len(sample))
	own := make([]engine.Searcher[P], parallel.Workers(c.Workers))
	tally := progress.Tally(0, int64(len(sample)))
	err = parallel.Collect(ctx, len(own), parallel.Numbers(len(sample)), func(ctx context.Context, worker, i int) ([]step, error) {
		if own[worker] == nil {
			own[worker] = e.NewSearcher()
		}
		own[worker].Clear()
		return unproven(ctx, own[worker], sample[i], c.Nodes)
	}, func(i int, steps []step) error {
		all[i] = steps
		tally.Add(1)
		return nil
	})
	if err != nil {
		return nil, err
	}
	r := &NoiseResult{Nodes: c.Nodes, unit: e.Kit.Game.Unit, from: s.origin()}
	r.summarize(all)
	if len(r.Lines) == 0 {
		return nil, errors.New("no position has iterations to compare: expected positions that are not decided")
	}
	return r, nil
}

// unproven returns the iterations of a search; empty if one of them proves its score, or is a mate.
func unproven[P search.Position[P]](ctx context.Context, s engine.Searcher[P], p P, nodes int64) (list []step, err error) {
	proven := false
	_, err = s.Search(ctx, p, nil, search.Limits{Nodes: nodes}, search.Query{Info: func(r search.Result) {
		proven = proven || r.Proven || max(r.Score, -r.Score) >= search.MaxHeuristic
		list = append(list, step{r.Score, r.Nodes})
	}})
	if proven {
		return nil, err
	}
	return list, err
}

// summarize adds a line for each half, quarter, … of the nodes.
func (r *NoiseResult) summarize(all [][]step) {
	var jumps []float64
	for _, list := range all {
		if len(list) > 0 {
			r.Positions++
		}
		for d := 10; d < len(list); d++ {
			jumps = append(jumps, math.Abs(float64(list[d].score-list[d-1].score)))
		}
	}
	if len(jumps) > 0 {
		r.Jump = stat.Mean(jumps, nil)
	}
	for nodes := r.Nodes / 2; nodes >= minNodes; nodes /= 2 {
		if l, ok := noiseLine(all, nodes); ok {
			r.Lines = append(r.Lines, l)
		}
	}
}

// noiseLine returns the line of a number of nodes.
func noiseLine(all [][]step, nodes int64) (l NoiseLine, ok bool) {
	l.Nodes = nodes
	n := 0.0
	for _, list := range all {
		k := 0
		for k < len(list) && list[k].nodes <= nodes {
			k++
		}
		if k < maxMean {
			continue
		}
		n++
		value := meanScore(list[len(list)-2:])
		for i := range l.Errors {
			e := meanScore(list[k-1-i:k]) - value
			l.Errors[i] += e * e
		}
	}
	for i := range l.Errors {
		l.Errors[i] = math.Sqrt(l.Errors[i] / max(n, 1))
	}
	return l, n > 0
}

func meanScore(list []step) float64 {
	sum := 0
	for _, s := range list {
		sum += s.score
	}
	return float64(sum) / float64(len(list))
}

// Doc has a line per number of nodes.
func (r *NoiseResult) Doc() *doc.Doc {
	t := doc.NewTable(append([]string{"nodes"}, meanNames[:]...)...)
	chart := report.Chart{Name: "study-noise", Title: "Distance of scores from the score of a long search", Line: fmt.Sprintf("%d positions, %d nodes", r.Positions, r.Nodes), X: "log10 of the nodes", Y: fmt.Sprintf("error, %ss", r.unit)}
	for _, l := range r.Lines {
		row := []any{l.Nodes}
		for i, e := range l.Errors {
			row = append(row, fmt.Sprintf("%.3f", e/100))
			chart.Add(meanNames[i], math.Log10(float64(l.Nodes)), e/100)
		}
		t.Add(row...)
	}
	return docOf(r, t, chart, fmt.Sprintf("Root mean square errors, in %ss, of the score of the last iteration and of means of the last ones, against a search of %d nodes (the mean of its last two).", r.unit, r.Nodes),
		fmt.Sprintf("%d unproven positions of %s. From depth 10, the score changes by %.3f between iterations, on average.", r.Positions, r.from, r.Jump/100))
}
