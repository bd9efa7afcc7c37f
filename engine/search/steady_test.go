package search

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"kroo/games/oware"
	"kroo/internal/testkit"
)

func TestSteadyIsTheMeanOfTheLastIterations(t *testing.T) {
	for _, c := range []struct {
		scores []int
		want   int
	}{
		{[]int{7}, 7},
		{[]int{7, 10}, 9}, // rounded away from 0
		{[]int{-7, -10}, -9},
		{[]int{1000, 10, 20, 31}, 20}, // of three
		{[]int{-10, -20, -31}, -20},
		{[]int{10, 20, 0}, 10},
		{[]int{10, 20, Win - 3}, Win - 3}, // a proof counts by itself
		{[]int{10, Win - 3, 20}, 20},
		{[]int{-Win + 3, 1, 2, 3}, 2}, // one that is long past
	} {
		var s Steady
		for _, score := range c.scores {
			s.Add(score)
		}
		testkit.Equal(t, s.Mean(c.scores[len(c.scores)-1]), c.want, "%v", c.scores)
	}
}

// A search that ends before its first iteration does has what it saw.
func TestSteadyWithoutIterationsIsTheScore(t *testing.T) {
	var s Steady
	testkit.Equal(t, s.Mean(-12), -12, "s.Mean")
}

func TestResultsAreSteadyOverTheirOwnIterations(t *testing.T) {
	s := newSearcher(captures, Options{}, newTable(1<<20))
	differ := 0
	for _, x := range midgames(rand.New(rand.NewPCG(3, 0)), oware.Abapa, 5) { // a search knows nothing of the one before
		var scores []int
		r := s.Search(context.Background(), x.root, x.history, Limits{Depth: 9}, Query{Info: func(r Result) {
			scores = append(scores, r.Score)
			from, sum := max(0, len(scores)-steadyOver), 0
			for _, score := range scores[from:] {
				sum += score
			}
			if want := math.Round(float64(sum) / float64(len(scores)-from)); float64(r.Steady) != want && !r.Proven {
				t.Errorf("scores %v: %d, want %v", scores, r.Steady, want)
			}
		}})
		if r.Steady != r.Score {
			differ++
		}
	}
	if differ == 0 {
		t.Error("each steady score is that of the last iteration")
	}
}
