// Package datasets reads and writes the tables that training stages exchange: drawn positions,
// their labels, and the features of labelled positions.
//
// A [Row] is a row of any kind of table. [Write] and [Scan] stream rows, with one chunk of them in
// memory; [Read] returns all rows at once. [Import] imports tables of other programs. The extension
// selects the format: ".parquet" (snappy, for databases and data frames), ".arrow" (Arrow IPC,
// uncompressed, as browsers need it) or ".csv". The rows are the same in all of them.
//
// Functions take the description of the game. Rows contain positions; files contain their board
// text and, if the game numbers its positions, that number. Column names need no quotes in SQL:
// own_lt_1 counts the mover's houses with fewer than one seed. The file's metadata has the [Meta]
// as plain pairs (kroo.rules = abapa), and a line for each column with its unit (column.label =
// points …).
//
// A table is a file and its manifest, FILE.manifest.json, with the file's length and SHA-256, and a
// [Meta] that describes its origin. Readers check the file against the manifest before decoding
// anything, then check every value: a file that is truncated, corrupt, swapped or edited gives an
// error that names it, never wrong rows. The file is written before its manifest, so an interrupted
// write is detected. The same rows and meta give the same bytes.
//
// Caveats: the manifest must accompany its file. Rows are checked one by one; whether a label
// belongs to its position is the writer's responsibility.
//
// A program that imports this package is also the decoder of tables of other programs: [Import] starts
// the program again, as a child with the environment variable KROO_DECODER, which decodes one file in
// place of main, and which its parent can kill.
package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"

	"kroo/games"
	"kroo/internal/checksum"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// Table is an open dataset: it is compared with its manifest once and can be read any number of
// times.
type Table struct {
	Manifest
	path   string
	format format
	f      *vfs.File
	opened fs.FileInfo // the file as it was when it matched its manifest
	cols   []column    // empty
}

