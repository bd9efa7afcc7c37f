package datasets

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"

	"kroo/internal/parallel"
	"kroo/internal/wording"
)

// Fold reads groups of rows concurrently. begin makes a value per group, add adds the group's
// batches in order, and merge receives the values in group order. So the result does not depend on
// the number of workers (0: one per processor).
func Fold[A any](
	ctx context.Context, t *Table, q Query, workers int, begin func() A, add func(A, *Batch) error, merge func(A) error,
) error {
	r, err := t.newReading(q)
	if err != nil {
		return t.withPath(err)
	}
	workers = parallel.Workers(workers)
	batches := make([]*Batch, workers)
	for i := range batches {
		batches[i] = r.newBatch()
	}
	inOrder := parallel.NewInOrder(0, 2*workers, merge)
	feed := func(ctx context.Context, start func(numberedGroup) error) error {
		return r.feedGroups(ctx, inOrder.Wait, start)
	}
	sum := func(ctx context.Context, worker int, g numberedGroup) (A, error) {
		a := begin()
		for b, err := range r.batches(ctx, batches[worker], g) {
			if err == nil {
				err = add(a, b)
			}
			if err != nil {
				return a, err
			}
		}
		return a, nil
	}
	put := func(g numberedGroup, a A) error { return inOrder.Put(g.number, a) }
	return t.withPath(parallel.Collect(ctx, workers, feed, sum, put))
}

// feedGroups passes on the groups that can have matching rows, each after waiting for room.
func (r *reading) feedGroups(
	ctx context.Context, wait func(context.Context) error, start func(numberedGroup) error,
) error {
	for g, err := range r.groups(ctx) {
		if err == nil {
			err = wait(ctx)
		}
		if err == nil {
			err = start(g)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// reading is a query in progress.
type reading struct {
	*Table
	work *parallel.Tally // rows read

	filter  *expression
	columns []int // requested columns
	wanted  []int // these and the filter's, ascending
}

// numberedGroup is a group that can have matching rows, with its number among these and the number of
// its first row in the table.
type numberedGroup struct {
	group
	number int
	first  int64
}

func (t *Table) newReading(q Query) (*reading, error) {
	r := &reading{Table: t, work: q.Progress.Tally(0, t.Rows)}
	if q.Kind != "" && q.Kind != t.Meta.Kind {
		return nil, fmt.Errorf("contains %s, expected %s", t.Meta.Kind, q.Kind)
	}
	var err error
	r.filter, err = parseFilter(q.Where, t.cols, t.Meta.Features)
	if err != nil {
		return nil, err
	}
	var filtered []int
	if r.filter != nil {
		filtered = r.filter.columns
	}
	for i, c := range t.cols {
		if q.Columns == nil {
			r.columns = append(r.columns, i)
		}
		if q.Columns == nil || slices.Contains(q.Columns, c.name) || slices.Contains(filtered, i) {
			r.wanted = append(r.wanted, i)
		}
	}
	for _, name := range q.Columns {
		at := t.Column(name)
		if at < 0 {
			return nil, fmt.Errorf("there is no column %.80q: %.300s", name, wording.Expect(name, columnNames(t.cols)))
		}
		r.columns = append(r.columns, at)
	}
	if len(r.wanted) == 0 {
		r.wanted = []int{0} // for the number of rows
	}
	return r, nil
}

func (r *reading) newBatch() *Batch {
	return &Batch{columns: make([]column, len(r.columns)), numbers: make([][]float64, len(r.columns))}
}

// groups yields the groups that can have matching rows, and checks the number of rows. An error ends
// the sequence.
func (r *reading) groups(ctx context.Context) iter.Seq2[numberedGroup, error] {
	return func(yield func(numberedGroup, error) bool) {
		number := 0
		first := int64(0)
		for g, err := range r.allGroups(ctx) {
			if err != nil {
				yield(numberedGroup{}, err)
				return
			}
			rows := g.rows()
			if first+rows > r.Rows {
				yield(numberedGroup{}, fmt.Errorf("more than the %d rows of its manifest", r.Rows))
				return
			}
			if !r.canMatch(g) {
				r.work.Add(rows)
				first += rows
				continue
			}
			if !yield(numberedGroup{g, number, first}, nil) {
				return
			}
			number++
			first += rows
		}
		err := r.checkUnchanged()
		if err == nil && first != r.Rows {
			err = fmt.Errorf("%d rows, but %d in its manifest", first, r.Rows)
		}
		if err != nil {
			yield(numberedGroup{}, err)
		}
	}
}

// canMatch reports whether the bounds of a group's values admit a row that the filter selects.
func (r *reading) canMatch(g group) bool {
	return r.filter.possible(func(i int) (low, high float64, known bool) { return g.bounds(i, r.cols[i].typ) })
}

// allGroups opens the file, checks its columns and yields its groups.
func (r *reading) allGroups(ctx context.Context) iter.Seq2[group, error] {
	return guardSequence(ctx, r.format, func(yield func(group, error) bool) {
		in, err := openSource(ctx, r.format, r.f)
		if err == nil {
			err = r.checkContents(in)
		}
		if err != nil {
			yield(nil, err)
			return
		}
		in.groups()(yield)
	})
}

// checkContents compares an open file with its manifest.
func (r *reading) checkContents(in contents) error {
	about, err := in.describe()
	if err != nil {
		return err
	}
	if !r.format.noMetadata {
		err = about.check(r.Meta)
	}
	return cmp.Or(err, in.check(r.cols))
}

// batches yields the matching rows of a group in batches, each time as b. An error ends the sequence.
func (r *reading) batches(ctx context.Context, b *Batch, g numberedGroup) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		cols := make([]column, len(r.cols))
		for i, c := range r.cols {
			cols[i] = c.withoutValues()
		}
		b.first = g.first
		for n, err := range guardSequence(ctx, r.format, rowCounts(g, cols, r.wanted)) {
			if err == nil {
				err = context.Cause(ctx)
			}
			if err == nil {
				err = checkRanges(cols, b.first)
			}
			if err != nil {
				yield(b, err)
				return
			}
			r.selectRows(b, cols, n)
			if b.n > 0 && !yield(b, nil) {
				return
			}
			b.first += int64(n)
			r.work.Add(int64(n))
		}
		if b.first != g.first+g.rows() {
			yield(b, fmt.Errorf("%d rows in a group of %d", b.first-g.first, g.rows()))
		}
	}
}

// selectRows sets a batch to the matching ones of the n rows in the columns.
func (r *reading) selectRows(b *Batch, cols []column, n int) {
	b.n = n
	b.rows = r.filter.rows(n, cols)
	if b.rows != nil {
		b.n = len(b.rows)
		for i := range cols {
			cols[i].keep(b.rows)
		}
	}
	for i, at := range r.columns {
		b.columns[i] = cols[at]
		b.numbers[i] = b.numbers[i][:0]
	}
}
