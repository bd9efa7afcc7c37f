package regress_test

import (
	"context"
	"fmt"

	"kroo/datasets"
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/regress"
)

// Labels of 40 points a captured seed, one of them off by 20, give a weight
// near 40.
func Example() {
	var rows []datasets.Row[oware.Position]
	for i := range 10 {
		rows = append(rows, datasets.Row[oware.Position]{
			Game:  int32(i + 1),
			Own:   []uint8{uint8(i)},
			Opp:   []uint8{4},
			Label: 40 * float64(i-4),
		})
	}
	rows[9].Label += 20
	meta := datasets.Meta{Kind: datasets.Features, Game: "oware", Rules: "abapa", FeatureSet: "captures", Features: []string{"captures"}}
	out, err := regress.Train(context.Background(), patterns.Sets, rows, nil, regress.TrainOptions{Meta: meta})
	if err != nil {
		fmt.Println(err)
		return
	}
	w := out.Weights
	fmt.Printf("%s %.2f ± %.2f, R %.4f, error %.2f points\n", w.Features[0], w.Points[0], w.StdErr[0], w.Train.R, w.Train.MAE)
	// Output: captures 41.18 ± 0.61, R 0.9990, error 3.76 points
}
