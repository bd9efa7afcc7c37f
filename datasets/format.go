package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"kroo/internal/wording"
)

// format is one way to store columns.
type format struct {
	name string
	// encode begins a file with this metadata and these columns.
	encode  func(w io.Writer, meta []pair, cols []column) (groupWriter, error)
	open    func(r source, mem memory.Allocator) (contents, error)
	bare    bool // the file has names and values alone: the manifest describes the columns
	library bool // a library reads the file: see apart
}

// contents is an open file.
type contents interface {
	// describe reports what the file says of itself.
	describe() (description, error)
	// groups checks that the file has this metadata and these columns, as our own files do, and
	// hands over its groups of rows in their order.
	groups(meta []pair, cols []column, ask func(group) error) error
	// cells reads some columns of a file of whatever program, found by their names, a row of texts
	// at a time. A missing value is "". place is that of the row. The row is valid during the call
	// only; it is nil where it has more or fewer values than there are columns.
	cells(names []string, each eachCells) error
}

type eachCells = func(place string, row []string) error

// group is some rows of an open file, which are read on their own: a row group, a record batch, or
// lines. Several may be read at the same time.
type group interface {
	// rows is how many rows it says it has, if it does.
	rows() (n int64, known bool)
	// bounds are those of the values of a column, as the file has them.
	bounds(column int) (low, high float64, known bool)
	// read sets the wanted columns to some rows at a time.
	read(mem memory.Allocator, cols []column, wanted []int, each func() error) error
}

// groupWriter writes the rows of a file a chunk at a time.
type groupWriter interface {
	write(cols []column) error
	close() error // writes what comes after the rows
}

var formats = map[string]format{
	".parquet": {"parquet", encodeParquet, openParquet, false, true},
	".arrow":   {"arrow", encodeArrow, openArrow, false, true},
	".csv":     {"CSV", encodeCSV, openCSV, true, false},
}

// IsTable reports whether the name of a file is that of a table.
func IsTable(path string) bool {
	_, ok := formats[strings.ToLower(filepath.Ext(path))]
	return ok
}

func formatOf(path string) (format, error) {
	f, ok := formats[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return f, fmt.Errorf("the name ends in %q: expected .parquet, .arrow or .csv", filepath.Ext(path))
	}
	return f, nil
}

type source interface {
	io.ReaderAt
	io.ReadSeeker
}

// opened opens a file by a library. The libraries answer some malformed input with a
// panic and trust the lengths they find. What is read of r fails once the context has ended.
func opened(ctx context.Context, f format, r source, read func(contents, *budget) error) error {
	return guarded(ctx, f, r, func(r source, mem *budget) error {
		in, err := f.open(r, mem)
		if err != nil {
			return err
		}
		return read(in, mem)
	})
}

// guarded reads an open file as [opened] does.
func guarded(ctx context.Context, f format, r source, read func(r source, mem *budget) error) (err error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("not a %s file that can be read: %s", f.name, wording.Short(fmt.Sprint(p)))
		}
		if err != nil && !errors.Is(err, errEnough) && ctx.Err() != nil {
			err = context.Cause(ctx) // whatever the library has made of it
		}
		// Some libraries catch such a panic themselves, and hand it on as an error.
		if err == nil {
			return
		}
		if _, what, wrong := strings.Cut(err.Error(), "runtime error: "); wrong {
			err = fmt.Errorf("the %s file cannot be read (%s): it is damaged, or of a kind that this program does not know; write it again, or take it from a copy", f.name, what)
		}
	}()
	if err = read(stoppable{r, ctx}, &budget{left: 256*size + 64<<20}); err != nil {
		err = flatError{wording.Short(err.Error()), err}
	}
	return err
}

// stoppable is a source until a context has ended.
type stoppable struct {
	source
	ctx context.Context
}

func (s stoppable) Read(b []byte) (int, error) {
	if err := context.Cause(s.ctx); err != nil {
		return 0, err
	}
	return s.source.Read(b)
}

func (s stoppable) ReadAt(b []byte, at int64) (int, error) {
	if err := context.Cause(s.ctx); err != nil {
		return 0, err
	}
	return s.source.ReadAt(b, at)
}

// flatError says on one line what a library says on several.
type flatError struct {
	text  string
	cause error
}

func (e flatError) Error() string { return e.text }
func (e flatError) Unwrap() error { return e.cause }

var errBudget = errors.New("it asks for far more memory than its size calls for")

// budget is an allocator that refuses, by a panic that decode catches, to
// allocate more in all than a file of a given length can need.
type budget struct {
	memory.GoAllocator
	left int64
}

func (b *budget) take(n int) {
	if n < 0 || int64(n) > b.left {
		panic(errBudget)
	}
	b.left -= int64(n)
}

func (b *budget) Allocate(n int) []byte {
	b.take(n)
	return b.GoAllocator.Allocate(n)
}

func (b *budget) Reallocate(n int, old []byte) []byte {
	b.take(max(0, n-len(old)))
	return b.GoAllocator.Reallocate(n, old)
}

func (b *budget) Free(old []byte) {
	b.left += int64(len(old))
	b.GoAllocator.Free(old)
}
