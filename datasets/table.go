// Package datasets reads and writes the tables that training stages exchange: drawn positions,
// their labels, and the features of labelled positions.
//
// A [Row] is a row of any kind of table. [Write] and [Scan] stream rows, with one chunk of them in
// memory; [Read] returns all rows at once. [Adopt] imports tables of other programs. The extension selects the format: ".parquet" (snappy,
// for databases and data frames), ".arrow" (Arrow IPC, uncompressed, as browsers need it) or
// ".csv". The rows are the same in all of them.
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
package datasets

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"slices"
	"strings"

	"kroo/games"
	"kroo/internal/checksum"
	"kroo/internal/parallel"
	"kroo/internal/vfs"
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
	if t.Manifest, err = ReadManifest(t.path); err != nil {
		return err
	}
	if err := t.checkGame(g); err != nil {
		return fmt.Errorf("%s: %w", ManifestPath(t.path), err)
	}
	t.cols = columnsFor(t.Meta, g)
	if t.opened, err = t.f.Stat(); err != nil {
		return err
	}
	what, is, has := "length in bytes", fmt.Sprint(t.opened.Size()), fmt.Sprint(t.Bytes)
	if is == has {
		what, has = "SHA-256", t.SHA256
		if is, err = checksum.Opened(t.f, stoppable{t.f, ctx}); err != nil {
			return err
		}
	}
	if is != has {
		return fmt.Errorf("%s: its %s is %s, but its manifest (of %s) has %s: the file is damaged, incomplete, or another one", t.path, what, is, t.File, has)
	}
	return nil
}

// Path returns the name that the table was opened by.
func (t *Table) Path() string { return t.path }

// Close closes the file.
func (t *Table) Close() error { return t.f.Close() }

// unchanged refuses a file modified since it was opened.
func (t *Table) unchanged() error {
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
	numbers [][]float64 // of columns that are not stored as numbers
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
			return dst, fmt.Errorf("row %d: %w", b.Row(i), err)
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
		return fmt.Errorf("no column %.60q of numbers: expected one of %s", name, strings.Join(names, ", "))
	}
	return nil
}

// Fields lists the columns of interest to users: all but key, board and the scores of moves.
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
		r, err := t.reading(q)
		if err == nil {
			err = r.groups(ctx, func(g numbered) error {
				return r.read(ctx, r.newBatch(), g, func(b *Batch) error {
					if !yield(b, nil) {
						return errEnough
					}
					return nil
				})
			})
		}
		if err = t.named(err); err != nil && !errors.Is(err, errEnough) {
			yield(nil, err)
		}
	}
}

