package regress

import (
	"context"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/checksum"
	"kroo/internal/parallel"
	"kroo/internal/wording"
)

// samples are the rows of a fit. They are read once for the normal equations, and once more for
// statistics that need predictions.
type samples interface {
	// pass reads all rows, those of a stripe into the sink that begin returns for it. A stripe is rows that
	// are together in the file: a row group. Stripes may be read concurrently; sinks end in the order of the
	// stripes, one at a time.
	pass(ctx context.Context, begin func() sink) error
}

// sink takes the rows of a stripe.
type sink interface {
	add(b *block)
	end()
}

// reducer is sums over rows, to which those of later rows can be merged.
type reducer[S any] interface {
	add(b *block)
	merge(later S)
}

// foldSamples adds up all rows: each stripe to an empty sum, and these in their order.
func foldSamples[S reducer[S]](ctx context.Context, s samples, empty func() S) (S, error) {
	all := empty()
	err := s.pass(ctx, func() sink { return stripeSum[S]{empty(), all} })
	return all, err
}

// stripeSum adds up a stripe.
type stripeSum[S reducer[S]] struct{ stripe, all S }

func (s stripeSum[S]) add(b *block) { s.stripe.add(b) }

func (s stripeSum[S]) end() { s.all.merge(s.stripe) }

// block is some consecutive rows. It is only valid during add.
type block struct {
	rows []int64    // row numbers in the file, for errors
	x    *mat.Dense // one row per position, one column per feature: own − opponent's value
	y    []float64  // labels in points
	w    []float64  // row weights; nil means 1
	c    []uint64   // cluster of each row (datasets.ClusterOf)
}

// Labels and features outside these sizes are rejected, so that no sum of squares overflows or
// vanishes. The fit scales columns to length 1, so small ones are as good as others.
const (
	largest  = 1e9
	smallest = 1e-60 // a column must have a value of at least this size
)

// check returns an error for a label or feature that is not a number or too large. names are those
// of the columns.
func (b *block) check(names []string) error {
	for i, y := range b.y {
		if !(math.Abs(y) <= largest) {
			return fmt.Errorf("the label is %g in %s: expected -%g to %g", y, wording.Row(b.rows[i]), largest, largest)
		}
		for j, v := range b.x.RawRowView(i) {
			if !(math.Abs(v) <= largest) {
				return fmt.Errorf("feature %s is %g in %s: expected -%g to %g",
					names[j], v, wording.Row(b.rows[i]), largest, largest)
			}
		}
	}
	return nil
}

// only copies the rows of a block for which keep returns true. It returns nil without such rows.
func (b *block) only(keep func(i int) bool) *block {
	rows := slices.DeleteFunc(upTo(len(b.y)), func(i int) bool { return !keep(i) })
	if len(rows) == 0 {
		return nil
	}
	_, cols := b.x.Dims()
	o := &block{rows: pick(b.rows, rows), x: mat.NewDense(len(rows), cols, nil), y: pick(b.y, rows), c: pick(b.c, rows)}
	for k, i := range rows {
		o.x.SetRow(k, b.x.RawRowView(i))
	}
	if b.w != nil {
		o.w = pick(b.w, rows)
	}
	return o
}

// stripes are samples in memory.
type stripes struct {
	blocks  [][]*block // of each stripe
	workers int        // 0 for one per processor
}

func (all stripes) pass(ctx context.Context, begin func() sink) error {
	sinks := make([]sink, len(all.blocks))
	err := parallel.Do(ctx, all.workers, len(all.blocks), func(_ context.Context, _, i int) error {
		sinks[i] = begin()
		for _, b := range all.blocks[i] {
			sinks[i].add(b)
		}
		return nil
	})
	if err != nil {
		return err
	}
	for _, s := range sinks {
		s.end()
	}
	return nil
}

// blockCopies copies the blocks of a stripe, and appends the stripe to all at the end.
type blockCopies struct {
	stripe []*block
	all    *stripes
}

func (c *blockCopies) add(b *block) {
	c.stripe = append(c.stripe, b.only(func(int) bool { return true }))
}

func (c *blockCopies) end() { c.all.blocks = append(c.all.blocks, c.stripe) }

// sampleShare is a share of samples, in whole clusters.
type sampleShare struct {
	of    samples
	share float64
}

func (s sampleShare) pass(ctx context.Context, begin func() sink) error {
	return s.of.pass(ctx, func() sink { return shareSink{begin(), s.share} })
}

// shareSink passes on the rows of a share.
type shareSink struct {
	sink
	share float64
}

func (s shareSink) add(b *block) {
	some := b.only(func(i int) bool { return inShare(clusterHash(b.c[i]), s.share) })
	if some != nil {
		s.sink.add(some)
	}
}

// tableSamples are the rows of a dataset of features, which is read again in each pass.
type tableSamples[P games.Position[P]] struct {
	*trainer
	game    *games.Game[P]
	table   *datasets.Table
	columns []string       // those of the names, and the weight
	out     map[int64]bool // situations to leave out
}

// Indices of the first columns of a query.
const labelAt, clusterAt, positionAt = 0, 1, 2

