package regress

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/mat"

	"kroo/datasets"
	"kroo/games"
	"kroo/internal/parallel"
)

// samples are the rows of a fit. They are read once for the normal equations, and once more for
// statistics that need predictions.
type samples interface {
	// pass adds all rows to tallies, one per group of rows. Groups may be read concurrently;
	// tallies end in the order of the groups, one at a time.
	pass(ctx context.Context, begin func() tally) error
	// most returns an upper bound of the number of rows.
	most() int64
}

// tally accumulates the rows of a group.
type tally interface {
	add(b *block) error
	end() error
}

// block is some consecutive rows. It is only valid during add.
type block struct {
	rows []int64     // row numbers in the file, for errors
	x    *mat.Dense  // one row per position, one column per feature: own − opponent's value
	y    [][]float64 // labels in points: as they are, and in each reading
	w    []float64   // row weights; nil means 1
	c    []uint64    // cluster of each row (datasets.GroupOf)
}

// kept are samples in memory, by group.
type kept [][]*block

func (k kept) most() (rows int64) {
	for _, group := range k {
		for _, b := range group {
			rows += int64(len(b.y[0]))
		}
	}
	return rows
}

func (k kept) pass(ctx context.Context, begin func() tally) error {
	tallies := make([]tally, len(k))
	err := parallel.Do(ctx, 0, len(k), func(_ context.Context, _, g int) error {
		tallies[g] = begin()
		for _, b := range k[g] {
			if err := tallies[g].add(b); err != nil {
				return err
			}
		}
		return nil
	})
	for _, t := range tallies {
		if err == nil {
			err = t.end()
		}
	}
	return err
}

// keepTally keeps the rows of a group.
type keepTally struct {
	to    *kept
	group []*block
}

func (t *keepTally) add(b *block) error {
	c := &block{rows: slices.Clone(b.rows), x: mat.DenseCopyOf(b.x), w: slices.Clone(b.w), c: slices.Clone(b.c)}
	for _, y := range b.y {
		c.y = append(c.y, slices.Clone(y))
	}
	t.group = append(t.group, c)
	return nil
}

func (t *keepTally) end() error {
	*t.to = append(*t.to, t.group)
	return nil
}

// tableSamples are the rows of a dataset of features, which is read again in each pass.
type tableSamples[P games.Position[P]] struct {
	game  *games.Game[P]
	table *datasets.Table
	work  *parallel.Tally

	names    []string
	readings []string
	weight   string   // column of row weights; "" counts each row once
	where    string   // filter of the rows
	columns  []string // the names and the weight column
	out      []int64  // situations to leave out, ascending
}

// Indices of the first columns of a query. The group column is present if the dataset has groups.
const (
	labelAt, exactAt, gameAt, positionAt = 0, 1, 2, 3
)

func newTableSamples[P games.Position[P]](g *games.Game[P], t *datasets.Table, o *trainer, work *parallel.Tally) (*tableSamples[P], error) {
	s := &tableSamples[P]{game: g, table: t, work: work, names: o.names, readings: o.Exact.Proven, weight: o.Weight, where: o.Where}
	var columns []string
	for j, name := range o.names {
		switch {
		case slices.Contains(o.names[:j], name):
			return nil, fmt.Errorf("%s: feature %.80q is named twice: name each once", t.Path(), name)
		case slices.Contains(t.Meta.Features, name):
			columns = append(columns, "own_"+datasets.ColumnName(name), "opp_"+datasets.ColumnName(name))
		case slices.Contains(t.Meta.Columns, name):
			columns = append(columns, name)
		default:
			return nil, fmt.Errorf("%s: the rows have no feature %.80q of their own: expected some of %.300s", t.Path(), name, strings.Join(featureNames(t.Meta), ", "))
		}
	}
	if o.Weight != "" {
		if err := t.NumberColumn(o.Weight); err != nil {
			return nil, fmt.Errorf("%s: weight: %w", t.Path(), err)
		}
		columns = append(columns, o.Weight)
	}
	s.columns = columns
	return s, nil
}

// readError is a read error that names its file.
type readError struct{ error }

func (r readError) Unwrap() error { return r.error }

func (s *tableSamples[P]) most() int64 { return s.table.Rows }

