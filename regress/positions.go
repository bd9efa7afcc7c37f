package regress

import (
	"fmt"
	"sync"

	"kroo/datasets"
	"kroo/features/oware"
	rules "kroo/games/oware"
	"kroo/regress/sparse"
)

// labelled are positions with their labels, of one or more datasets. A row
// takes 24 bytes; its columns are made whenever they are asked for.
type labelled struct {
	meta      datasets.Meta // of the first dataset
	hashes    []string      // SHA-256 of the files
	positions []rules.Position
	labels    []float32 // points for the side to move
}

// readLabelled reads datasets of labels of the same rules.
func readLabelled(paths []string) (*labelled, error) {
	l := new(labelled)
	for i, path := range paths {
		meta, rows, err := datasets.ReadLabels(path)
		if err != nil {
			return nil, err
		}
		if i == 0 {
			l.meta = meta
		}
		if meta.Rules != l.meta.Rules {
			return nil, fmt.Errorf("%s: rules %s: expected %s, as in %s", path, meta.Rules, l.meta.Rules, paths[0])
		}
		hash, err := datasets.FileHash(path)
		if err != nil {
			return nil, err
		}
		l.hashes = append(l.hashes, hash)
		if err := l.add(rows); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	}
	if len(l.positions) == 0 {
		return nil, fmt.Errorf("no labels in %q: expected some", paths)
	}
	return l, nil
}

func (l *labelled) add(rows []datasets.LabelRow) error {
	r, err := rules.ParseRules(l.meta.Rules)
	if err != nil {
		return err
	}
	for i, row := range rows {
		p, err := rules.FromBookKey(r, row.Key)
		if err != nil {
			return fmt.Errorf("row %d: %w", i, err)
		}
		l.positions = append(l.positions, p)
		l.labels = append(l.labels, float32(row.Label))
	}
	return nil
}

// without leaves out the rows whose situation is among those of other, and
// counts them.
func (l *labelled) without(other *labelled) (removed int) {
	mine := make(map[int64]bool, len(l.positions))
	for _, p := range l.positions {
		mine[p.Orbit()] = false
	}
	for _, p := range other.positions {
		if _, ok := mine[p.Orbit()]; ok {
			mine[p.Orbit()] = true
		}
	}
	n := 0
	for i, p := range l.positions {
		if !mine[p.Orbit()] {
			l.positions[n], l.labels[n] = p, l.labels[i]
			n++
		}
	}
	removed = len(l.positions) - n
	l.positions, l.labels = l.positions[:n], l.labels[:n]
	return removed
}

// blockRows is the number of rows of a block that the solver reads.
const blockRows = 4096

// patternRows gives labelled positions to the solver, each as the columns of
// the set that are not zero. It implements sparse.Rows.
type patternRows struct {
	*labelled
	set     *oware.Set
	scratch sync.Pool // of *patternRow
}

type patternRow struct {
	ones []uint32
	vals []oware.Entry
}

func newPatternRows(l *labelled, set *oware.Set) *patternRows {
	r := &patternRows{labelled: l, set: set}
	r.scratch.New = func() any { return new(patternRow) }
	return r
}

// Columns, Blocks and Block are as sparse.Rows says.
func (r *patternRows) Columns() int { return r.set.Len() }
func (r *patternRows) Blocks() int  { return (len(r.positions) + blockRows - 1) / blockRows }

func (r *patternRows) Block(i int, dst *sparse.Block) error {
	s := r.scratch.Get().(*patternRow)
	defer r.scratch.Put(s)
	for k := i * blockRows; k < min((i+1)*blockRows, len(r.positions)); k++ {
		s.ones, s.vals = r.set.AppendRow(s.ones[:0], s.vals[:0], r.positions[k])
		dst.One(s.ones...)
		for _, v := range s.vals {
			dst.Value(v.Index, v.Value)
		}
		dst.EndRow(float64(r.labels[k]), 1)
	}
	return nil
}

// folds divide the rows by situation, so that no position is in two parts.
func (r *patternRows) folds(count int) sparse.Folds {
	return sparse.Folds{Count: count, Of: func(block, row int) int {
		orbit := r.positions[block*blockRows+row].Orbit()
		return int(mix(uint64(orbit)) % uint64(count))
	}}
}
