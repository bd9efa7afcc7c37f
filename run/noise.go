package run

import (
	"context"
	"fmt"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/report"
	"kroo/sampler"
)

// Noise says how the noise of labels is measured: some validation positions are
// labelled more than once.
type Noise struct {
	Positions int `toml:"positions"`
	Repeats   int `toml:"repeats"` // labels of each position
}

func (n Noise) check() error {
	return inRange([]bound{{"noise.positions", float64(n.Positions), 2, 1e6}, {"noise.repeats", float64(n.Repeats), 2, 1000}})
}

// noiseStage measures the noise of labels of the positions in the file in, by
// searches with the champion after round k.
func (r *Run) noiseStage(k int, name, title string, c Noise, search engine.Config, in string) stage {
	return stage{
		name: name, title: title, unit: "labels", settings: []any{c, search}, inputs: r.championInput(k+1, in), outputs: files(),
		do: func(ctx context.Context, progress Progress) (any, error) {
			eval, err := r.champion(k)
			if err != nil {
				return nil, err
			}
			cfg := sampler.LabelConfig[oware.Position]{Search: search, Workers: r.Config.Workers, Eval: eval, Farm: r.Farm}
			return sampler.MeasureNoise(ctx, engine.Oware(), r.path(in), cfg, c.Positions, c.Repeats, progress)
		},
	}
}

// noiseRow tells how much of a label is noise, and what it does to R.
func noiseRow(n sampler.Noise) report.Row {
	return report.Row{
		Label: "noise of labels", Value: report.Number(n.Within, 1) + " points",
		Note: fmt.Sprintf("standard deviation of the labels of one position; of all labels %s. No function of the position passes R = %s with such labels (%s positions, %d labels each)",
			report.Number(n.Total, 1), report.Number(n.CeilingR, 4), report.Count(n.Positions), n.Repeats),
	}
}
