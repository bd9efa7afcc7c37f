package regress

import (
	"archive/zip"
	"bufio"
	"cmp"
	"context"
	"encoding/binary"
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"kroo/datasets"
	"kroo/features"
	"kroo/games"
	"kroo/internal/parallel"
)

// designFormats are the extensions of a design matrix.
var designFormats = []string{".npz", ".parquet"}

// Suffixes of the accompanying files.
const (
	labelsSuffix  = ".labels.csv"
	columnsSuffix = ".columns.csv"
)

// DesignPaths returns the files of a design matrix: the matrix, its rows' labels and its columns'
// names.
func DesignPaths(out string) (all []string, err error) {
	ext := filepath.Ext(out)
	if !slices.Contains(designFormats, ext) {
		return nil, fmt.Errorf("%s: expected a name that ends in %s", out, strings.Join(designFormats, ", "))
	}
	name := strings.TrimSuffix(out, ext)
	return []string{out, name + labelsSuffix, name + columnsSuffix}, nil
}

// DesignRequest describes a design matrix to write.
type DesignRequest struct {
	Labels   []string // datasets of labels
	Where    string   // filter of their rows; "" means all
	Set, Out string   // a set of pattern features; the file to write, NAME.npz or NAME.parquet
}

// DesignSummary is the size of a design matrix.
type DesignSummary struct {
	Rows    int   `json:"rows"`
	Columns int   `json:"columns"`
	Entries int64 `json:"entries"` // nonzero entries
}

// WriteDesign writes the matrix of a set's features, with one row per labelled position, for
// scipy.sparse.load_npz (format csr, float32) or as a Parquet file of row, column and value. It
// also writes two CSV files: for each row its label in points, its group (rows of one game or
// situation, which belong in one part of a split) and its board; for each column its name and
// family.
func WriteDesign[P games.Position[P]](ctx context.Context, of features.Patterns[P], rules string, req DesignRequest, progress parallel.Progress) (DesignSummary, error) {
	paths, err := DesignPaths(req.Out)
	if err != nil {
		return DesignSummary{}, err
	}
	set, err := of.Parse(rules, req.Set)
	if err != nil {
		return DesignSummary{}, err
	}
	l, err := readLabelled(ctx, of.Game, req.Labels, req.Where, "", progress)
	if err != nil {
		return DesignSummary{}, err
	}
	d := design[P]{ctx, l, set, nil}
	if err := d.count(); err != nil {
		return DesignSummary{}, err
	}
	matrix := d.matrix
	if filepath.Ext(req.Out) == ".parquet" {
		matrix = d.triplets
	}
	for i, write := range []func(io.Writer) error{matrix, d.rows, d.columns} {
		if err := datasets.WriteOther(paths[i], write); err != nil {
			return DesignSummary{}, err
		}
	}
	return DesignSummary{len(l.positions), set.Len(), d.ends[len(d.ends)-1]}, nil
}

// design is a matrix being written. It keeps the positions and computes the entries again for each
// array.
type design[P games.Position[P]] struct {
	ctx  context.Context
	l    *labelled[P]
	set  features.Columns[P]
	ends []int64 // start of each row's entries, then the end of the last
}

// each calls row with the entries of every row, ordered by column, without duplicates.
func (d *design[P]) each(row func(entries []features.Entry) error) error {
	var ones []uint32
	var entries []features.Entry
	for i, p := range d.l.positions {
		if i%progressRows == 0 && d.ctx.Err() != nil {
			return context.Cause(d.ctx)
		}
		ones, entries = d.set.AppendRow(ones[:0], entries[:0], p)
		for _, column := range ones {
			entries = append(entries, features.Entry{Index: column, Value: 1})
		}
		slices.SortFunc(entries, func(a, b features.Entry) int { return cmp.Compare(a.Index, b.Index) })
		n := 0
		for k, e := range entries {
			if k > 0 && e.Index == entries[n-1].Index {
				entries[n-1].Value += e.Value
				continue
			}
			entries[n] = e
			n++
		}
		entries = slices.DeleteFunc(entries[:n], func(e features.Entry) bool { return e.Value == 0 })
		if err := row(entries); err != nil {
			return err
		}
	}
	return nil
}

func (d *design[P]) count() error {
	d.ends = make([]int64, 1, len(d.l.positions)+1)
	return d.each(func(entries []features.Entry) error {
		d.ends = append(d.ends, d.ends[len(d.ends)-1]+int64(len(entries)))
		return nil
	})
}

