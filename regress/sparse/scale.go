package sparse

import (
	"errors"
	"fmt"
	"math"
)

// FitScale finds the Scale of winning chances from games: score[i] is what a
// search or a weight set said of a position, in points, and result[i] how the
// game ended for the same side, from -1 (lost) to 1 (won). It is the scale of
// greatest likelihood if a score of x points wins with the chance
// (1+tanh(x/scale))/2; with it comes its standard error, which takes the
// positions to be of different games.
func FitScale(score, result []float64) (scale, stdErr float64, err error) {
	if len(score) != len(result) || len(score) == 0 {
		return 0, 0, fmt.Errorf("cannot fit a scale: %d scores and %d results: expected some, as many of each", len(score), len(result))
	}
	for i, x := range score {
		if !(math.Abs(x) <= largest) || !(math.Abs(result[i]) <= 1) {
			return 0, 0, fmt.Errorf("cannot fit a scale: score %g with result %g at %d: expected -%g to %g points and -1 to 1", x, result[i], i, largest, largest)
		}
	}
	// The logarithm of the likelihood is concave in k = 1/scale, and slope is
	// its derivative: look for where it changes its sign.
	slope := func(k float64) float64 {
		total := 0.0
		for i, x := range score {
			if x != 0 {
				total += x * (result[i] - math.Tanh(k*x))
			}
		}
		return total
	}
	if slope(0) <= 0 {
		return 0, 0, errors.New("cannot fit a scale: the side with the better score does not win more often")
	}
	if slope(math.Inf(1)) >= 0 {
		return 0, 0, errors.New("cannot fit a scale: the side with the better score always wins: expected closer games")
	}
	low, high := 0.0, 1.0/largest
	for slope(high) > 0 {
		high *= 2
	}
	for range 60 {
		if mid := (low + high) / 2; slope(mid) > 0 {
			low = mid
		} else {
			high = mid
		}
	}
	k, information := (low+high)/2, 0.0
	for _, x := range score {
		t := math.Tanh(k * x)
		information += x * x * (1 - t*t)
	}
	return 1 / k, 1 / (k * k * math.Sqrt(information)), nil
}
