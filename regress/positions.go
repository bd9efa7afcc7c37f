package regress

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/agreement"
	"kroo/internal/checksum"
	"kroo/internal/parallel"
)

// tables are open datasets of a game under the same rules.
type tables []*datasets.Table

func openTables(ctx context.Context, g games.Info, paths []string) (all tables, err error) {
	defer func() {
		if err != nil {
			all.close()
		}
	}()
	for _, path := range paths {
		t, err := datasets.Open(ctx, g, path)
		if err != nil {
			return all, err
		}
		all = append(all, t)
		if err := t.Meta.CheckRules(g.Name, all[0].Meta.Rules); err != nil {
			return all, fmt.Errorf("%s: %w", path, err)
		}
	}
	return all, nil
}

func (t tables) close() {
	for _, table := range t {
		table.Close()
	}
}

func (t tables) rows() (n int64) {
	for _, table := range t {
		n += table.Rows
	}
	return n
}

// texts returns the different texts of the tables that are not empty.
func (t tables) texts(of func(*datasets.Table) string) (all []string) {
	for _, table := range t {
		if text := of(table); text != "" && !slices.Contains(all, text) {
			all = append(all, text)
		}
	}
	return all
}

func hashOf(t *datasets.Table) string   { return t.SHA256 }
func limitsOf(t *datasets.Table) string { return t.Meta.Limits }

// scan calls each with the rows of tables that match a filter, and the number of a row's file. A row's
// weight is from a column; "" weighs each row 1. It reports the number of rows read.
func scan[P games.Position[P]](ctx context.Context, g *games.Game[P], tables tables, kind, where, weight string, progress parallel.Progress, each func(file uint32, r datasets.Row[P]) error) error {
	work := progress.Tally(0, tables.rows())
	n, heaviest := 0, 0.
	for i, t := range tables {
		for r, err := range datasets.Scan(ctx, g, t, datasets.Query{Kind: kind, Where: where, Weight: weight, Progress: work.Pass()}) {
			if err != nil {
				return err
			}
			if weight == "" {
				r.Weight = 1
			} else if err := checkWeight(weight, r.Weight, n); err != nil {
				return fmt.Errorf("%s: %w", t.Path(), err)
			}
			n, heaviest = n+1, max(heaviest, r.Weight)
			if err := each(uint32(i), r); err != nil {
				return err
			}
		}
	}
	switch {
	case n == 0:
		return noRows(strings.Join(tables.texts((*datasets.Table).Path), ", "), where)
	case heaviest == 0:
		return fmt.Errorf("the weight %s is 0 in every row: expected a number above 0", weight)
	}
	return nil
}

// labelled are labelled positions. A row of oware takes 24 bytes; its columns are computed on demand.
type labelled[P games.Position[P]] struct {
	game      *games.Game[P]
	positions []P
	labels    []float32 // points for the side to move
	weights   []float32 // row weights; nil means 1
	group     []uint32  // a hash of the row's group
}

// readLabelled reads labelled positions, and reports the number of rows read.
func readLabelled[P games.Position[P]](ctx context.Context, g *games.Game[P], tables tables, where, weight string, progress parallel.Progress) (*labelled[P], error) {
	const row = 2 * 24 // a growing slice exists twice
	if err := checkMemory(fmt.Sprintf("%d labelled positions", tables.rows()), row*tables.rows(), "fewer datasets"); err != nil {
		return nil, err
	}
	l := &labelled[P]{game: g}
	return l, scan(ctx, g, tables, datasets.Labels, where, weight, progress, func(file uint32, r datasets.Row[P]) error {
		l.add(file, r)
		if weight != "" {
			l.weights = append(l.weights, float32(r.Weight))
		}
		return nil
	})
}

// add adds a row of the given file.
func (l *labelled[P]) add(file uint32, row datasets.Row[P]) {
	l.positions = append(l.positions, row.Position)
	l.labels = append(l.labels, float32(row.Label))
	l.group = append(l.group, uint32(checksum.Mix(uint64(datasets.GroupOf(l.game, file, row.Position, row.Game)))))
}

