package datasets

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"iter"
	"math"
	"path/filepath"

	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/checksum"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
)

// chunkRows is the number of rows written at a time: a Parquet row group or an Arrow record batch.
// It is not a setting: the bytes of a file depend on it.
const chunkRows = 1 << 16

// Write writes a table of a game and its manifest, replacing existing ones. It streams rows and
// keeps one chunk in memory. Fields without a column in tables of this kind are left out. The first
// error of a row ends the sequence; after any error, nothing is written.
func Write[P games.Position[P]](g *games.Game[P], path string, meta Meta, rows iter.Seq2[Row[P], error]) error {
	_, err := writeColumns(g.Info, path, meta, func(cols []column, added func() error) error {
		x, row := newRowCodec(g, &meta), int64(0)
		for r, err := range rows {
			if err != nil {
				return sourceError{err}
			}
			if err := x.put(cols, r); err != nil {
				return fmt.Errorf("row %d: %w", row, err)
			}
			if row++; cols[0].len() == chunkRows {
				if err := added(); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return err
}

// sourceError is an error of the rows, not of the output file.
type sourceError struct{ error }

func (e sourceError) Unwrap() error { return e.error }

// CheckOutput checks whether [Write] can write a table and its manifest, before the work that makes
// the rows.
func CheckOutput(path string) error {
	if _, err := formatOf(path); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	manifest := ManifestPath(path)
	return cmp.Or(atomicfile.Check(path), atomicfile.Check(manifest), atomicfile.Check(manifest+nextSuffix))
}

// Rows turns rows in memory into the sequence that [Write] takes.
func Rows[R any](rows []R) iter.Seq2[R, error] {
	return func(yield func(R, error) bool) {
		for _, r := range rows {
			if !yield(r, nil) {
				return
			}
		}
	}
}

// writeColumns writes a table and returns its manifest. from appends rows to columns and calls
// added after each addition, at the latest when there are chunkRows.
func writeColumns(g games.Info, path string, meta Meta, from func(cols []column, added func() error) error) (Manifest, error) {
	m, err := writeTable(g, path, meta, from)
	if source := new(sourceError); errors.As(err, source) {
		return m, source.error
	}
	if named := new(atomicfile.Error); err != nil && !errors.As(err, &named) {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	return m, err
}

func writeTable(g games.Info, path string, meta Meta, from func(cols []column, added func() error) error) (Manifest, error) {
	if err := cmp.Or(meta.check(), meta.checkGame(g)); err != nil {
		return Manifest{}, err
	}
	format, err := formatOf(path)
	if err != nil {
		return Manifest{}, err
	}
	cols := columnsFor(meta, g)
	m := Manifest{Format: ManifestFormat, Version: manifestVersion, File: filepath.Base(path), Meta: meta, Digests: map[string]string{}}
	if format.bare {
		m.Columns = listColumns(cols)
	}
	return m, m.writeWith(path, func(w io.Writer) error {
		sum := sha256.New()
		file := &offsetWriter{w: io.MultiWriter(w, sum)}
		out, err := format.encode(file, allPairs(meta, cols), cols)
		if err != nil {
			return err
		}
		digests, buffer := make([]hash.Hash, len(cols)), []byte(nil)
		for i := range digests {
			digests[i] = sha256.New()
		}
		chunk := func() error {
			if err := checkRanges(cols, m.Rows); err != nil {
				return err
			}
			m.Rows += int64(cols[0].len())
			for i := range cols {
				buffer = cols[i].appendValues(buffer[:0])
				digests[i].Write(buffer)
			}
			return nil
		}
		if err := inChunks(out, cols, chunk, func(more func() error) error { return from(cols, more) }); err != nil {
			return err
		}
		m.Bytes, m.SHA256 = file.at, hexOf(sum)
		for i, c := range cols {
			m.Digests[c.name] = hexOf(digests[i])
		}
		return nil
	})
}

func hexOf(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)) }

// inChunks writes the columns that from fills, and closes the file. from calls more after each row.
// chunk, if not nil, is called before each chunk is written.
func inChunks(out groupWriter, cols []column, chunk func() error, from func(more func() error) error) error {
	flush := func() error {
		if chunk != nil {
			if err := chunk(); err != nil {
				return err
			}
		}
		err := out.write(cols)
		resetAll(cols)
		return err
	}
	err := from(func() error {
		if cols[0].len() < chunkRows {
			return nil
		}
		return flush()
	})
	if err == nil && cols[0].len() > 0 {
		err = flush()
	}
	if err != nil {
		return err
	}
	return out.close()
}

// writeWith writes a table with the function write, and its manifest. At any moment the files at
// path are a complete pair, old or new: see nextSuffix.
func (m *Manifest) writeWith(path string, write func(io.Writer) error) error {
	next := ManifestPath(path) + nextSuffix
	err := atomicfile.WriteFile(path, func(w io.Writer) error {
		if err := write(w); err != nil {
			return err
		}
		return atomicfile.WriteJSON(next, m)
	})
	if err == nil {
		err = atomicfile.WriteJSON(ManifestPath(path), m)
	}
	if err != nil && m.mayNeedNext(path) {
		return err
	}
	return errors.Join(err, vfs.RemoveIfThere(next))
}

// mayNeedNext reports whether, after a failed write, the next manifest may be the only one that
// describes the table at path. It may unless the table is known to be the old one, to be missing, or
// to be described by its manifest too: a disk that has failed does not show which table it has.
func (m *Manifest) mayNeedNext(path string) bool {
	current, err := readManifestAt(path, ManifestPath(path))
	if err == nil && current.SHA256 == m.SHA256 {
		return false
	}
	sum, err := checksum.File(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return err != nil || sum == m.SHA256
}

// WriteOther writes a file that is not a dataset, and removes the manifest of a dataset that it
// replaces.
func WriteOther(path string, write func(io.Writer) error) error {
	if err := atomicfile.WriteFile(path, write); err != nil {
		return err
	}
	return errors.Join(vfs.RemoveIfThere(ManifestPath(path)), vfs.RemoveIfThere(ManifestPath(path)+nextSuffix))
}

// hasHash reports whether a file has this SHA-256.
func hasHash(path, hash string) bool {
	sum, err := checksum.File(path)
	return err == nil && sum == hash
}

// Convert writes the rows of a table that match a filter (parseFilter; "" for all) to another
// table, in the format of the output's extension. Without a filter, rows and meta stay the same:
// converting there and back gives the same bytes, unless an older version wrote the table. With a
// filter, the meta records the filter, and the table as parent; it is an error if no row matches. A
// CSV file has no meta and units; its manifest has them.
func Convert(ctx context.Context, g games.Info, from, to, where string, progress parallel.Progress) (Manifest, error) {
	t, err := Open(ctx, g, from)
	if err != nil {
		return Manifest{}, err
	}
	defer t.Close()
	meta := t.Meta
	if where != "" {
		meta.Parent, meta.Note = t.SHA256, Noted(meta.Note, where)
	}
	return writeColumns(g, to, meta, func(out []column, added func() error) error {
		some := where == ""
		for b, err := range t.Batches(ctx, Query{Where: where, Progress: progress}) {
			if err != nil {
				return sourceError{err}
			}
			some = true
			for from := 0; from < b.n; {
				to := min(b.n, from+chunkRows-out[0].len())
				for i := range out {
					out[i].appendRows(&b.columns[i], from, to)
				}
				if err := added(); err != nil {
					return err
				}
				from = to
			}
		}
		if !some {
			return sourceError{fmt.Errorf("none of the %d rows of %s matches the filter", t.Rows, t.File)}
		}
		return nil
	})
}

// appendValues appends the values as described in docs/formats.md: integers and doubles as 8 bytes,
// little-endian; booleans as one byte; texts after a length of 4 bytes.
func (c *column) appendValues(b []byte) []byte {
	for _, v := range c.ints {
		b = binary.LittleEndian.AppendUint64(b, uint64(v))
	}
	for _, v := range c.floats {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	for _, v := range c.bools {
		if v {
			b = append(b, 1)
		} else {
			b = append(b, 0)
		}
	}
	for _, v := range c.texts {
		b = binary.LittleEndian.AppendUint32(b, uint32(len(v)))
		b = append(b, v...)
	}
	return b
}
