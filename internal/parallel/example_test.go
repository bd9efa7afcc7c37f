package parallel_test

import (
	"context"
	"fmt"

	"kroo/internal/parallel"
)

// Results come in the order of completion; job numbers restore the order.
func ExampleCollect() {
	squares := make([]int, 5)
	err := parallel.Collect(context.Background(), 0, parallel.Numbers(len(squares)),
		func(_ context.Context, _, i int) (int, error) { return i * i, nil },
		func(i, square int) error { squares[i] = square; return nil })
	fmt.Println(squares, err)
	// Output: [0 1 4 9 16] <nil>
}
