package regress

import (
	"context"
	"fmt"
	"iter"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/checksum"
	"kroo/internal/parallel"
)

// labelledRows is a stream of labelled positions: the rows of tables that match a filter. Each pass reads
// the tables again, so that the number of rows does not matter.
type labelledRows[P games.Position[P]] struct {
	game          *games.Game[P]
	tables        tables
	where, weight string // filter, and column of row weights; "" for all rows, and weights of 1
	// checked makes a pass check every column of every row, and return an error if there are no rows,
	// or only rows of weight 0. One such pass suffices: a table cannot change unnoticed.
	checked bool
	// keep selects the rows of batches, by their number among those that match, or the i-th of a batch;
	// nil keeps all.
	keep func(row int, b *labelledBatch[P], i int) bool
	work *parallel.Tally // of the rows read; may be nil
}

// labelledBatch is consecutive rows of a stream.
type labelledBatch[P games.Position[P]] struct {
	positions []P
	labels    []float32 // points for the side to move
	weights   []float32 // row weights; nil means 1
	clusters  []uint64  // of each row ([datasets.ClusterOf])
}

// len returns the number of rows.
func (b *labelledBatch[P]) len() int { return len(b.positions) }

// cluster returns a hash of a row's cluster.
func (b *labelledBatch[P]) cluster(i int) uint32 { return clusterHash(b.clusters[i]) }

// appendRow appends a row of another batch.
func (b *labelledBatch[P]) appendRow(o *labelledBatch[P], i int) {
	b.positions = append(b.positions, o.positions[i])
	b.labels = append(b.labels, o.labels[i])
	if o.weights != nil {
		b.weights = append(b.weights, o.weights[i])
	}
	b.clusters = append(b.clusters, o.clusters[i])
}

// newBatch returns an empty batch with room for n rows.
func (l *labelledRows[P]) newBatch(n int) *labelledBatch[P] {
	b := &labelledBatch[P]{
		positions: make([]P, 0, n), labels: make([]float32, 0, n),
		clusters: make([]uint64, 0, n),
	}
	if l.weight != "" {
		b.weights = make([]float32, 0, n)
	}
	return b
}

// reset empties a batch.
func (b *labelledBatch[P]) reset() {
	b.positions = b.positions[:0]
	b.labels = b.labels[:0]
	b.weights = b.weights[:0]
	b.clusters = b.clusters[:0]
}

// blockRows is the number of rows that a goroutine works on at a time, unless there is a reason for
// more.
const blockRows = 1 << 12

// inBlocks is the size of every batch for [labelledRows.batches].
func inBlocks(int) int { return blockRows }

// batches yields the rows: size(k) of them in batch k, from 0, and fewer in the last one. The consumer
// may keep batches.
func (l *labelledRows[P]) batches(ctx context.Context, size func(k int) int) iter.Seq2[*labelledBatch[P], error] {
	return func(yield func(*labelledBatch[P], error) bool) {
		k := 0
		batch := l.newBatch(size(0))
		for r, err := range l.kept(ctx) {
			if err != nil {
				yield(nil, err)
				return
			}
			batch.appendRow(r.batch, r.at)
			if batch.len() < size(k) {
				continue
			}
			if !yield(batch, nil) {
				return
			}
			k++
			batch = l.newBatch(size(k))
		}
		if batch.len() > 0 {
			yield(batch, nil)
		}
	}
}

// batchRow is a row of a batch.
type batchRow[P games.Position[P]] struct {
	batch *labelledBatch[P]
	at    int
}

// kept yields the rows that are kept.
func (l *labelledRows[P]) kept(ctx context.Context) iter.Seq2[batchRow[P], error] {
	return func(yield func(batchRow[P], error) bool) {
		row := 0
		for b, err := range l.read(ctx) {
			if err != nil {
				yield(batchRow[P]{}, err)
				return
			}
			for i := range b.positions {
				isKept := l.keep == nil || l.keep(row, b, i)
				row++
				if isKept && !yield(batchRow[P]{b, i}, nil) {
					return
				}
			}
		}
	}
}