// Open opens a dataset of a game and compares it with its manifest, so that later reads return what
// was written.
func Open(ctx context.Context, g games.Info, path string) (*Table, error) {
	format, err := formatOf(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	t := &Table{path: path, format: format, f: f}
	if err := t.verify(ctx, g); err != nil {
		t.Close()
		return nil, err
	}
	return t, nil
}

func (t *Table) verify(ctx context.Context, g games.Info) (err error) {
	t.Manifest, err = ReadManifest(t.path)
	if err != nil {
		return err
	}
	if err := t.checkGame(g); err != nil {
		return fmt.Errorf("%s: %w", ManifestPath(t.path), err)
	}
	t.cols = columnsFor(t.Meta, g)
	t.opened, err = t.f.Stat()
	if err != nil {
		return err
	}
	what := "length in bytes"
	is := fmt.Sprint(t.opened.Size())
	has := fmt.Sprint(t.Bytes)
	if is == has {
		what, has = "SHA-256", t.SHA256
		is, err = checksum.OfOpenFile(t.f, stoppable{t.f, ctx})
		if err != nil {
			return err
		}
	}
	if is != has {
		return fmt.Errorf("%s: its %s is %s, but its manifest (of %s) has %s: "+
			"the file is damaged, incomplete, or another one",
			t.path, what, is, t.File, has)
	}
	return nil
}

// Path returns the name that the table was opened by.
func (t *Table) Path() string { return t.path }

// Close closes the file.
func (t *Table) Close() error { return t.f.Close() }

// checkUnchanged refuses a file modified since it was opened.
func (t *Table) checkUnchanged() error {
	now, err := t.f.Stat()
	if err == nil && (now.Size() != t.opened.Size() || !now.ModTime().Equal(t.opened.ModTime())) {
		err = errors.New("it changed while it was read: run the command again")
	}
	return err
}

// Query selects what to read of a table.
type Query struct {
	Kind     string            // expected kind of the table; "" means any
	Columns  []string          // by name, in any order; nil means all
	Where    string            // filter of the rows ([parseFilter]); "" means all
	Weight   string            // for [Scan]: column of numbers to read into Row.Weight; "" means weight, if present
	Progress parallel.Progress // counts the rows read
}

// Batch is a run of rows of a table, column by column. It is valid until the next one.
type Batch struct {
	first   int64   // table's number of the row that rows count from
	rows    []int32 // offsets of the rows; nil means 0, 1, …
	n       int
	columns []column
	numbers [][]float64 // of integers and booleans, converted by Numbers
}

// Len returns the number of rows.
func (b *Batch) Len() int { return b.n }

// Row returns the table's number of the i-th row, from 0.
func (b *Batch) Row(i int) int64 {
	if b.rows != nil {
		i = int(b.rows[i])
	}
	return b.first + int64(i)
}

// Numbers returns the values of the query's c-th column as numbers, booleans as 0 or 1.
func (b *Batch) Numbers(c int) []float64 {
	if b.columns[c].typ == typeFloat64 {
		return b.columns[c].floats
	}
	if b.numbers[c] == nil || len(b.numbers[c]) != b.n {
		b.numbers[c] = b.columns[c].appendNumbers(b.numbers[c][:0])
	}
	return b.numbers[c]
}

// Whole returns the values of a column of integers.
func (b *Batch) Whole(c int) []int64 { return b.columns[c].ints }

// Truth returns the values of a column of booleans.
func (b *Batch) Truth(c int) []bool { return b.columns[c].bools }

// Texts returns the values of a column of texts.
func (b *Batch) Texts(c int) []string { return b.columns[c].texts }

// PositionColumn returns the name of the column that [AppendPositions] needs.
func PositionColumn[P games.Position[P]](g *games.Game[P]) string {
	if g.FromKey != nil {
		return "key"
	}
	return "board"
}

// AppendPositions appends the positions of a batch whose c-th column is [PositionColumn].
func AppendPositions[P games.Position[P]](g *games.Game[P], rules string, b *Batch, c int, dst []P) ([]P, error) {
	for i := range b.n {
		var p P
		var err error
		if g.FromKey != nil {
			p, err = g.FromKey(rules, b.columns[c].ints[i])
		} else {
			p, err = g.Parse(rules, b.columns[c].texts[i])
		}
		if err != nil {
			return dst, fmt.Errorf("%s: %w", wording.Row(b.Row(i)), err)
		}
		dst = append(dst, p)
	}
	return dst, nil
}

// NumberColumn returns an error if the table has no column of numbers with this name; key does not
// count.
func (t *Table) NumberColumn(name string) error {
	var names []string
	for _, c := range t.cols {
		if c.numbers() {
			names = append(names, c.name)
		}
	}
	if !slices.Contains(names, name) {
		return fmt.Errorf("no column %.60q of numbers: %s", name, wording.Expect(name, names))
	}
	return nil
}

// Fields lists the columns of interest to users: all but key and board.
func (t *Table) Fields() (all []Column) {
	for _, c := range t.cols {
		if !c.hidden {
			typ := map[columnType]string{typeBool: TruthField, typeText: TextField}[c.typ]
			all = append(all, Column{Name: c.name, Type: cmp.Or(typ, NumberField)})
		}
	}
	return all
}

// Batches yields the rows of a query in batches, in order. An error or the end of the context ends
// the sequence.
func (t *Table) Batches(ctx context.Context, q Query) iter.Seq2[*Batch, error] {
	return func(yield func(*Batch, error) bool) {
		r, err := t.newReading(q)
		if err != nil {
			yield(nil, t.withPath(err))
			return
		}
		batch := r.newBatch()
		for g, err := range r.groups(ctx) {
			if err != nil {
				yield(nil, t.withPath(err))
				return
			}
			for b, err := range r.batches(ctx, batch, g) {
				if !yield(b, t.withPath(err)) || err != nil {
					return
				}
			}
		}
	}
}

// Count returns the number of rows that match a query; it reads at most the filter's columns.
func (t *Table) Count(ctx context.Context, q Query) (n int64, err error) {
	if q.Where == "" {
		_, err := t.newReading(q)
		return t.Rows, t.withPath(err)
	}
	q.Columns = []string{}
	for b, err := range t.Batches(ctx, q) {
		if err != nil {
			return n, err
		}
		n += int64(b.Len())
	}
	return n, nil
}

// withPath adds the table's path to an error.
func (t *Table) withPath(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", t.path, err)
}

// Column returns the number of a column, -1 if absent.
func (t *Table) Column(name string) int { return indexOf(t.cols, name) }

// Read reads a whole table of one kind. It refuses a file that does not match its manifest, a table
// of another kind or game, and any value out of range; the error names the file and, if it concerns
// a row, the row (from 0). Use it for small tables: unlike [Scan], it cannot be cancelled.
func Read[P games.Position[P]](g *games.Game[P], path, kind string) (Meta, []Row[P], error) {
	t, err := Open(context.Background(), g.Info, path)
	if err != nil {
		return Meta{}, nil, err
	}
	defer t.Close()
	var rows []Row[P]
	for r, err := range Scan(context.Background(), g, t, Query{Kind: kind}) {
		if err != nil {
			return Meta{}, nil, err
		}
		rows = append(rows, r)
	}
	return t.Meta, rows, nil
}

// Scan yields the rows of a query with all columns; a few chunks of them are in memory at a time.
// An error or the end of the context ends the sequence.
func Scan[P games.Position[P]](ctx context.Context, g *games.Game[P], t *Table, q Query) iter.Seq2[Row[P], error] {
	return func(yield func(Row[P], error) bool) {
		if q.Weight != "" {
			if err := t.NumberColumn(q.Weight); err != nil {
				yield(Row[P]{}, t.withPath(err))
				return
			}
		}
		q.Columns = nil
		x := newRowCodec(g, &t.Meta)
		weight := t.Column(q.Weight)
		for b, err := range t.Batches(ctx, q) {
			if err != nil {
				yield(Row[P]{}, err)
				return
			}
			for r, err := range x.rows(t, b, weight) {
				if !yield(r, err) || err != nil {
					return
				}
			}
		}
	}
}

// rows yields the rows of a batch with all columns. Their weights are those of the given column, -1 for
// the row's own. An error ends the sequence.
func (x *rowCodec[P]) rows(t *Table, b *Batch, weight int) iter.Seq2[Row[P], error] {
	return func(yield func(Row[P], error) bool) {
		for i := range b.n {
			r, err := x.takeRow(t, b, i)
			if err != nil {
				yield(Row[P]{}, err)
				return
			}
			if weight >= 0 {
				r.Weight = b.Numbers(weight)[i]
				if err := CheckWeight(b.columns[weight].name, r.Weight, b.Row(i)); err != nil {
					yield(Row[P]{}, t.withPath(err))
					return
				}
			}
			if !yield(*r, nil) {
				return
			}
		}
	}
}

// CheckWeight returns an error if w is not a valid row weight. The row is its number in the file, from 0.
func CheckWeight(column string, w float64, row int64) error {
	if !(w >= 0 && w <= maxWeight) {
		return fmt.Errorf("the weight %s is %g in %s: expected 0 to %g", column, w, wording.Row(row), float64(maxWeight))
	}
	return nil
}

// CheckRows appends the positions of a batch with all columns, which it checks as [Scan] does.
func CheckRows[P games.Position[P]](g *games.Game[P], t *Table, b *Batch, dst []P) ([]P, error) {
	for r, err := range newRowCodec(g, &t.Meta).rows(t, b, -1) {
		if err != nil {
			return dst, err
		}
		dst = append(dst, r.Position)
	}
	return dst, nil
}

// takeRow is take for the i-th row of a batch.
func (x *rowCodec[P]) takeRow(t *Table, b *Batch, i int) (*Row[P], error) {
	r, err := x.take(b.columns, i)
	if err != nil {
		err = fmt.Errorf("%s: %s: %w", t.path, wording.Row(b.Row(i)), err)
	}
	return r, err
}
