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
	"kroo/internal/wording"
)

// chunkRows is the number of rows written at a time: a Parquet row group or an Arrow record batch.
// It is not a setting: the bytes of a file depend on it.
const chunkRows = 1 << 16

// Write writes a table of a game and its manifest, replacing existing ones. It streams rows and
// keeps one chunk in memory. Fields without a column in tables of this kind are left out. The first
// error of a row ends the sequence; after any error, nothing is written.
func Write[P games.Position[P]](g *games.Game[P], path string, meta Meta, rows iter.Seq2[Row[P], error]) error {
	_, err := writeTable(g.Info, path, meta, func(w *tableWriter) error {
		x := newRowCodec(g, &meta)
		row := int64(0)
		for r, err := range rows {
			if err != nil {
				return sourceError{err}
			}
			if err := x.put(w.cols, r); err != nil {
				return fmt.Errorf("%s: %w", wording.Row(row), err)
			}
			row++
			if err := w.flushIfFull(); err != nil {
				return err
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

// writeTable writes a table and returns its manifest. fill appends rows to the writer's columns and
// calls flushIfFull after each addition, at the latest when there are chunkRows.
func writeTable(g games.Info, path string, meta Meta, fill func(*tableWriter) error) (Manifest, error) {
	m, err := encodeTable(g, path, meta, fill)
	if source := new(sourceError); errors.As(err, source) {
		return m, source.error
	}
	if named := new(atomicfile.Error); err != nil && !errors.As(err, &named) {
		return m, fmt.Errorf("%s: %w", path, err)
	}
	return m, err
}

// encodeTable is writeTable; its errors do not name the file.
func encodeTable(g games.Info, path string, meta Meta, fill func(*tableWriter) error) (Manifest, error) {
	if err := cmp.Or(meta.check(), meta.checkGame(g)); err != nil {
		return Manifest{}, err
	}
	format, err := formatOf(path)
	if err != nil {
		return Manifest{}, err
	}
	m := Manifest{Format: ManifestFormat, Version: manifestVersion, File: filepath.Base(path), Meta: meta}
	cols := columnsFor(meta, g)
	if format.noMetadata {
		m.Columns = listColumns(cols)
	}
	err = commitPair(path, &m, func(to io.Writer) error {
		sum := sha256.New()
		file := &offsetWriter{w: io.MultiWriter(to, sum)}
		out, err := format.encode(file, allPairs(meta, cols), cols)
		if err != nil {
			return err
		}
		w := newTableWriter(out, cols)
		if err := fill(w); err != nil {
			return err
		}
		if err := w.close(); err != nil {
			return err
		}
		m.Rows = w.rows
		m.Bytes = file.at
		m.SHA256 = hexOf(sum)
		m.Digests = w.columnDigests()
		return nil
	})
	return m, err
}

func hexOf(sum hash.Hash) string { return hex.EncodeToString(sum.Sum(nil)) }

// tableWriter writes the rows of a table in chunks of chunkRows.
type tableWriter struct {
	out     groupWriter
	cols    []column    // rows of the current chunk
	rows    int64       // in the chunks that are written
	digests []hash.Hash // of each column's values
	buffer  []byte
}

func newTableWriter(out groupWriter, cols []column) *tableWriter {
	w := &tableWriter{out: out, cols: cols}
	for range cols {
		w.digests = append(w.digests, sha256.New())
	}
	return w
}

// flushIfFull writes the current chunk if it has chunkRows.
func (w *tableWriter) flushIfFull() error {
	if w.cols[0].len() < chunkRows {
		return nil
	}
	return w.flush()
}

// flush checks and writes the current chunk.
func (w *tableWriter) flush() error {
	if err := checkRanges(w.cols, w.rows); err != nil {
		return err
	}
	for i := range w.cols {
		w.buffer = w.cols[i].appendValues(w.buffer[:0])
		w.digests[i].Write(w.buffer)
	}
	w.rows += int64(w.cols[0].len())
	err := w.out.write(w.cols)
	resetAll(w.cols)
	return err
}

// close writes the last chunk and what follows the rows.
func (w *tableWriter) close() error {
	if w.cols[0].len() > 0 {
		if err := w.flush(); err != nil {
			return err
		}
	}
	return w.out.close()
}

func (w *tableWriter) columnDigests() map[string]string {
	digests := make(map[string]string, len(w.cols))
	for i, c := range w.cols {
		digests[c.name] = hexOf(w.digests[i])
	}
	return digests
}

// commitPair writes a table with the function write, which completes the manifest m, and then m. At any
// moment the files at path are a complete pair, old or new: see nextSuffix.
func commitPair(path string, m *Manifest, write func(io.Writer) error) error {
	if err := finishCommit(path); err != nil {
		return &atomicfile.Error{Path: ManifestPath(path), Err: err}
	}
	next := ManifestPath(path) + nextSuffix
	err := atomicfile.WriteFile(path, func(w io.Writer) error {
		if err := write(w); err != nil {
			return err
		}
		// It must be on disk before the table gets its name, which follows this callback.
		return atomicfile.WriteJSON(next, m)
	})
	if err == nil {
		err = atomicfile.WriteJSON(ManifestPath(path), m)
	}
	if err != nil && mayNeedNext(path) {
		return err
	}
	return errors.Join(err, vfs.RemoveIfThere(next))
}

// finishCommit completes a commit that a crash interrupted after the table got its name: the next
// manifest, which describes the table, replaces the old one. Otherwise another write would replace the
// only manifest of the table before it replaces the table.
func finishCommit(path string) error {
	next := ManifestPath(path) + nextSuffix
	m, err := readManifestAt(path, next)
	switch {
	case isUnreadable(err):
		return err
	case err != nil: // missing, or not a manifest
		return nil
	}
	sum, err := checksum.File(path)
	if isUnreadable(err) {
		return err
	}
	if sum != m.SHA256 {
		return nil
	}
	if err := vfs.Rename(next, ManifestPath(path)); err != nil {
		return err
	}
	dir, _ := filepath.Split(path)
	return vfs.SyncDir(cmp.Or(dir, "."))
}

// isUnreadable reports whether a file exists but cannot be read, by the error of reading it.
func isUnreadable(err error) bool {
	_, ok := errors.AsType[*fs.PathError](err)
	return ok && !errors.Is(err, fs.ErrNotExist)
}

// mayNeedNext reports whether the next manifest may be the only one that describes the table at path. It
// may unless the table is known to be another one, to be missing, or to be described by its manifest
// too: a disk that has failed does not show which table it has.
func mayNeedNext(path string) bool {
	next, err := readManifestAt(path, ManifestPath(path)+nextSuffix)
	if err != nil {
		return isUnreadable(err)
	}
	current, err := readManifestAt(path, ManifestPath(path))
	if err == nil && current.SHA256 == next.SHA256 {
		return false
	}
	sum, err := checksum.File(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false
	}
	return err != nil || sum == next.SHA256
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

// Conversion is a table to write in another format, or some of its rows.
type Conversion struct {
	From     string
	To       string // its extension names the format
	Where    string // filter of the rows (train help filters); "" means all
	Made     string // the command, to record in a table of some rows; may be ""
	Progress parallel.Progress
}

// Convert writes the rows of a table that match a filter to another table. Without a filter, rows and
// meta stay the same: converting there and back gives the same bytes. With a filter, the meta records
// the filter, the command, and the table as parent; it is an error if no row matches. A CSV file has no
// meta and units; its manifest has them.
func Convert(ctx context.Context, g games.Info, c Conversion) (Manifest, error) {
	t, err := Open(ctx, g, c.From)
	if err != nil {
		return Manifest{}, err
	}
	defer t.Close()
	meta := t.Meta
	if c.Where != "" {
		meta.Parent = t.SHA256
		meta.Note = NoteOf(meta.Note, c.Where)
		meta.Made = c.Made
	}
	return writeTable(g, c.To, meta, func(w *tableWriter) error {
		some := c.Where == ""
		for b, err := range t.Batches(ctx, Query{Where: c.Where, Progress: c.Progress}) {
			if err != nil {
				return sourceError{err}
			}
			some = true
			if err := w.append(b); err != nil {
				return err
			}
		}
		if !some {
			return sourceError{fmt.Errorf("none of the %d rows of %s matches the filter", t.Rows, t.File)}
		}
		return nil
	})
}

// append adds the rows of a batch with all columns.
func (w *tableWriter) append(b *Batch) error {
	for from := 0; from < b.n; {
		to := min(b.n, from+chunkRows-w.cols[0].len())
		for i := range w.cols {
			w.cols[i].appendRows(&b.columns[i], from, to)
		}
		if err := w.flushIfFull(); err != nil {
			return err
		}
		from = to
	}
	return nil
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