func (s *tableSamples[P]) pass(ctx context.Context, begin func() tally) error {
	q := datasets.Query{Columns: []string{"label", "exact", "game"}, Where: s.where, Progress: s.work.Pass()}
	if s.table.Meta.Grouped {
		q.Columns[gameAt] = datasets.GroupColumn
	}
	if s.positioned() {
		q.Columns = append(q.Columns, datasets.PositionColumn(s.game))
	}
	q.Columns = append(q.Columns, s.columns...)
	err := datasets.Fold(ctx, s.table, q, 0,
		func() *tableGroup[P] { return &tableGroup[P]{tableSamples: s, tally: begin()} },
		func(g *tableGroup[P], b *datasets.Batch) error { return g.add(b) },
		func(g *tableGroup[P]) error { return g.tally.end() })
	if bad := new(tallyError); errors.As(err, bad) {
		return bad.error
	}
	if err != nil {
		return readError{err}
	}
	return nil
}

// positioned reports whether the rows' positions are needed.
func (s *tableSamples[P]) positioned() bool { return !s.table.Meta.Grouped || s.out != nil }

// tallyError is an error of a tally.
type tallyError struct{ error }

func (t tallyError) Unwrap() error { return t.error }

// tableGroup makes blocks of a group's batches.
type tableGroup[P games.Position[P]] struct {
	*tableSamples[P]
	tally tally

	positions []P
	rows      []int64
	x         []float64
	y         [][]float64
	c         []uint64
}

// add adds a batch, without the rows to be left out.
func (g *tableGroup[P]) add(b *datasets.Batch) (err error) {
	others := positionAt
	if g.positioned() {
		others++
		if g.positions, err = datasets.AppendPositions(g.game, g.table.Meta.Rules, b, positionAt, g.positions[:0]); err != nil {
			return err
		}
	}
	n, k := b.Len(), len(g.names)
	g.x, g.c, g.rows = slices.Grow(g.x[:0], n*k)[:n*k], g.c[:0], g.rows[:0]
	g.features(b, others)
	for i, number := range b.Whole(gameAt) {
		if !g.table.Meta.Grouped {
			number = datasets.GroupOf(g.game, 0, g.positions[i], int32(number))
		}
		g.c, g.rows = append(g.c, uint64(number)), append(g.rows, b.Row(i))
	}
	g.labels(b)
	blk := &block{rows: g.rows, y: g.y, c: g.c}
	if g.weight != "" {
		blk.w = b.Numbers(others + len(g.columns) - 1)
		for i, w := range blk.w {
			if err := checkWeight(g.weight, w, int(b.Row(i))); err != nil {
				return tallyError{err}
			}
		}
	}
	if g.out != nil {
		if n = g.leave(blk); n == 0 {
			return nil
		}
	}
	blk.x = mat.NewDense(n, k, g.x[:n*k])
	if err := g.tally.add(blk); err != nil {
		return tallyError{err}
	}
	return nil
}

// features sets x from the batch's columns starting at the given one.
func (g *tableGroup[P]) features(b *datasets.Batch, at int) {
	k := len(g.names)
	for j, name := range g.names {
		if !slices.Contains(g.table.Meta.Features, name) {
			for i, v := range b.Numbers(at) {
				g.x[i*k+j] = v
			}
			at++
			continue
		}
		own, opp := b.Whole(at), b.Whole(at+1)
		for i := range own {
			g.x[i*k+j] = float64(own[i] - opp[i])
		}
		at += 2
	}
}

// labels sets y.
func (g *tableGroup[P]) labels(b *datasets.Batch) {
	labels, exact := b.Numbers(labelAt), b.Truth(exactAt)
	g.y = append(g.y[:0], labels)
	for _, reading := range g.readings {
		y := make([]float64, len(labels))
		for i, label := range labels {
			y[i] = readAs(reading, label, exact[i])
		}
		g.y = append(g.y, y)
	}
}

