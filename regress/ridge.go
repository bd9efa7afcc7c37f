package regress

import (
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/internal/agreement"
)

// folds divide the rows for cross-validation. All rows of a game or position belong in one fold.
type folds struct {
	count int     // 2 to 255
	of    []uint8 // fold of each row, from 0
}

// candidates are the ridges that cross-validation tries. Strong ones converge fastest.
var candidates = []float64{100, 30, 10, 3, 1, 0.3}

// chooseRidge returns the candidate with the smallest loss on held-out rows, as the ridge of all
// columns, with the agreement on these rows and the number of steps made. The fit of a fold starts
// at the weights of the candidate before.
func (m *matrix) chooseRidge(ctx context.Context, o solverOptions, f folds) (best float64, held agreement.Stats, steps int64, err error) {
	for k := range f.count {
		if !slices.Contains(f.of, uint8(k)) {
			return 0, held, 0, fmt.Errorf("no row is in part %d of %d: expected rows in each", k+1, f.count)
		}
	}
	if err := m.checkMemory(fmt.Sprintf("%d weights in %d folds", m.weighted(), f.count), int64(8*f.count), "fewer folds, or a smaller set"); err != nil {
		return 0, held, 0, err
	}
	fits, all, progress := 0, len(candidates)*f.count+1, o.progress // the fit to all rows follows
	o.progress = func(done, total int64, note string) {
		part := (float64(fits) + float64(done)/float64(max(total, 1))) / float64(all)
		progress.Note(steps+done, int64(float64(steps+done)/part), note)
	}
	s := newSolver(m, o, f)
	weights, least := make([][]float64, f.count), math.Inf(1)
	for _, ridge := range candidates {
		s.setRidge(ridge)
		var sums lossSums
		for k := range weights {
			if weights[k] == nil {
				weights[k] = make([]float64, len(s.w))
			}
			s.start(uint8(k), weights[k])
			if _, err := s.run(ctx); err != nil {
				return 0, held, 0, fmt.Errorf("choosing a ridge, fold %d of %d: %w", k+1, f.count, err)
			}
			steps, fits = steps+int64(s.steps), fits+1
			copy(weights[k], s.w)
			sums.merge(s.test)
		}
		if loss := sums.loss / sums.Weight(); loss < least {
			best, held, least = ridge, sums.Stats(), loss
		}
	}
	return best, held, steps, nil
}
