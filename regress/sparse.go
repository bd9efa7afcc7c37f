package regress

import (
	"context"
	"iter"

	"kroo/features"
	"kroo/internal/agreement"
	"kroo/internal/parallel"
)

// sparseRows is a stream of labelled rows of which few columns are not 0.
type sparseRows struct {
	width int // number of columns
	// batches yields the rows in batches of size(k) rows, k from 0, and fewer in the last one: the
	// same in every call. The consumer may keep batches.
	batches func(ctx context.Context, size func(k int) int) iter.Seq2[*sparseBatch, error]
}

// sparseBatch is consecutive rows. Its functions are safe for concurrent use.
type sparseBatch struct {
	labels  []float32                   // points for the side to move
	weights []float32                   // of each row's loss; nil means 1
	cluster func(i int) uint32          // a hash of a row's cluster
	read    func(i int, row *sparseRow) // sets row to the i-th
}

// weight returns the weight of a row.
func (b *sparseBatch) weight(i int) float32 { return weightOf(b.weights, i) }

// sparseRow is the columns of a row that are not 0: those with the value 1, and others. A column
// listed twice counts twice.
type sparseRow struct {
	ones []uint32
	vals []features.Entry
}

// rowJob is a batch with its number and, once it is done, its result.
type rowJob[R any] struct {
	*sparseBatch
	number int
	result R
}

// eachBatch runs a job for every batch on several goroutines, each with its worker's number, and passes
// the results on in the order of the batches.
func eachBatch[R any](
	ctx context.Context, s *sparseRows, workers int, size func(k int) int,
	job func(worker, number int, b *sparseBatch) (R, error), take func(b *sparseBatch, result R) error,
) error {
	workers = parallel.Workers(workers)
	order := parallel.NewInOrder(0, workers+1, func(j rowJob[R]) error { return take(j.sparseBatch, j.result) })
	feed := func(ctx context.Context, ask func(rowJob[R]) error) error {
		number := 0
		for b, err := range s.batches(ctx, size) {
			if err == nil {
				err = order.Wait(ctx)
			}
			if err == nil {
				err = ask(rowJob[R]{sparseBatch: b, number: number})
			}
			if err != nil {
				return err
			}
			number++
		}
		return nil
	}
	run := func(_ context.Context, worker int, j rowJob[R]) (R, error) {
		return job(worker, j.number, j.sparseBatch)
	}
	return parallel.Collect(ctx, workers, feed, run, func(j rowJob[R], result R) error {
		j.result = result
		return order.Put(j.number, j)
	})
}

// rowCounts are the sizes of a stream.
type rowCounts struct {
	rows, weighted int     // number of rows, and of those with a weight above 0
	columns        []int64 // rows of each column, with any value
	values         int64   // entries other than ones
}

// columnCounter counts the columns of some rows: fewer than 2³² ones.
type columnCounter struct {
	row     sparseRow
	columns []uint32
	values  int64
}

func (c *columnCounter) add(b *sparseBatch) {
	for i := range b.labels {
		b.read(i, &c.row)
		for _, j := range c.row.ones {
			c.columns[j]++
		}
		for _, e := range c.row.vals {
			c.columns[e.Index]++
		}
		c.values += int64(len(c.row.vals))
	}
}

// count reads the rows once.
func (s *sparseRows) count(ctx context.Context, workers int) (*rowCounts, error) {
	workers = parallel.Workers(workers)
	if err := checkCounting(s.width, workers); err != nil {
		return nil, err
	}
	counters := make([]*columnCounter, workers)
	all := &rowCounts{columns: make([]int64, s.width)}
	err := eachBatch(ctx, s, workers, inBlocks, func(worker, _ int, b *sparseBatch) (struct{}, error) {
		if counters[worker] == nil {
			counters[worker] = &columnCounter{columns: make([]uint32, s.width)}
		}
		counters[worker].add(b)
		return struct{}{}, nil
	}, func(b *sparseBatch, _ struct{}) error {
		all.add(b)
		return nil
	})
	for _, c := range counters {
		if c == nil {
			continue
		}
		all.values += c.values
		for j, n := range c.columns {
			all.columns[j] += int64(n)
		}
	}
	return all, err
}

// add counts the rows of a batch.
func (c *rowCounts) add(b *sparseBatch) {
	c.rows += len(b.labels)
	for i := range b.labels {
		if b.weight(i) > 0 {
			c.weighted++
		}
	}
}

// entries returns the number of entries in the given columns.
func (c *rowCounts) entries(columns []int32) (n int64) {
	for _, j := range columns {
		n += c.columns[j]
	}
	return n
}

// seen returns the number of columns that rows have.
func (c *rowCounts) seen() (n int) {
	for _, rows := range c.columns {
		if rows > 0 {
			n++
		}
	}
	return n
}

// measure reads the rows once. It returns the agreement of the labels with each model's predictions,
// clamped to the range of labels, and what each model gains on the one before.
func (s *sparseRows) measure(ctx context.Context, workers int, models ...[]float64) ([]agreement.Stats, []gain, error) {
	sums := make([]agreement.Sums, len(models))
	gains := newGains(len(models))
	err := eachBatch(ctx, s, workers, inBlocks, func(_, _ int, b *sparseBatch) ([]prediction, error) {
		return b.predict(models), nil
	}, func(b *sparseBatch, predicted []prediction) error {
		for k, p := range predicted {
			sums[k].Merge(p.sums)
			if k > 0 {
				gains[k].addRows(b, predicted[k-1].values, p.values)
			}
		}
		return nil
	})
	var stats []agreement.Stats
	for _, sum := range sums {
		stats = append(stats, sum.Stats())
	}
	return stats, gains, err
}

// prediction is the predictions of a model, and their agreement with the labels.
type prediction struct {
	values []float64
	sums   agreement.Sums
}

// predict returns the predictions of models.
func (b *sparseBatch) predict(models [][]float64) []prediction {
	all := make([]prediction, len(models))
	var row sparseRow
	for i, label := range b.labels {
		b.read(i, &row)
		for k, weights := range models {
			u := clamp(row.product(weights))
			all[k].values = append(all[k].values, u)
			all[k].sums.Add(u, float64(label), float64(b.weight(i)))
		}
	}
	return all
}

// addRows adds the gains of predictions on those before.
func (g gain) addRows(b *sparseBatch, before, now []float64) {
	for i, label := range b.labels {
		g.add(uint64(b.cluster(i)), before[i], now[i], float64(label), float64(b.weight(i)))
	}
}

// product returns the sum of the row's values times weights.
func (r *sparseRow) product(weights []float64) (u float64) {
	for _, j := range r.ones {
		u += weights[j]
	}
	for _, e := range r.vals {
		u += float64(e.Value) * weights[e.Index]
	}
	return u
}
