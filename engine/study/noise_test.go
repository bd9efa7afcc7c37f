package study

import (
	"math"
	"reflect"
	"strings"
	"testing"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestNoiseOfKnownIterations(t *testing.T) {
	const long = 8 * minNodes
	steps := func(scores ...int) (list []step) { // the fourth ends at fewestNodes, the last ones later
		for i, s := range scores {
			nodes := int64(minNodes) / 4 * int64(i+1)
			if i >= maxMean {
				nodes = long
			}
			list = append(list, step{s, nodes})
		}
		return list
	}
	r := &NoiseResult{Nodes: long}
	r.summarize([][]step{
		steps(10, 20, 30, 40, 21, 19), // the value is 20
		steps(0, 0, 0, -30, -1, 1),    // 0
		nil,                           // proven
		steps(5, 5),                   // too short to say anything
	})
	if r.Positions != 3 || len(r.Lines) != 3 {
		t.Fatalf("%d positions, lines %+v", r.Positions, r.Lines)
	}
	rms := func(a, b float64) float64 { return math.Sqrt((a*a + b*b) / 2) }
	for i, want := range [maxMean]float64{rms(20, 30), rms(15, 15), rms(10, 10), rms(5, 7.5)} {
		for _, l := range r.Lines { // nothing happens between them
			if math.Abs(l.Errors[i]-want) > 1e-9 {
				t.Errorf("%d nodes, mean of %d: %v, want %v", l.Nodes, i+1, l.Errors[i], want)
			}
		}
	}
	if got := []int64{r.Lines[0].Nodes, r.Lines[2].Nodes}; !reflect.DeepEqual(got, []int64{long / 2, minNodes}) {
		t.Errorf("nodes %v", got)
	}
}

func TestNoiseOfASample(t *testing.T) {
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: 1, Tables: engine.NoTables}}, "abapa"))(t)
	defer e.Close()
	noise := func(s Subject[oware.Position], workers int) (*NoiseResult, error) {
		return Noise(t.Context(), s, e, NoiseConfig{Sample: Sample{Positions: 5, Seed: 1, Workers: workers}, Nodes: 4 * minNodes}, nil)
	}
	r := testkit.Must(noise(owareSubject(), 1))(t)
	if r.Positions != 5 || len(r.Lines) != 2 || r.Lines[1].Errors[0] == 0 || r.Jump == 0 {
		t.Errorf("%+v", r)
	}
	if again, err := noise(owareSubject(), 3); err != nil || !reflect.DeepEqual(again, r) {
		t.Errorf("three workers: %+v, error %v", again, err)
	}
	if len(tableOf(r)) != 3 || len(chartOf(r).Curves) != maxMean || !strings.Contains(notesOf(r), "seed") {
		t.Errorf("rows %q, note %q", tableOf(r), notesOf(r))
	}
	decided := owareSubject()
	decided.recorded = []oware.Position{testkit.Must(oware.ParseBoard(oware.Abapa, "0-0-0-0-0-1-1-0-0-0-0-3-24-19-S"))(t)}
	_, err := noise(decided, 1)
	testkit.Refused(t, err, "not decided")
}