func newTableSamples[P games.Position[P]](g *games.Game[P], table *datasets.Table, t *trainer) (*tableSamples[P], error) {
	s := &tableSamples[P]{trainer: t, game: g, table: table}
	at, err := featureColumns(table.Meta, t.names)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", table.Path(), err)
	}
	if t.Weight != "" {
		if err := table.NumberColumn(t.Weight); err != nil {
			return nil, fmt.Errorf("%s: weight: %w", table.Path(), err)
		}
	}
	for j, name := range t.names {
		if at[j] < len(table.Meta.Features) {
			s.columns = append(s.columns, "own_"+datasets.ColumnName(name), "opp_"+datasets.ColumnName(name))
		} else {
			s.columns = append(s.columns, name)
		}
	}
	if t.Weight != "" {
		s.columns = append(s.columns, t.Weight)
	}
	return s, nil
}

func (s *tableSamples[P]) pass(ctx context.Context, begin func() sink) error {
	q := datasets.Query{Columns: []string{"label", s.table.ClusterColumn()}, Where: s.Where, Progress: s.work.Pass()}
	if s.needsPositions() {
		q.Columns = append(q.Columns, datasets.PositionColumn(s.game))
	}
	q.Columns = append(q.Columns, s.columns...)
	rows := 0
	heaviest := 0.0
	err := datasets.Fold(ctx, s.table, q, s.Workers,
		func() *stripeBlocks[P] { return &stripeBlocks[P]{tableSamples: s, sink: begin()} },
		func(t *stripeBlocks[P], b *datasets.Batch) error { return t.addBatch(b) },
		func(t *stripeBlocks[P]) error {
			t.end()
			rows += t.rows
			heaviest = max(heaviest, t.heaviest)
			return nil
		})
	if err == nil && rows > 0 && heaviest == 0 {
		err = fmt.Errorf("%s: %w", s.table.Path(), noWeight(s.Weight))
	}
	return err
}

// needsPositions reports whether the rows' positions are needed.
func (s *tableSamples[P]) needsPositions() bool { return !s.table.Meta.Grouped || len(s.out) > 0 }

// stripeBlocks makes blocks of a stripe's batches.
type stripeBlocks[P games.Position[P]] struct {
	*tableSamples[P]
	sink
	positions []P
	x         []float64
	block     block
	rows      int     // passed on
	heaviest  float64 // largest weight of these
}

// addBatch passes on a batch, without the rows to be left out.
func (t *stripeBlocks[P]) addBatch(b *datasets.Batch) (err error) {
	others := positionAt
	if t.needsPositions() {
		others++
		t.positions, err = datasets.AppendPositions(t.game, t.table.Meta.Rules, b, positionAt, t.positions[:0])
		if err != nil {
			return err
		}
	}
	t.features(b, others)
	all := &t.block
	all.c = datasets.AppendClusters(t.game, t.table, 0, b, clusterAt, t.positions, all.c[:0])
	all.rows = all.rows[:0]
	for i := range b.Len() {
		all.rows = append(all.rows, b.Row(i))
	}
	all.y = b.Numbers(labelAt)
	if t.Weight != "" {
		all.w = b.Numbers(others + len(t.columns) - 1)
		for i, w := range all.w {
			if err := datasets.CheckWeight(t.Weight, w, b.Row(i)); err != nil {
				return err
			}
		}
	}
	if err := all.check(t.names); err != nil {
		return err
	}
	if len(t.out) > 0 {
		all = all.only(func(i int) bool { return !t.out[datasets.SituationOf(t.game, t.positions[i])] })
	}
	if all == nil {
		return nil
	}
	t.rows += len(all.y)
	for i := range all.y {
		t.heaviest = max(t.heaviest, weightOf(all.w, i))
	}
	t.add(all)
	return nil
}

// features sets the block's x from the batch's columns starting at the given one.
func (t *stripeBlocks[P]) features(b *datasets.Batch, at int) {
	n, k := b.Len(), len(t.names)
	t.x = slices.Grow(t.x[:0], n*k)[:n*k]
	for j, name := range t.names {
		if !slices.Contains(t.table.Meta.Features, name) {
			for i, v := range b.Numbers(at) {
				t.x[i*k+j] = v
			}
			at++
			continue
		}
		own, opp := b.Whole(at), b.Whole(at+1)
		for i := range own {
			t.x[i*k+j] = float64(own[i] - opp[i])
		}
		at += 2
	}
	t.block.x = mat.NewDense(n, k, t.x)
}

// maxInMemory limits the size of a matrix kept in memory, in bytes. Tests lower it.
var maxInMemory int64 = 32 << 20

// inMemory returns the samples in memory if they are small enough, otherwise s.
func (s *tableSamples[P]) inMemory(ctx context.Context) (samples, error) {
	if s.table.Rows*int64(8*(len(s.names)+3)) > maxInMemory {
		return s, nil
	}
	all := stripes{workers: s.Workers}
	err := s.pass(ctx, func() sink { return &blockCopies{all: &all} })
	return all, err
}

