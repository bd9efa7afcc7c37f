package regress

import (
	"math/rand/v2"
	"slices"
	"testing"

	"kroo/internal/testkit"
)

// A reading fits the subsets to modified labels and leaves the other fits unchanged.
func TestReadingsFitModifiedLabels(t *testing.T) {
	rng := rand.New(rand.NewPCG(71, 0))
	sample := func(rank int64) []featureRow {
		rows := thesisRows(rng, 500, rank, 50)
		for i := range rows {
			if i%5 == 0 {
				rows[i].Exact, rows[i].Label = true, 1000
			}
			if i%10 == 0 {
				rows[i].Label = -1000
			}
		}
		return rows
	}
	train, valid := sample(0), sample(1000)
	o := thesisOptions(t)
	o.Subsets = []string{"thesis", "thesis4"}
	plain := mustTrain(t, train, valid, o)
	o.Proven = readings()
	out := mustTrain(t, train, valid, o)
	checkSameFits(t, "the labels as they are", out.Subsets, plain.Subsets)

	labels := map[string]func(featureRow) float64{
		ProvenCentre: func(featureRow) float64 { return 0 },
		ProvenWins:   func(r featureRow) float64 { return min(r.Label, 0) },
	}
	if len(out.Readings) != len(labels) {
		t.Fatalf("%d readings, expected %d", len(out.Readings), len(labels))
	}
	for _, r := range out.Readings {
		twin := func(rows []featureRow) []featureRow {
			rows = slices.Clone(rows)
			for i := range rows {
				if rows[i].Exact {
					rows[i].Label = labels[r.Proven](rows[i])
				}
			}
			return rows
		}
		o.Proven = nil
		checkSameFits(t, r.Proven, r.Subsets, mustTrain(t, twin(train), twin(valid), o).Subsets)
	}
}

func TestUnknownReadingIsRejected(t *testing.T) {
	o := thesisOptions(t)
	o.Proven = []string{"middle"}
	_, err := trainRows(t.Context(), thesisRows(rand.New(rand.NewPCG(72, 0)), 100, 0, 50), nil, o)
	testkit.Refused(t, err, `"middle": expected centre, wins-at-centre`)
}

func mustTrain(t *testing.T, train, valid []featureRow, o trainOptions) *trained {
	t.Helper()
	out, err := trainRows(t.Context(), train, valid, o)
	testkit.NoError(t, err)
	return out
}

func checkSameFits(t *testing.T, what string, got, want []ModelSummary) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%s: %d fits, expected %d", what, len(got), len(want))
	}
	for i := range got {
		if !slices.Equal(got[i].Points, want[i].Points) || *got[i].Validation != *want[i].Validation {
			t.Errorf("%s, fit %d: %v, %+v: expected %v, %+v", what, i, got[i].Points, *got[i].Validation, want[i].Points, *want[i].Validation)
		}
	}
}
