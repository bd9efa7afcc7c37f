package run

import (
	"context"
	"fmt"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/report"
	"kroo/sampler"
)

// noiseStage measures the noise of labels of the positions in the file in, by
// searches with the champion after round k.
func (r *Run) noiseStage(k int, name, title string, c sampler.NoiseConfig, search engine.Config, in string) stage {
	return stage{
		name: name, title: title, unit: "labels", settings: []any{c, search}, inputs: r.championInput(k+1, in), outputs: files(),
		do: func(ctx context.Context, progress Progress) (any, error) {
			eval, err := r.champion(k)
			if err != nil {
				return nil, err
			}
			cfg := sampler.LabelConfig[oware.Position]{Search: search, Workers: r.Config.Workers, Eval: eval, Farm: r.Farm}
			return sampler.MeasureNoise(ctx, engine.Oware(), r.path(in), cfg, c, progress)
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
