package datasets

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// placesOf finds columns by name.
func placesOf(in, names []string) ([]int, error) {
	places := make([]int, len(names))
	for i, name := range names {
		if places[i] = slices.Index(in, name); places[i] < 0 {
			return nil, fmt.Errorf("there is no column %q: it has %.200s", name, strings.Join(in, ", "))
		}
	}
	return places, nil
}

func (in csvFile) cells(_ memory.Allocator, names []string, each eachCells) error {
	places, err := placesOf(in.head, names)
	if err != nil {
		return err
	}
	cells := make([]string, len(names))
	for {
		row, err := in.Read()
		line, err := lineOf(in.Reader, err)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
		if len(row) != len(in.head) {
			if err := each(fmt.Sprintf(":%d", line), nil); err != nil {
				return err
			}
			continue
		}
		for i, at := range places {
			cells[i] = strings.TrimSpace(row[at])
			if cells[i] == "?" || cells[i] == "NA" { // R's missing value
				cells[i] = ""
			}
		}
		if err := each(fmt.Sprintf(":%d", line), cells); err != nil {
			return err
		}
	}
}

// cellsOf is the cells of contents that have columns. place is the number of the row.
func cellsOf(in contents, size int64, mem memory.Allocator, names []string, each eachCells) error {
	about, err := in.describe()
	if err != nil {
		return err
	}
	places, err := placesOf(about.Names, names)
	if err != nil {
		return err
	}
	cols, cells, row := make([]column, len(about.Names)), make([]string, len(names)), int64(0)
	for i, name := range about.Names {
		cols[i] = column{name: name, typ: typeCell}
	}
	return in.groups(func(g group) error {
		return g.read(mem, cols, places, func() error {
			n, err := sameLength(cols, places)
			if err == nil && row+int64(n) > maxRowsPerByte*size {
				err = fmt.Errorf("more than %d rows in %d bytes: too few bytes for that many different positions", row, size)
			}
			for i := 0; i < n && err == nil; i++ {
				for c, at := range places {
					cells[c] = cols[at].texts[i]
				}
				err = each(fmt.Sprintf(": row %d", row), cells)
				row++
			}
			return err
		})
	})
}

// maxRowsPerByte exceeds what any table of boards needs, however repetitive. A hostile file can
// claim endless repetitions of a value in a few bytes.
const maxRowsPerByte = 16

func (in arrowFile) cells(mem memory.Allocator, names []string, each eachCells) error {
	return cellsOf(in, in.size, mem, names, each)
}

func (f *parquetFile) cells(mem memory.Allocator, names []string, each eachCells) error {
	return cellsOf(f, f.size, mem, names, each)
}
