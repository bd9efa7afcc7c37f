package datasets

import (
	"fmt"
	"os"

	"kroo/games/oware"
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

func read[R row[R]](path string) (Meta, []R, error) {
	m, rows, err := readTable[R](path)
	if err != nil {
		return Meta{}, nil, fmt.Errorf("datasets: %w", err)
	}
	return m, rows, nil
}

func readTable[R row[R]](path string) (Meta, []R, error) {
	t, err := open(path)
	if err != nil {
		return Meta{}, nil, err
	}
	defer t.f.Close()
	var none R
	if got := t.Meta.Kind; got != none.kind() {
		return Meta{}, nil, fmt.Errorf("%s: holds %s, expected %s", path, got, none.kind())
	}
	var rows []R
	err = scan(t, func(_ []column, chunk []R) error {
		rows = append(rows, chunk...)
		return nil
	})
	return t.Meta, rows, err
}

// table is a verified file, ready to be decoded.
type table struct {
	Manifest
	path   string
	format format
	f      *os.File
}

// open finds the format and checks the file against its manifest, so that what
// is decoded later is what was written.
func open(path string) (*table, error) {
	format, err := formatOf(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, err := os.Open(path)
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
// columns and as rows; the columns are valid during the call only.
func scan[R row[R]](t *table, each func(cols []column, rows []R) error) error {
	text, err := t.Meta.encode()
	if err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	var seen int64
	var chunk []R
	err = decode(t.format, t.f, string(text), columnsFor(t.Meta), func(cols []column) error {
		n, err := sameLength(cols)
		if err != nil {
			return err
		}
		if seen+int64(n) > t.Rows {
			return fmt.Errorf("more than the %d rows its manifest tells of", t.Rows)
		}
		if chunk, err = takeRows(chunk[:0], cols, n, seen, &t.Meta); err != nil {
			return err
		}
		seen += int64(n)
		return each(cols, chunk)
	})
	if err == nil && seen != t.Rows {
		err = fmt.Errorf("%d rows, its manifest says %d", seen, t.Rows)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", t.path, err)
	}
	return nil
}

// takeRows builds checked rows of n values of every column; first is the
// number of the first row in its table.
func takeRows[R row[R]](rows []R, cols []column, n int, first int64, m *Meta) ([]R, error) {
	rules, err := oware.ParseRules(m.Rules)
	if err != nil {
		return nil, err
	}
	for i := range n {
		if err := checkPosition(cols, i, rules); err != nil {
			return nil, fmt.Errorf("row %d: %w", first+int64(i), err)
		}
		var none R
		r := none.take(cols, i)
		if err := r.check(m); err != nil {
			return nil, fmt.Errorf("row %d: %w", first+int64(i), err)
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// checkPosition checks that a row's key is one and that what else the row says
// of its position agrees with it.
func checkPosition(cols []column, i int, rules oware.Rules) error {
	p, err := oware.FromBookKey(rules, cols[0].ints[i])
	if err != nil {
		return err
	}
	if board := cols[1].texts[i]; board != p.String() {
		return fmt.Errorf("board is %.80q, the key's is %q", board, p)
	}
	if c := &cols[2]; c.name == "seeds" && c.ints[i] != int64(p.SeedsInPlay()) {
		return fmt.Errorf("seeds is %d, the key's board has %d in play", c.ints[i], p.SeedsInPlay())
	}
	return nil
}
