package regress

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/checksum"
	"kroo/internal/memory"
	"kroo/internal/parallel"
	"kroo/regress/sparse"
)

// labelled are the labelled positions of one or more datasets. A row of oware takes 24 bytes; its
// columns are computed on demand.
type labelled[P games.Position[P]] struct {
	game      *games.Game[P]
	rules     string
	weights   []float32 // row weights; nil means 1
	limits    []string  // of the labelling searches, without duplicates
	engines   []string  // signatures, without duplicates
	hashes    []string  // SHA-256 of the files
	positions []P
	labels    []float32 // points for the side to move
	group     []uint32  // a hash of the row's group
}

// readLabelled reads datasets of labels of a game, all under the same rules, and reports the number
// of rows read.
func readLabelled[P games.Position[P]](ctx context.Context, g *games.Game[P], paths []string, where, weight string, progress parallel.Progress) (*labelled[P], error) {
	if err := checkRows(paths); err != nil {
		return nil, err
	}
	l := &labelled[P]{game: g}
	var weigh func(datasets.Row[P]) float64
	var bad error
	err := scanRows(ctx, g, paths, datasets.Labels, where, progress, func(t *datasets.Table) (err error) {
		m := t.Meta
		l.rules, l.limits, l.engines = m.Rules, once(l.limits, m.Limits), once(l.engines, m.Engine)
		l.hashes = append(l.hashes, t.SHA256)
		if weight != "" {
			weigh, err = datasets.Number(g, m, weight)
		}
		return err
	}, func(file int, row datasets.Row[P]) {
		l.add(uint32(file), row)
		if weigh == nil {
			return
		}
		w := weigh(row)
		if err := checkWeight(weight, w, len(l.weights)); bad == nil && err != nil {
			bad = fmt.Errorf("%s: %w", paths[file], err)
		}
		l.weights = append(l.weights, float32(w))
	})
	if err = cmp.Or(err, bad); err != nil {
		return nil, err
	}
	if len(l.positions) == 0 {
		return nil, fmt.Errorf("no labels in %q: expected at least one", paths)
	}
	if counting(l.weights, len(l.positions)) == 0 {
		return nil, errNoWeight(weight)
	}
	return l, nil
}

// scanRows calls each with the rows of datasets of a game and kind that match a filter, with the
// number of their file. It calls begin for each file first; all must have the same rules. It reports
// the number of rows read.
func scanRows[P games.Position[P]](ctx context.Context, g *games.Game[P], paths []string, kind, where string, progress parallel.Progress, begin func(*datasets.Table) error, each func(file int, row datasets.Row[P])) error {
	total, err := countRows(paths)
	if err != nil {
		return err
	}
	rules, some := "", false
	work := progress.Tally(0, total)
	for i, path := range paths {
		t, err := datasets.Open(ctx, g.Info, path)
		if err != nil {
			return err
		}
		rules = cmp.Or(rules, t.Meta.Rules)
		if err = cmp.Or(t.Meta.CheckRules(g.Name, rules), begin(t)); err != nil {
			err = fmt.Errorf("%s: %w", path, err)
		}
		q := datasets.Query{Kind: kind, Where: where, Progress: work.Pass()}
		for row, bad := range datasets.Scan(ctx, g, t, q) {
			if err = cmp.Or(err, bad); err != nil {
				break
			}
			some = true
			each(i, row)
		}
		t.Close()
		if err != nil {
			return err
		}
	}
	if !some {
		return noRows(strings.Join(paths, ", "), where)
	}
	return nil
}

// once appends a text unless it is empty or already in the list.
func once(list []string, text string) []string {
	if text == "" || slices.Contains(list, text) {
		return list
	}
	return append(list, text)
}

// checkRows returns an error if the datasets do not fit into memory.
func checkRows(paths []string) error {
	const row = 2 * 24 // a growing slice exists twice
	rows, err := countRows(paths)
	if err != nil {
		return err
	}
	if err := memory.Check(fmt.Sprintf("%d labelled positions", rows), row*rows); err != nil {
		return fmt.Errorf("%w: give fewer datasets", err)
	}
	return nil
}

