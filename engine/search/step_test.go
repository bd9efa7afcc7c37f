package search

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"

	evaluations "kroo/features/oware"
)

// Each iteration of a search in steps has the score of the textbook search to its depth,
// whatever the table holds of the iterations before.
func TestStepsSearchTheirDepthsOnly(t *testing.T) {
	for _, r := range allRules {
		for _, x := range midgames(rand.New(rand.NewPCG(33, uint64(r))), r, 12) {
			for step, want := range map[int][]int{0: {1, 2, 3, 4, 5, 6}, 1: {1, 2, 3, 4, 5, 6}, 2: {1, 3, 5}, 3: {1, 4}} {
				var depths []int
				s := NewSearcher(captures, Options{HashMB: -1, StrictDepth: true, Step: step})
				last := s.Search(context.Background(), x.root, x.history, Limits{Depth: 6}, Query{Info: func(i Result) {
					depths = append(depths, i.Depth)
					if score, _ := AlphaBeta(x.root, x.history, i.Depth, evaluations.Captures{}); i.Score != score {
						t.Errorf("%s, step %d, depth %d: %d, the textbook search %d", x.root, step, i.Depth, i.Score, score)
					}
				}})
				if last.Terminal {
					continue
				}
				if !slices.Equal(depths, want[:min(len(depths), len(want))]) || !last.Proven && len(depths) != len(want) {
					t.Errorf("%s, step %d: depths %d, want %d", x.root, step, depths, want)
				}
			}
		}
	}
}

// The threads of a search take the same steps: one that searched even depths would
// fill the table with their scores.
func TestThreadsTakeTheSameSteps(t *testing.T) {
	for _, x := range midgames(rand.New(rand.NewPCG(34, 0)), allRules[0], 10) {
		want := NewSearcher(captures, Options{HashMB: 1, StrictDepth: true}).Search(context.Background(), x.root, x.history, Limits{Depth: 7}, Query{})
		got := NewSearcher(captures, Options{HashMB: 1, StrictDepth: true, Step: 2, Threads: 2}).Search(context.Background(), x.root, x.history, Limits{Depth: 8}, Query{})
		if want.Proven || want.Terminal {
			continue
		}
		if got.Depth != 7 || got.Score != want.Score {
			t.Errorf("%s: two threads in steps %d at depth %d, one ply by ply %d at depth %d", x.root, got.Score, got.Depth, want.Score, want.Depth)
		}
	}
}
