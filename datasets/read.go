package datasets

import (
	"fmt"

	"kroo/internal/vfs"
)

// Table is a table of any kind: one of the three slices is used, as Meta.Kind
// says.
type Table struct {
	Meta      Meta
	Positions []PositionRow
	Labels    []LabelRow
	Features  []FeatureRow
}

// Read reads a table of any kind.
func Read(path string) (*Table, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	t := &Table{}
	switch m.Meta.Kind {
	case Positions:
		t.Meta, t.Positions, err = ReadPositions(path)
	case Labels:
		t.Meta, t.Labels, err = ReadLabels(path)
	default:
		t.Meta, t.Features, err = ReadFeatures(path)
	}
	if err != nil {
		return nil, err
	}
	return t, nil
}

// ReadPositions reads a positions table. It refuses a file that does not match
// its manifest, a table of another kind, and any value out of its range; the
// error names the file and, where there is one, the row (counted from 0).
func ReadPositions(path string) (Meta, []PositionRow, error) { return read[PositionRow](path) }

// ReadLabels is [ReadPositions] for a labels table.
func ReadLabels(path string) (Meta, []LabelRow, error) { return read[LabelRow](path) }

// ReadFeatures is [ReadPositions] for a features table.
func ReadFeatures(path string) (Meta, []FeatureRow, error) { return read[FeatureRow](path) }

func read[R Row[R]](path string) (Meta, []R, error) {
	var rows []R
	m, err := Scan(path, func(chunk []R) error {
		rows = append(rows, chunk...)
		return nil
	})
	if err != nil {
		return Meta{}, nil, err
	}
	return m, rows, nil
}

// Scan reads a table as [ReadPositions] does, a chunk at a time. each may keep
// the rows but not the slice; an error from each ends the scan and is returned
// with the file's name.
func Scan[R Row[R]](path string, each func(chunk []R) error) (Meta, error) {
	m, err := scanFile(path, each)
	if err != nil {
		return Meta{}, err
	}
	return m, nil
}

func scanFile[R Row[R]](path string, each func(chunk []R) error) (Meta, error) {
	t, err := open(path)
	if err != nil {
		return Meta{}, err
	}
	defer t.f.Close()
	var none R
	if got := t.Meta.Kind; got != none.kind() {
		return Meta{}, fmt.Errorf("%s: holds %s, expected %s", path, got, none.kind())
	}
	return t.Meta, scan(t, func(_ []column, chunk []R) error { return each(chunk) })
}

// table is a verified file, ready to be decoded.
type table struct {
	Manifest
	path   string
	format format
	f      *vfs.File
}

// open finds the format and checks the file against its manifest, so that what
// is decoded later is what was written.
func open(path string) (*table, error) {
	format, err := formatOf(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	m, err := readManifest(path)
	if err == nil {
		err = m.verify(f)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return &table{m, path, format, f}, nil
}

// scan decodes and checks the rows and hands them over a chunk at a time, as
// columns and as rows; both are valid during the call only.
func scan[R Row[R]](t *table, each func(cols []column, rows []R) error) error {
	cols := columnsFor(t.Meta)
	stored, pairs := cols, allPairs(t.Meta, cols)
	if t.Version == 1 {
		var err error
		stored = version1Columns(t.Meta)
		if pairs, err = version1Pairs(t.Meta); err != nil {
			return fmt.Errorf("%s: %w", t.path, err)
		}
	}
	var seen int64
	var chunk []R
	err := decode(t.format, t.f, pairs, stored, func(stored []column) error {
		n, err := sameLength(stored)
		if err == nil && t.Version == 1 {
			err = upgrade(t.Meta, cols, stored, n)
		}
		if err != nil {
			return err
		}
		if t.Rows != unknownRows && seen+int64(n) > t.Rows {
			return fmt.Errorf("more than the %d rows its manifest tells of", t.Rows)
		}
		if chunk, err = takeRows(chunk[:0], cols, n, seen, &t.Meta); err != nil {
			return err
		}
		seen += int64(n)
		return each(cols, chunk)
	})
	if err == nil && t.Rows != unknownRows && seen != t.Rows {
		err = fmt.Errorf("%d rows, its manifest says %d", seen, t.Rows)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return nil
}

// takeRows builds checked rows of n values of every column; first is the
// number of the first row in its table.
func takeRows[R Row[R]](rows []R, cols []column, n int, first int64, m *Meta) ([]R, error) {
	for i := range n {
		r, err := takeRow[R](cols, i, m)
		if err == nil {
			err = r.check(m)
		}
		if err != nil {
			return nil, fmt.Errorf("row %d: %w", first+int64(i), err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// takeRow builds a row, whose position must be one that its key, board and
// phase agree on.
func takeRow[R Row[R]](cols []column, i int, m *Meta) (r R, err error) {
	p, err := codecs[m.Game].decode(m.Rules, cols[0].ints[i], cols[1].texts[i])
	if err != nil {
		return r, err
	}
	if phase := cols[2].ints[i]; phase != int64(p.phase()) {
		return r, fmt.Errorf("phase is %d, the board's is %d", phase, p.phase())
	}
	at := PositionRow{Game: int32(cols[3].ints[i]), Ply: int32(cols[4].ints[i])}
	at.Key, at.Board = p.identity()
	return r.take(at, cols[positionColumns:], i, p)
}
