package profile

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
	"kroo/report"
)

// Compares with simple implementations over rows in memory.
func TestDistancesMatchTheirDefinitions(t *testing.T) {
	all := labelRows(t, 900)
	here, there := all[:300], all[300:]
	for i := range there {
		there[i].Label = max(-1000, there[i].Label-30.5)
	}
	s := profileOf(t, labelFile(t, here), Options{Compare: labelFile(t, there)})
	upTo := func(rows []row, of func(row) float64, v float64) float64 {
		n := 0.0
		for _, r := range rows {
			if of(r) <= v {
				n++
			}
		}
		return n / float64(len(rows))
	}
	best := func(r row) string {
		if !r.HasBest {
			return ""
		}
		return oware.MoveName(r.Best, r.Position.ToMove())
	}
	of := map[string]func(row) float64{
		"label": func(r row) float64 { return r.Label }, "nodes": func(r row) float64 { return float64(r.Nodes) },
		"phase": func(r row) float64 { return float64(r.Position.SeedsInPlay()) }, "exact": func(r row) float64 { return truth(r.Exact) },
	}
	for _, c := range s.Drift.Columns {
		want := 0.0
		if value := of[c.Name]; value != nil {
			for _, r := range all {
				want = max(want, math.Abs(upTo(here, value, value(r))-upTo(there, value, value(r))))
			}
		} else if c.Name == "best" {
			shares := map[string][2]float64{}
			for side, rows := range [][]row{here, there} {
				n := 0.0
				for _, r := range rows {
					n += truth(r.HasBest)
				}
				for _, r := range rows {
					if r.HasBest {
						v := shares[best(r)]
						v[side] += 1 / n
						shares[best(r)] = v
					}
				}
			}
			for _, v := range shares {
				want += math.Abs(v[0]-v[1]) / 2
			}
		} else {
			continue
		}
		delete(of, c.Name)
		if !near(c.Distance, want) {
			t.Errorf("%s: distance %v, want %v", c.Name, c.Distance, want)
		}
	}
	if len(of) > 0 {
		t.Errorf("not compared: %v", of)
	}
	text := s.Doc().Text(s.File)
	for _, want := range []string{"Compared with", "It has 600 rows"} {
		testkit.Contains(t, text, want)
	}
	_, err := report.HTML(s.Doc())
	testkit.NoError(t, err)
}

// Samples of one source exceed the noise about as often as stated, even if all rows of a game have
// the same label, and for rows of a game in any order.
func TestSamplesOfOneSourceStayBelowNoise(t *testing.T) {
	rows := labelRows(t, 400)
	rng := rand.New(rand.NewPCG(8, 1))
	const pairs, perGame = 40, 20
	sample := func(clustered bool) string {
		some := make([]row, len(rows))
		for i, r := range rows {
			r.Game = int32(i/perGame + 1)
			if r.Label = float64(rng.IntN(400)); clustered && i%perGame > 0 {
				r.Label = some[i-1].Label
			}
			r.Nodes, r.Depth = rng.Int64N(1<<40), int32(rng.IntN(3))
			some[i] = r
		}
		rng.Shuffle(len(some), func(i, j int) { some[i], some[j] = some[j], some[i] })
		return labelFile(t, some)
	}
	above := map[string]int{}
	for range pairs {
		for _, clustered := range []bool{false, true} {
			s := profileOf(t, sample(clustered), Options{Compare: sample(clustered)})
			for _, c := range s.Drift.Columns {
				if c.Times > 1 {
					above[fmt.Sprint(c.Name, clustered)]++
				}
				if c.Name == "label" && clustered && (c.Effective[0] < 10 || c.Effective[0] > 40) {
					t.Errorf("%v rows count as %v: want about %d", len(rows), c.Effective[0], len(rows)/perGame)
				}
			}
		}
	}
	for _, name := range []string{"labelfalse", "labeltrue", "nodesfalse", "depthtrue"} {
		if n := above[name]; n > pairs/5 {
			t.Errorf("%s: %d of %d pairs are above the noise: want about %d", name, n, pairs, pairs/20)
		}
	}
	if above["labelfalse"]+above["labeltrue"]+above["nodesfalse"]+above["depthtrue"] == 0 {
		t.Error("no pair is above the noise: it is too high")
	}
}

func TestCompareWithAnotherDataset(t *testing.T) {
	labels := labelFile(t, labelRows(t, 200))
	features, _ := featureFile(t, 300)
	d := profileOf(t, features, Options{Compare: labels}).Drift
	if !strings.Contains(strings.Join(d.Here, " "), "own_captures") || !strings.Contains(strings.Join(d.There, " "), "nodes") || d.Rows != 200 {
		t.Errorf("only here %v, only there %v, %d rows", d.Here, d.There, d.Rows)
	}
	if same := profileOf(t, labels, Options{Compare: labels}).Drift; same.Columns[0].Distance != 0 {
		t.Errorf("a dataset is apart from itself: %+v", same.Columns[0])
	}
	if _, err := Of(t.Context(), oware.Descriptor(), labels, Options{Compare: features, Where: "phase>100"}); err == nil || !strings.Contains(err.Error(), "no rows left") {
		t.Errorf("nothing is compared: %v", err)
	}
	if _, err := Of(t.Context(), oware.Descriptor(), labels, Options{Compare: labels + "?"}); err == nil || !strings.Contains(err.Error(), "compare: ") {
		t.Errorf("a missing file: %v", err)
	}
}
