package datasets

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"path/filepath"

	"kroo/games/oware"
	"kroo/internal/atomicfile"
)

// chunkRows is the number of rows written at a time: a Parquet row group or an
// Arrow record batch. It is part of the format's determinism, not a setting.
const chunkRows = 1 << 16

// WritePositions writes a positions table and its manifest, replacing what was
// there. An empty meta.Kind is filled in. Nothing is written if a row is wrong.
func WritePositions(path string, meta Meta, rows []PositionRow) error {
	return write(path, meta, rows)
}

// WriteLabels is [WritePositions] for a labels table.
func WriteLabels(path string, meta Meta, rows []LabelRow) error {
	return write(path, meta, rows)
}

// WriteFeatures is [WritePositions] for a features table. Every row must have
// as many numbers a side as meta.Features has names.
func WriteFeatures(path string, meta Meta, rows []FeatureRow) error {
	return write(path, meta, rows)
}

func write[R row[R]](path string, meta Meta, rows []R) error {
	if err := writeTable(path, meta, rows); err != nil {
		return fmt.Errorf("datasets: %s: %w", path, err)
	}
	return nil
}

func writeTable[R row[R]](path string, meta Meta, rows []R) error {
	var none R
	if meta.Kind == "" {
		meta.Kind = none.kind()
	}
	if meta.Kind != none.kind() {
		return fmt.Errorf("meta says the table holds %s, the rows are %s", meta.Kind, none.kind())
	}
	text, err := meta.encode()
	if err != nil {
		return err
	}
	format, err := formatOf(path)
	if err != nil {
		return err
	}
	sum := &counter{Hash: sha256.New()}
	next := func(cols []column) (bool, error) {
		n := min(len(rows)-sum.rows, chunkRows)
		if n == 0 {
			return false, nil
		}
		err := putRows(cols, &meta, rows[sum.rows:][:n], sum.rows)
		sum.rows += n
		return true, err
	}
	err = atomicfile.WriteFile(path, func(w io.Writer) error {
		return format.encode(io.MultiWriter(w, sum), string(text), columnsFor(meta), next)
	})
	if err != nil {
		return err
	}
	return Manifest{
		Format: manifestFormat, Version: manifestVersion, File: filepath.Base(path),
		Bytes: sum.bytes, SHA256: hex.EncodeToString(sum.Sum(nil)), Rows: int64(sum.rows), Meta: meta,
	}.write(path)
}

// counter measures what is written: bytes and hash by Write, rows by its user.
type counter struct {
	hash.Hash
	bytes int64
	rows  int
}

func (c *counter) Write(b []byte) (int, error) {
	c.bytes += int64(len(b))
	return c.Hash.Write(b)
}

// putRows fills the columns with checked rows; first is the number of the first.
func putRows[R row[R]](cols []column, m *Meta, rows []R, first int) error {
	rules, err := oware.ParseRules(m.Rules)
	if err != nil {
		return err
	}
	resetAll(cols)
	for i, r := range rows {
		p, err := oware.FromBookKey(rules, r.key())
		if err == nil {
			err = r.check(m)
		}
		if err != nil {
			return fmt.Errorf("row %d: %w", first+i, err)
		}
		putInt(&cols[0], r.key())
		cols[1].texts = append(cols[1].texts, p.String())
		r.put(cols[2:], p)
	}
	return nil
}