func countRows(paths []string) (rows int64, err error) {
	for _, path := range paths {
		m, err := datasets.ReadManifest(path)
		if err != nil {
			return 0, err
		}
		rows += m.Rows
	}
	return rows, nil
}

// add adds a row of the given file.
func (l *labelled[P]) add(file uint32, row datasets.Row[P]) {
	l.positions = append(l.positions, row.Position)
	l.labels = append(l.labels, float32(row.Label))
	l.group = append(l.group, uint32(checksum.Mix(uint64(datasets.GroupOf(l.game, file, row.Position, row.Game)))))
}

// weight returns the weight of a row.
func (l *labelled[P]) weight(k int) float32 {
	if l.weights == nil {
		return 1
	}
	return l.weights[k]
}

// without removes the rows whose situation also occurs in other, and returns their number.
func (l *labelled[P]) without(other *labelled[P]) (removed int) {
	mine := make(map[int64]bool, len(l.positions))
	for _, p := range l.positions {
		mine[l.game.Orbit(p)] = false
	}
	for _, p := range other.positions {
		orbit := l.game.Orbit(p)
		if _, ok := mine[orbit]; ok {
			mine[orbit] = true
		}
	}
	n := 0
	for i, p := range l.positions {
		if !mine[l.game.Orbit(p)] {
			l.positions[n], l.labels[n], l.group[n] = p, l.labels[i], l.group[i]
			if l.weights != nil {
				l.weights[n] = l.weights[i]
			}
			n++
		}
	}
	removed = len(l.positions) - n
	l.positions, l.labels, l.group = l.positions[:n], l.labels[:n], l.group[:n]
	return removed
}

// blockRows is the number of rows per block of the solver.
const blockRows = 4096

// columnRows implements [sparse.Rows] for labelled positions: each row has the nonzero columns of
// the set.
type columnRows[P games.Position[P]] struct {
	*labelled[P]
	set     features.Columns[P]
	scratch sync.Pool // of *columnRow
}

type columnRow struct {
	ones []uint32
	vals []features.Entry
}

func newColumnRows[P games.Position[P]](l *labelled[P], set features.Columns[P]) *columnRows[P] {
	r := &columnRows[P]{labelled: l, set: set}
	r.scratch.New = func() any { return new(columnRow) }
	return r
}

// Columns, Blocks and Block implement [sparse.Rows].
func (r *columnRows[P]) Columns() int { return r.set.Len() }
func (r *columnRows[P]) Blocks() int  { return (len(r.positions) + blockRows - 1) / blockRows }

func (r *columnRows[P]) Block(i int, dst *sparse.Block) {
	s := r.scratch.Get().(*columnRow)
	defer r.scratch.Put(s)
	for k := i * blockRows; k < min((i+1)*blockRows, len(r.positions)); k++ {
		s.ones, s.vals = r.set.AppendRow(s.ones[:0], s.vals[:0], r.positions[k])
		dst.One(s.ones...)
		for _, v := range s.vals {
			dst.Value(v.Index, v.Value)
		}
		dst.EndRow(float64(r.labels[k]), r.weight(k))
	}
}

// folds divide the rows by game, or else by situation, so that similar rows are in one fold. A
// situation that recurs in another game or dataset is in the fold of its first row.
func (r *columnRows[P]) folds(count int) sparse.Folds {
	first := make(map[int64]uint32, len(r.positions))
	part := make([]uint8, len(r.positions))
	for i, p := range r.positions {
		orbit := r.game.Orbit(p)
		group, again := first[orbit]
		if !again {
			group = r.group[i]
			first[orbit] = group
		}
		part[i] = uint8(group % uint32(count))
	}
	return sparse.Folds{Count: count, Of: part}
}
