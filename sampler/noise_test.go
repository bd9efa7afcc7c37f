package sampler

import (
	"math"
	"testing"

	"kroo/engine"
	"kroo/internal/testkit"
)

// Labels made of a mean a position and noise of known size.
func TestNoiseOfKnownLabels(t *testing.T) {
	// Positions worth -300, 0 and 300; labels 30 above and 30 below.
	n := noiseOf([]float64{-330, -270, -30, 30, 270, 330}, 2)
	within := math.Sqrt((6 * 30 * 30) / 3.0)
	total := math.Sqrt((2*(330*330+270*270) + 2*30*30) / 5.0)
	if math.Abs(n.Within-within) > 1e-9 || math.Abs(n.Total-total) > 1e-9 || n.Changed != 1 || n.Positions != 3 ||
		math.Abs(n.CeilingR-math.Sqrt(1-within*within/total/total)) > 1e-12 {
		t.Errorf("%+v: want %g within and %g in all", n, within, total)
	}
	if n := noiseOf([]float64{5, 5, 8, 8}, 2); n.Within != 0 || n.CeilingR != 1 || n.Changed != 0 {
		t.Errorf("%+v of labels without noise", n)
	}
	if n := noiseOf([]float64{5, 5}, 2); n.CeilingR != 0 {
		t.Errorf("%+v of labels that are all the same", n)
	}
}

func TestMeasureNoise(t *testing.T) {
	in := samplePositions(t, 60)
	var first Noise
	for workers := 1; workers <= 2; workers++ {
		c := smallSearch
		c.Workers = workers
		n := testkit.Must(MeasureNoise(t.Context(), engine.Oware(), in, c, NoiseConfig{40, 3}, nil))(t)
		if workers == 1 {
			first = n
		} else if n != first {
			t.Errorf("%d workers measure %+v, one %+v", workers, n, first)
		}
		if n.Positions != 40 || n.Repeats != 3 || n.Within <= 0 || n.CeilingR <= 0.5 || n.CeilingR >= 1 || n.Changed <= 0 {
			t.Errorf("%+v", n)
		}
	}
	for _, c := range []NoiseConfig{{1, 2}, {2, 1}, {2, 1001}, {1_000_000, 11}} {
		if _, err := MeasureNoise(t.Context(), engine.Oware(), in, smallSearch, c, nil); err == nil {
			t.Errorf("%+v: no error", c)
		}
	}
	c := smallSearch
	c.Search.Nodes, c.Search.Depth = 0, 3
	if _, err := MeasureNoise(t.Context(), engine.Oware(), in, c, NoiseConfig{40, 3}, nil); err == nil {
		t.Error("searches of one depth: no error")
	}
}