// positions calls each with the positions of the matching rows and values of the given columns.
func (s *tableSamples[P]) positions(ctx context.Context, columns []string, each func(positions []P, b *datasets.Batch)) error {
	q := datasets.Query{Columns: append([]string{datasets.PositionColumn(s.game)}, columns...), Where: s.Where}
	var positions []P
	for b, err := range s.table.Batches(ctx, q) {
		if err == nil {
			positions, err = datasets.AppendPositions(s.game, s.table.Meta.Rules, b, 0, positions[:0])
		}
		if err != nil {
			return err
		}
		each(positions, b)
	}
	return nil
}

// situations calls each with the situation of every matching row.
func (s *tableSamples[P]) situations(ctx context.Context, each func(situation int64)) error {
	return s.positions(ctx, nil, func(positions []P, _ *datasets.Batch) {
		for _, p := range positions {
			each(datasets.SituationOf(s.game, p))
		}
	})
}

// leaveOut excludes the rows whose situation also occurs in the training rows, and returns their
// number.
func (s *tableSamples[P]) leaveOut(ctx context.Context, training *tableSamples[P]) (removed int, err error) {
	own := map[int64]int{}
	s.out = map[int64]bool{}
	if err := s.situations(ctx, func(situation int64) { own[situation]++ }); err != nil {
		return 0, err
	}
	err = training.situations(ctx, func(situation int64) {
		if own[situation] > 0 && !s.out[situation] {
			s.out[situation] = true
			removed += own[situation]
		}
	})
	return removed, err
}

// featureNames returns the features of a dataset's set followed by the columns of other programs.
func featureNames(m datasets.Meta) []string { return slices.Concat(m.Features, m.Columns) }

// featureColumns returns the indices of names in featureNames.
func featureColumns(m datasets.Meta, names []string) ([]int, error) {
	all := featureNames(m)
	at := make([]int, len(names))
	for j, name := range names {
		if slices.Contains(names[:j], name) {
			return nil, fmt.Errorf("feature %.80q is named twice: name each once", name)
		}
		at[j] = slices.Index(all, name)
		if at[j] < 0 {
			return nil, fmt.Errorf("the rows have no feature %.80q: %.300s", name, wording.Expect(name, all))
		}
	}
	return at, nil
}

// weightOf returns the weight of a row.
func weightOf[W float32 | float64](weights []W, i int) W {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// maxPairs is the approximate number of rows compared; larger tables are sampled by situation.
const maxPairs = 1 << 17

// checkSymmetry returns an error if a column of another program is visibly not a difference between
// the side to move and the other side: with the other side to move the value must change its sign,
// and with the sides exchanged it must stay the same.
func (s *tableSamples[P]) checkSymmetry(ctx context.Context) error {
	columns := slices.DeleteFunc(slices.Clone(s.table.Meta.Columns),
		func(c string) bool { return !slices.Contains(s.names, c) })
	if s.game.Exchange == nil || len(columns) == 0 {
		return nil
	}
	sample := 1 + uint64(s.table.Rows)/maxPairs // keeps one situation in this many
	values := map[P][]float64{}
	err := s.positions(ctx, columns, func(positions []P, b *datasets.Batch) {
		for i, p := range positions {
			if sample > 1 && checksum.Mix(uint64(datasets.SituationOf(s.game, p)))%sample != 0 {
				continue
			}
			for c := range columns {
				values[p] = append(values[p][:c:c], b.Numbers(c + 1)[i])
			}
		}
	})
	if bad := s.asymmetry(values, columns); err == nil && bad != "" {
		err = fmt.Errorf("%s: %s; convert it, or name its view (adopt --columns-view)", s.table.Path(), bad)
	}
	return err
}

// asymmetry compares the values of columns on boards with those on their images. It describes a
// pair that differs, "" if all agree.
func (s *tableSamples[P]) asymmetry(values map[P][]float64, columns []string) (first string) {
	const tolerance = 1e-6                 // values are rounded to seven digits or more
	scale := make([]float64, len(columns)) // below 1 for a column of small values
	for _, own := range values {
		for c, v := range own {
			scale[c] = min(1, max(scale[c], math.Abs(v)))
		}
	}
	for p, own := range values {
		for _, image := range []boardImage[P]{
			{s.game.Pass(p), -1, "with the other side to move"},
			{s.game.Exchange(p), 1, "with the sides exchanged"},
		} {
			other := values[image.position]
			if other == nil || image.position == p {
				continue
			}
			for c := range columns {
				if math.Abs(own[c]*image.sign-other[c]) <= tolerance*max(scale[c], math.Abs(own[c]), math.Abs(other[c])) {
					continue
				}
				text := fmt.Sprintf("column %s is not a difference, mover minus opponent: %g on %s and, %s, %g",
					columns[c], own[c], s.game.Print(p), image.how, other[c])
				first = firstText(first, text)
			}
		}
	}
	return first
}

// firstText returns the first of two texts in alphabetical order; "" counts as no text. So what is reported does
// not depend on the order of a map.
func firstText(a, b string) string {
	if a == "" || b < a {
		return b
	}
	return a
}

// boardImage is a position whose difference between the sides equals sign times another position's.
type boardImage[P any] struct {
	position P
	sign     float64
	how      string // to get it, for errors
}
