package pipeline

import (
	"context"

	"kroo/games/oware"
	"kroo/sampler"
)

// Sample draws positions and writes them to out.
func Sample(ctx context.Context, rules oware.Rules, c SampleConfig, seed uint64, out string, progress Progress) error {
	return sampler.Sample(ctx, sampler.Config{Method: c.Method, N: c.N, Seed: seed, Rules: rules}, out, Revision(), progress)
}