// matrix writes the arrays that load_npz expects.
func (d *design[P]) matrix(to io.Writer) error {
	n := npz{zip.NewWriter(to)}
	rows, entries := len(d.ends)-1, d.ends[len(d.ends)-1]
	le, buf := binary.LittleEndian, make([]byte, 0, 8)
	index, whole := "<i4", func(v int64) []byte { return le.AppendUint32(buf[:0], uint32(v)) }
	if entries > math.MaxInt32 {
		index, whole = "<i8", func(v int64) []byte { return le.AppendUint64(buf[:0], uint64(v)) }
	}
	vector := func(length int64) string { return fmt.Sprintf("(%d,)", length) }
	ofEach := func(value func(features.Entry) []byte) func(io.Writer) error {
		return func(w io.Writer) error {
			return d.each(func(entries []features.Entry) error {
				for _, e := range entries {
					if _, err := w.Write(value(e)); err != nil {
						return err
					}
				}
				return nil
			})
		}
	}
	for _, a := range []struct {
		name, descr, shape string
		write              func(io.Writer) error
	}{
		{"indices", index, vector(entries), ofEach(func(e features.Entry) []byte { return whole(int64(e.Index)) })},
		{"indptr", index, vector(int64(rows) + 1), func(w io.Writer) error {
			for _, end := range d.ends {
				if _, err := w.Write(whole(end)); err != nil {
					return err
				}
			}
			return nil
		}},
		{"format", "|S3", "()", func(w io.Writer) error { _, err := io.WriteString(w, "csr"); return err }},
		{"shape", "<i8", "(2,)", func(w io.Writer) error {
			return binary.Write(w, le, []int64{int64(rows), int64(d.set.Len())})
		}},
		{"data", "<f4", vector(entries), ofEach(func(e features.Entry) []byte { return le.AppendUint32(buf[:0], math.Float32bits(e.Value)) })},
	} {
		if err := n.array(a.name, a.descr, a.shape, a.write); err != nil {
			return err
		}
	}
	return n.Close()
}

// triplets writes a Parquet file of the entries.
func (d *design[P]) triplets(to io.Writer) error {
	return datasets.WriteTriplets(to, func(add func(row, column int64, value float64) error) error {
		row := int64(-1)
		return d.each(func(entries []features.Entry) error {
			row++
			for _, e := range entries {
				if err := add(row, int64(e.Index), float64(e.Value)); err != nil {
					return err
				}
			}
			return nil
		})
	})
}

// rows writes the label, group and board of each row.
func (d *design[P]) rows(to io.Writer) error {
	c := csv.NewWriter(to)
	c.Write([]string{"label", "group", "board"})
	for i, p := range d.l.positions {
		c.Write([]string{strconv.FormatFloat(float64(d.l.labels[i]), 'g', -1, 32), strconv.FormatUint(uint64(d.l.group[i]), 10), d.l.game.Print(p)})
	}
	c.Flush()
	return c.Error()
}

// columns writes the names.
func (d *design[P]) columns(to io.Writer) error {
	c := csv.NewWriter(to)
	c.Write([]string{"column", "name", "family"})
	for _, f := range d.set.Families() {
		for i := f.From; i < f.To; i++ {
			c.Write([]string{strconv.Itoa(i), d.set.ColumnName(i), f.Name})
		}
	}
	c.Flush()
	return c.Error()
}

// npz writes NumPy arrays: a ZIP archive of members NAME.npy, each with a header of type and shape
// (numpy.lib.format, version 1.0).
type npz struct{ *zip.Writer }

// array writes an array with NumPy's name of its type and Python's notation of its shape; write
// writes the values, little-endian.
func (n npz) array(name, descr, shape string, write func(w io.Writer) error) error {
	to, err := n.Create(name + ".npy")
	if err != nil {
		return err
	}
	head := fmt.Sprintf("{'descr': '%s', 'fortran_order': False, 'shape': %s, }", descr, shape)
	const before = 10 // bytes before the header
	for (before+len(head)+1)%64 != 0 {
		head += " "
	}
	begin := append([]byte("\x93NUMPY\x01\x00"), binary.LittleEndian.AppendUint16(nil, uint16(len(head)+1))...)
	if _, err := to.Write(append(begin, head+"\n"...)); err != nil {
		return err
	}
	w := bufio.NewWriterSize(to, 1<<16)
	if err := write(w); err != nil {
		return err
	}
	return w.Flush()
}
