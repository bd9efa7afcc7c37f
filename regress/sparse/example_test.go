package sparse_test

import (
	"context"
	"fmt"

	"kroo/regress/sparse"
)

// houses are rows of a single house: column k means k seeds.
type houses struct{}

func (houses) Columns() int { return 4 }
func (houses) Blocks() int  { return 10 }

func (houses) Block(i int, dst *sparse.Block) {
	for seeds := range uint32(3) {
		dst.One(seeds)
		dst.EndRow(40*float64(seeds)-30+float64(i%2), 1)
	}
}

func Example() {
	m, err := sparse.Prepare(context.Background(), houses{}, sparse.Layout{})
	if err != nil {
		fmt.Println(err)
		return
	}
	r, err := m.Fit(context.Background(), sparse.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Printf("%.1f, R %.3f, converged %v\n", r.Weights, r.Train.R, r.Converged)
	// Output: [-29.5 10.5 50.5 0.0], R 1.000, converged true
}