// leave removes the rows to be left out from a block, and returns the number of remaining rows.
func (g *tableGroup[P]) leave(b *block) (n int) {
	k := len(g.names)
	for i, p := range g.positions {
		if _, out := slices.BinarySearch(g.out, g.game.Orbit(p)); out {
			continue
		}
		copy(g.x[n*k:(n+1)*k], g.x[i*k:(i+1)*k])
		b.c[n], b.rows[n] = b.c[i], b.rows[i]
		for _, y := range b.y {
			y[n] = y[i]
		}
		if b.w != nil {
			b.w[n] = b.w[i]
		}
		n++
	}
	b.c, b.rows = b.c[:n], b.rows[:n]
	for j := range b.y {
		b.y[j] = b.y[j][:n]
	}
	if b.w != nil {
		b.w = b.w[:n]
	}
	return n
}

// inMemory limits the size of a matrix kept in memory, in bytes. Tests lower it.
var inMemory int64 = 32 << 20

// small returns the samples in memory if they are small enough, otherwise s.
func (s *tableSamples[P]) small(ctx context.Context) (samples, error) {
	if s.most()*int64(8*(len(s.names)+len(s.readings)+3)) > inMemory {
		return s, nil
	}
	var k kept
	return &k, s.pass(ctx, func() tally { return &keepTally{to: &k} })
}

// positions calls each with the positions of the matching rows and values of the given columns.
func (s *tableSamples[P]) positions(ctx context.Context, columns []string, each func(positions []P, b *datasets.Batch)) error {
	q := datasets.Query{Columns: append([]string{datasets.PositionColumn(s.game)}, columns...), Where: s.where}
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

// leaveOut excludes the rows whose situation also occurs in the training rows, and returns their
// number.
func (s *tableSamples[P]) leaveOut(ctx context.Context, training *tableSamples[P]) (removed int, err error) {
	var own []int64
	err = s.positions(ctx, nil, func(positions []P, _ *datasets.Batch) {
		for _, p := range positions {
			own = append(own, s.game.Orbit(p))
		}
	})
	if err != nil {
		return 0, err
	}
	slices.Sort(own)
	trained := make([]bool, len(own))
	err = training.positions(ctx, nil, func(positions []P, _ *datasets.Batch) {
		for _, p := range positions {
			if i, there := slices.BinarySearch(own, s.game.Orbit(p)); there {
				trained[i] = true // the first of equal ones
			}
		}
	})
	s.out = []int64{}
	for i, orbit := range own {
		if i > 0 && own[i-1] == orbit {
			trained[i] = trained[i-1]
		}
		if trained[i] {
			removed++
			if len(s.out) == 0 || s.out[len(s.out)-1] != orbit {
				s.out = append(s.out, orbit)
			}
		}
	}
	return removed, err
}

// featureNames returns the features of a dataset's set followed by the columns of other programs.
func featureNames(m datasets.Meta) []string { return slices.Concat(m.Features, m.Columns) }

// checkWeight returns an error if w is not a valid row weight.
func checkWeight(column string, w float64, row int) error {
	if !(w >= 0 && w <= largest) {
		return fmt.Errorf("the weight %s is %g in row %d: expected 0 to %g", column, w, row, largest)
	}
	return nil
}

// errNoWeight is the error for a column whose weights are all 0.
func errNoWeight(column string) error {
	return fmt.Errorf("the weight %s is 0 in every row: expected a row with more", column)
}

// weightOf returns the weight of a row.
func weightOf(weights []float64, i int) float64 {
	if weights == nil {
		return 1
	}
	return weights[i]
}

// Labels and features outside these sizes are rejected, so that no sum of squares overflows or
// vanishes.
const (
	largest  = 1e9
	smallest = 1e-9 // a column must have a value of at least this size
)

// counting returns how many of n rows have a weight above 0.
func counting[W float32 | float64](weights []W, n int) (count int) {
	if weights == nil {
		return n
	}
	for _, w := range weights {
		if w > 0 {
			count++
		}
	}
	return count
}

func sensible(v float64) bool { return math.Abs(v) <= largest } // false for NaN

// Readings replace labels of proven results, which are ±1000 points, the ends of the scale.
const (
	ProvenCentre = "centre"         // 0, the middle of the scale
	ProvenWins   = "wins-at-centre" // 0 if the side to move wins; −1000 if it loses
)

// readings returns the readings of proven results that can be fitted for comparison.
func readings() []string { return []string{ProvenCentre, ProvenWins} }

// readAs returns a label in a reading.
func readAs(reading string, label float64, proven bool) float64 {
	if proven && (reading == ProvenCentre || label > 0) {
		return 0
	}
	return label
}
