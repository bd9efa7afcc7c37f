package datasets

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"kroo/internal/wording"
)

// cellRow is a row of a file written by any program.
type cellRow struct {
	Place string   // in the file, such as ":3" or ": row 2"
	Cells []string // values of the wanted columns, "" for missing ones; nil if the row has the wrong number of values
}

// cellsOf yields some columns of a file written by any program, found by name, one row of texts at a
// time. An error ends the sequence.
func cellsOf(in contents, size int64, names []string) iter.Seq2[cellRow, error] {
	if in, ok := in.(csvFile); ok {
		return in.cells(names)
	}
	return func(yield func(cellRow, error) bool) {
		about, err := in.describe()
		if err != nil {
			yield(cellRow{}, err)
			return
		}
		places, err := placesOf(about.Names, names)
		if err != nil {
			yield(cellRow{}, err)
			return
		}
		cols := make([]column, len(about.Names))
		for i, name := range about.Names {
			cols[i] = column{name: name, typ: typeCell}
		}
		first := int64(0)
		for n, err := range batchesOfAll(in, cols, places) {
			if err == nil && first+int64(n) > maxRowsPerByte*size {
				err = fmt.Errorf("more than %d rows in %d bytes: too few bytes for that many different positions",
					first, size)
			}
			if err != nil {
				yield(cellRow{}, err)
				return
			}
			if !yieldCells(cols, places, n, first, yield) {
				return
			}
			first += int64(n)
		}
	}
}

// yieldCells yields the n rows of a batch, the first of which is this row of the file, and reports whether the
// consumer wants more.
func yieldCells(cols []column, places []int, n int, first int64, yield func(cellRow, error) bool) bool {
	for i := range n {
		if !yield(cellRow{": " + wording.Row(first+int64(i)), textsAt(cols, places, i)}, nil) {
			return false
		}
	}
	return true
}

// textsAt returns the i-th texts of some columns.
func textsAt(cols []column, places []int, i int) []string {
	cells := make([]string, len(places))
	for c, at := range places {
		cells[c] = cols[at].texts[i]
	}
	return cells
}

// batchesOfAll fills the wanted columns with the rows of all groups, batch by batch, and yields the
// number of rows in each. An error ends the sequence.
func batchesOfAll(in contents, cols []column, wanted []int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for g, err := range in.groups() {
			if err != nil {
				yield(0, err)
				return
			}
			for n, err := range rowCounts(g, cols, wanted) {
				if !yield(n, err) || err != nil {
					return
				}
			}
		}
	}
}

// rowCounts fills the wanted columns with the rows of a group, batch by batch, and yields the number of
// rows in each. An error ends the sequence.
func rowCounts(g group, cols []column, wanted []int) iter.Seq2[int, error] {
	return func(yield func(int, error) bool) {
		for err := range g.batches(cols, wanted) {
			n := 0
			if err == nil {
				n, err = sameLength(cols, wanted)
			}
			if !yield(n, err) || err != nil {
				return
			}
		}
	}
}

// placesOf finds columns by name.
func placesOf(in, names []string) ([]int, error) {
	places := make([]int, len(names))
	for i, name := range names {
		places[i] = slices.Index(in, name)
		if places[i] < 0 {
			return nil, fmt.Errorf("there is no column %q: %sit has %.200s", name, wording.Suggest(name, in), strings.Join(in, ", "))
		}
	}
	return places, nil
}