// only returns the rows for which keep returns true.
func (l *labelled[P]) only(keep func(i int) bool) *labelled[P] {
	some := *l
	some.positions, some.labels, some.weights, some.group = nil, nil, nil, nil
	for i, p := range l.positions {
		if !keep(i) {
			continue
		}
		some.positions, some.labels, some.group = append(some.positions, p), append(some.labels, l.labels[i]), append(some.group, l.group[i])
		if l.weights != nil {
			some.weights = append(some.weights, l.weights[i])
		}
	}
	return &some
}

// without returns the rows whose situation does not occur in other.
func (l *labelled[P]) without(other *labelled[P]) *labelled[P] {
	there := map[int64]bool{}
	for _, p := range l.positions {
		there[l.game.Orbit(p)] = false
	}
	for _, p := range other.positions {
		orbit := l.game.Orbit(p)
		if _, ok := there[orbit]; ok {
			there[orbit] = true
		}
	}
	return l.only(func(i int) bool { return !there[l.game.Orbit(l.positions[i])] })
}

// folds divide the rows by game, or else by situation, so that similar rows are in one fold. A
// situation that recurs in another game or dataset is in the fold of its first row.
func (l *labelled[P]) folds(count int) folds {
	first := make(map[int64]uint32, len(l.positions))
	part := make([]uint8, len(l.positions))
	for i, p := range l.positions {
		orbit := l.game.Orbit(p)
		group, again := first[orbit]
		if !again {
			group = l.group[i]
			first[orbit] = group
		}
		part[i] = uint8(group % uint32(count))
	}
	return folds{count, part}
}

// rows returns the rows with the columns of a set.
func (l *labelled[P]) rows(set features.Columns[P]) *sparseRows {
	return &sparseRows{labels: l.labels, weights: l.weights, width: set.Len(), read: func(i int, r *sparseRow) {
		r.ones, r.vals = set.AppendRow(r.ones[:0], r.vals[:0], l.positions[i])
	}}
}

// sparseRows are labelled rows of which few columns are not 0.
type sparseRows struct {
	labels  []float32 // points for the side to move
	weights []float32 // of each row's loss; nil means 1
	width   int       // number of columns
	// read sets r to row i: the same in every call. It is safe for concurrent use.
	read func(i int, r *sparseRow)
}

// sparseRow is the columns of a row that are not 0: those with the value 1, and others. A column
// listed twice counts twice.
type sparseRow struct {
	ones []uint32
	vals []features.Entry
}

func (s *sparseRows) len() int { return len(s.labels) }

// weight returns the weight of a row.
func (s *sparseRows) weight(i int) float32 { return weightOf(s.weights, i) }

// blockRows is the number of rows that a goroutine reads at a time.
const blockRows = 1 << 12

func (s *sparseRows) blocks() int { return (s.len() + blockRows - 1) / blockRows }

// each calls f with every row, several at a time, and the number of the worker that calls.
func (s *sparseRows) each(ctx context.Context, workers int, f func(worker, i int, r *sparseRow)) error {
	rows := make([]sparseRow, parallel.Workers(workers))
	return parallel.Do(ctx, workers, s.blocks(), func(_ context.Context, w, block int) error {
		for i := block * blockRows; i < min((block+1)*blockRows, s.len()); i++ {
			s.read(i, &rows[w])
			f(w, i, &rows[w])
		}
		return nil
	})
}

// predict returns the predictions of weights, clamped to the range of labels. The number of workers
// does not affect the result.
func (s *sparseRows) predict(ctx context.Context, weights []float64, workers int) ([]float64, error) {
	predictions := make([]float64, s.len())
	return predictions, s.each(ctx, workers, func(_, i int, r *sparseRow) { predictions[i] = clamped(r.product(weights)) })
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

// stats compares predictions with the labels.
func (s *sparseRows) stats(predictions []float64) agreement.Stats {
	var all agreement.Sums
	i := 0
	for block := range slices.Chunk(predictions, blockRows) {
		var part agreement.Sums
		for _, p := range block {
			part.Add(p, float64(s.labels[i]), float64(s.weight(i)))
			i++
		}
		all.Merge(part)
	}
	return all.Stats()
}