// read yields all matching rows, in batches of any size that are valid until the next one.
func (l *labelledRows[P]) read(ctx context.Context) iter.Seq2[*labelledBatch[P], error] {
	return func(yield func(*labelledBatch[P], error) bool) {
		rows := 0
		heaviest := float32(0)
		for file, t := range l.tables {
			for b, err := range l.readTable(ctx, uint32(file), t) {
				if !yield(b, err) || err != nil {
					return
				}
				rows += b.len()
				heaviest = max(heaviest, b.heaviest())
			}
		}
		switch {
		case l.checked && rows == 0:
			yield(nil, noRows(strings.Join(l.tables.texts((*datasets.Table).Path), ", "), l.where))
		case l.checked && l.weight != "" && heaviest == 0:
			yield(nil, noWeight(l.weight))
		}
	}
}

// heaviest returns the largest row weight; 0 if there are none.
func (b *labelledBatch[P]) heaviest() (most float32) {
	for _, w := range b.weights {
		most = max(most, w)
	}
	return most
}

// readTable is read for one of the tables.
func (l *labelledRows[P]) readTable(ctx context.Context, file uint32, t *datasets.Table) iter.Seq2[*labelledBatch[P], error] {
	return func(yield func(*labelledBatch[P], error) bool) {
		r, err := l.newTableReader(file, t)
		if err != nil {
			yield(nil, fmt.Errorf("%s: %w", t.Path(), err))
			return
		}
		batch := l.newBatch(0)
		for b, err := range t.Batches(ctx, r.query) {
			batch.reset()
			if err == nil {
				err = r.appendRows(batch, b)
			}
			if !yield(batch, err) || err != nil {
				return
			}
		}
	}
}

// tableReader reads the rows of a table of labels.
type tableReader[P games.Position[P]] struct {
	*labelledRows[P]
	file  uint32
	table *datasets.Table
	query datasets.Query
	// Places of columns in a batch; weightAt is -1 without row weights.
	positionAt, labelAt, clusterAt, weightAt int
}

func (l *labelledRows[P]) newTableReader(file uint32, t *datasets.Table) (*tableReader[P], error) {
	r := &tableReader[P]{labelledRows: l, file: file, table: t, weightAt: -1}
	r.query = datasets.Query{Kind: datasets.Labels, Where: l.where}
	if l.work != nil {
		r.query.Progress = l.work.Pass()
	}
	columns := []string{datasets.PositionColumn(l.game), "label", t.ClusterColumn()}
	places := []*int{&r.positionAt, &r.labelAt, &r.clusterAt}
	if l.weight != "" {
		if err := t.NumberColumn(l.weight); err != nil {
			return nil, err
		}
		columns = append(columns, l.weight)
		places = append(places, &r.weightAt)
	}
	for i, name := range columns {
		*places[i] = i
		if l.checked {
			*places[i] = t.Column(name)
		}
	}
	if !l.checked {
		r.query.Columns = columns
	}
	return r, nil
}

// appendRows appends the rows of a table's batch.
func (r *tableReader[P]) appendRows(to *labelledBatch[P], b *datasets.Batch) (err error) {
	if r.checked {
		to.positions, err = datasets.CheckRows(r.game, r.table, b, to.positions)
	} else {
		to.positions, err = datasets.AppendPositions(r.game, r.table.Meta.Rules, b, r.positionAt, to.positions)
	}
	if err != nil {
		return err
	}
	for _, label := range b.Numbers(r.labelAt) {
		to.labels = append(to.labels, float32(label))
	}
	added := to.positions[len(to.clusters):]
	to.clusters = datasets.AppendClusters(r.game, r.table, r.file, b, r.clusterAt, added, to.clusters)
	if r.weightAt < 0 {
		return nil
	}
	for i, w := range b.Numbers(r.weightAt) {
		if err := datasets.CheckWeight(r.weight, w, b.Row(i)); err != nil {
			return fmt.Errorf("%s: %w", r.table.Path(), err)
		}
		to.weights = append(to.weights, float32(w))
	}
	return nil
}

// situation is a row's situation and cluster.
type situation[P games.Position[P]] struct {
	row    int
	number int64 // of the situation, see [datasets.SituationOf]
	batch  *labelledBatch[P]
	at     int // row's place in the batch
}