// Count returns the number of rows that match a query; it reads at most the filter's columns.
func (t *Table) Count(ctx context.Context, q Query) (n int64, err error) {
	if q.Where == "" {
		_, err := t.reading(q)
		return t.Rows, t.named(err)
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

// Fold reads groups of rows concurrently. begin makes a value per group, add adds the group's
// batches in order, and merge receives the values in group order. So the result does not depend on
// the number of workers (0: one per processor).
func Fold[A any](ctx context.Context, t *Table, q Query, workers int, begin func() A, add func(A, *Batch) error, merge func(A) error) error {
	r, err := t.reading(q)
	if err != nil {
		return t.named(err)
	}
	workers = parallel.Workers(workers)
	batches := make([]*Batch, workers)
	request := parallel.NewInOrder(0, 2*workers, merge)
	feed := func(ctx context.Context, visit func(numbered) error) error {
		return r.groups(ctx, func(g numbered) error {
			if err := request.Wait(ctx); err != nil {
				return err
			}
			return visit(g)
		})
	}
	err = parallel.Collect(ctx, workers, feed, func(ctx context.Context, worker int, g numbered) (a A, err error) {
		if batches[worker] == nil {
			batches[worker] = r.newBatch()
		}
		a = begin()
		return a, guarded(ctx, t.format, func() error {
			return r.read(ctx, batches[worker], g, func(b *Batch) error { return add(a, b) })
		})
	}, func(g numbered, a A) error { return request.Put(g.number, a) })
	return t.named(err)
}

// named adds the table's path to an error.
func (t *Table) named(err error) error {
	if err == nil || errors.Is(err, errEnough) {
		return err
	}
	return fmt.Errorf("%s: %w", t.path, err)
}

// reading is a query in progress.
type reading struct {
	*Table
	work *parallel.Tally // rows read

	filter  *expression
	columns []int // requested columns
	wanted  []int // these and the filter's, ascending
}

// numbered is a group with its number and that of its first row.
type numbered struct {
	group
	number int
	first  int64
}

func (t *Table) reading(q Query) (*reading, error) {
	r := &reading{Table: t, work: q.Progress.Tally(0, t.Rows)}
	if q.Kind != "" && q.Kind != t.Meta.Kind {
		return nil, fmt.Errorf("contains %s, expected %s", t.Meta.Kind, q.Kind)
	}
	var err error
	if r.filter, err = parseFilter(q.Where, t.cols, t.Meta.Features); err != nil {
		return nil, err
	}
	var filtered []int
	if r.filter != nil {
		filtered = r.filter.columns
	}
	for i, c := range t.cols {
		if q.Columns == nil {
			r.columns = append(r.columns, i)
		}
		if q.Columns == nil || slices.Contains(q.Columns, c.name) || slices.Contains(filtered, i) {
			r.wanted = append(r.wanted, i)
		}
	}
	for _, name := range q.Columns {
		at := t.Column(name)
		if at < 0 {
			return nil, fmt.Errorf("there is no column %.80q: expected one of %.300s", name, strings.Join(columnNames(t.cols), ", "))
		}
		r.columns = append(r.columns, at)
	}
	if len(r.wanted) == 0 {
		r.wanted = []int{0} // for the number of rows
	}
	return r, nil
}

// Column returns the number of a column, -1 if absent.
func (t *Table) Column(name string) int { return indexOf(t.cols, name) }

func (r *reading) newBatch() *Batch {
	return &Batch{columns: make([]column, len(r.columns)), numbers: make([][]float64, len(r.columns))}
}

// groups passes on the groups that can have matching rows, and checks the number of rows.
func (r *reading) groups(ctx context.Context, visit func(g numbered) error) error {
	next := numbered{}
	err := opened(ctx, r.format, r.f, func(in contents) error {
		about, err := in.describe()
		if err == nil && !r.format.bare {
			err = about.check(r.Meta)
		}
		if err = cmp.Or(err, in.check(r.cols)); err != nil {
			return err
		}
		return in.groups(func(g group) error {
			rows := g.rows()
			next.group = g
			if !r.filter.possible(func(i int) (low, high float64, known bool) { return g.bounds(i, r.cols[i].typ) }) {
				r.work.Add(rows)
			} else {
				if err := visit(next); err != nil {
					return err
				}
				next.number++
			}
			if next.first += rows; next.first > r.Rows {
				return fmt.Errorf("more than the %d rows of its manifest", r.Rows)
			}
			return nil
		})
	})
	if err == nil {
		err = r.unchanged()
	}
	if err == nil && next.first != r.Rows {
		err = fmt.Errorf("%d rows, but %d in its manifest", next.first, r.Rows)
	}
	return err
}

// read passes on the matching rows of a group in batches.
func (r *reading) read(ctx context.Context, b *Batch, g numbered, each func(*Batch) error) error {
	cols := make([]column, len(r.cols))
	for i, c := range r.cols {
		cols[i] = c.blank()
	}
	b.first = g.first
	err := g.read(cols, r.wanted, func() error {
		n, err := sameLength(cols, r.wanted)
		if err == nil {
			err = context.Cause(ctx)
		}
		if err != nil {
			return err
		}
		if err := checkRanges(cols, b.first); err != nil {
			return err
		}
		if b.rows = r.filter.rows(n, cols); b.rows != nil {
			for i := range cols {
				cols[i].keep(b.rows)
			}
		}
		if b.n = n; b.rows != nil {
			b.n = len(b.rows)
		}
		for i, at := range r.columns {
			b.columns[i], b.numbers[i] = cols[at], b.numbers[i][:0]
		}
		if b.n > 0 {
			err = each(b)
		}
		b.first += int64(n)
		r.work.Add(int64(n))
		return err
	})
	if err == nil && b.first != g.first+g.rows() {
		err = fmt.Errorf("%d rows in a group of %d", b.first-g.first, g.rows())
	}
	return err
}

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

// errEnough stops decoding when no more rows are wanted.
var errEnough = errors.New("no more rows are wanted")

// Scan yields the rows of a query with all columns; a few chunks of them are in memory at a time.
// An error or the end of the context ends the sequence.
func Scan[P games.Position[P]](ctx context.Context, g *games.Game[P], t *Table, q Query) iter.Seq2[Row[P], error] {
	return func(yield func(Row[P], error) bool) {
		if q.Weight != "" {
			if err := t.NumberColumn(q.Weight); err != nil {
				yield(Row[P]{}, t.named(err))
				return
			}
		}
		q.Columns = nil
		x, weight := newRowCodec(g, &t.Meta), t.Column(q.Weight)
		for b, err := range t.Batches(ctx, q) {
			if err != nil {
				yield(Row[P]{}, err)
				return
			}
			for i := range b.n {
				r, err := x.takeRow(t, b, i)
				if err != nil {
					yield(Row[P]{}, err)
					return
				}
				if weight >= 0 {
					r.Weight = b.Numbers(weight)[i]
				}
				if !yield(*r, nil) {
					return
				}
			}
		}
	}
}

// CheckRows appends the positions of a batch with all columns, which it checks as [Scan] does.
func CheckRows[P games.Position[P]](g *games.Game[P], t *Table, b *Batch, dst []P) ([]P, error) {
	x := newRowCodec(g, &t.Meta)
	for i := range b.n {
		r, err := x.takeRow(t, b, i)
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
		err = fmt.Errorf("%s: row %d: %w", t.path, b.Row(i), err)
	}
	return r, err
}
