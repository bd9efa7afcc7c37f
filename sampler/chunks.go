package sampler

import (
	"errors"
	"iter"

	"kroo/datasets"
)

// chunks reads a table as a sequence of at most n rows each.
func chunks[R datasets.Row[R]](path string, n int) iter.Seq2[[]R, error] {
	return func(yield func([]R, error) bool) {
		errStopped := errors.New("stopped")
		_, err := datasets.Scan(path, func(rows []R) error {
			for len(rows) > 0 {
				some := rows[:min(n, len(rows))]
				rows = rows[len(some):]
				if !yield(some, nil) {
					return errStopped
				}
			}
			return nil
		})
		if err != nil && !errors.Is(err, errStopped) {
			yield(nil, err)
		}
	}
}