func (s situation[P]) cluster() uint32 { return s.batch.cluster(s.at) }

// situations yields the situations of the rows in part k of n. All rows of a situation are in one
// part, so that a table of the situations of a part takes 1/n of the memory.
func (l *labelledRows[P]) situations(ctx context.Context, k, n int) iter.Seq2[situation[P], error] {
	return func(yield func(situation[P], error) bool) {
		row := 0
		for b, err := range l.read(ctx) {
			if err != nil {
				yield(situation[P]{}, err)
				return
			}
			for i, p := range b.positions {
				s := situation[P]{row: row, number: datasets.SituationOf(l.game, p), batch: b, at: i}
				row++
				if checksum.Mix(uint64(s.number))%uint64(n) == uint64(k) && !yield(s, nil) {
					return
				}
			}
		}
	}
}

// situationBytes is the memory that a map takes for a situation.
const situationBytes = 48

// situationParts returns the number of parts that each fit into memory.
func (l *labelledRows[P]) situationParts(memory int64) int {
	return 1 + int(l.tables.rows()*situationBytes/max(memory, 64<<20))
}

// overlap reports for each row if its situation is also in other. It reads the rows three times for
// each of a number of parts.
func (l *labelledRows[P]) overlap(ctx context.Context, other *labelledRows[P], parts int) ([]bool, error) {
	both := make([]bool, l.tables.rows())
	for k := range parts {
		shared := map[int64]bool{}
		for s, err := range l.situations(ctx, k, parts) {
			if err != nil {
				return nil, err
			}
			shared[s.number] = false
		}
		for s, err := range other.situations(ctx, k, parts) {
			if err != nil {
				return nil, err
			}
			if _, here := shared[s.number]; here {
				shared[s.number] = true
			}
		}
		for s, err := range l.situations(ctx, k, parts) {
			if err != nil {
				return nil, err
			}
			both[s.row] = shared[s.number]
		}
	}
	return both, nil
}

// folds divide the rows by cluster, so that similar rows are in one fold. A situation that recurs in
// another game or dataset is in the fold of its first row. It reads the rows once for each of a number
// of parts.
func (l *labelledRows[P]) folds(ctx context.Context, count, parts int) (folds, error) {
	f := folds{count: count, of: make([]uint8, l.tables.rows())}
	rows := 0
	for k := range parts {
		first := map[int64]uint8{} // fold of the situation's first row
		for s, err := range l.situations(ctx, k, parts) {
			if err != nil {
				return f, err
			}
			fold, again := first[s.number]
			if !again {
				fold = uint8(s.cluster() % uint32(count))
				first[s.number] = fold
			}
			f.of[s.row] = fold
			rows = max(rows, s.row+1)
		}
	}
	f.of = f.of[:rows]
	return f, nil
}

// sparse returns the rows with the columns of a set.
func (l *labelledRows[P]) sparse(set features.ColumnSet[P]) *sparseRows {
	batches := func(ctx context.Context, size func(int) int) iter.Seq2[*sparseBatch, error] {
		return sparseBatches(l.batches(ctx, size), set)
	}
	return &sparseRows{width: set.Len(), batches: batches}
}

// sparseBatches yields batches with the columns of a set.
func sparseBatches[P games.Position[P]](
	list iter.Seq2[*labelledBatch[P], error], set features.ColumnSet[P],
) iter.Seq2[*sparseBatch, error] {
	return func(yield func(*sparseBatch, error) bool) {
		for b, err := range list {
			if err != nil {
				yield(nil, err)
				return
			}
			if !yield(b.sparse(set), nil) {
				return
			}
		}
	}
}

// sparse returns the rows with the columns of a set.
func (b *labelledBatch[P]) sparse(set features.ColumnSet[P]) *sparseBatch {
	read := func(i int, r *sparseRow) { r.ones, r.vals = set.AppendRow(r.ones[:0], r.vals[:0], b.positions[i]) }
	return &sparseBatch{labels: b.labels, weights: b.weights, cluster: b.cluster, read: read}
}
