package run

import (
	"context"

	"kroo/engine"
	"kroo/internal/parallel"
	"kroo/sampler"
)

// noiseStage measures the noise of labels of the positions in the file in, by searches with the
// champion after round k.
func (r *Run) noiseStage(k int, name, title string, c sampler.NoiseConfig, search engine.Config, in string) stage {
	return stage{
		name: name, title: title, unit: "labels", settings: []any{c, search}, nodes: float64(c.Positions*c.Repeats) * nodesOf(search), inputs: r.championInput(k+1, in), outputs: files(),
		do: func(ctx context.Context, progress parallel.Progress) (any, error) {
			spec, err := r.spec(r.champion(k), search)
			if err != nil {
				return nil, err
			}
			cfg := sampler.LabelConfig{Spec: spec, Workers: r.Config.Workers, Farm: r.Farm}
			return sampler.MeasureNoise(ctx, engine.Oware(), r.path(in), cfg, c, progress)
		},
	}
}
