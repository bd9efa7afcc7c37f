package datasets

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"path/filepath"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"kroo/internal/wording"
)

// format is a way to store columns.
type format struct {
	name string
	// encode begins a file with this metadata and these columns.
	encode      func(w io.Writer, meta []pair, cols []column) (groupWriter, error)
	open        func(r source, mem memory.Allocator) (contents, error)
	noMetadata  bool // the file has none: the manifest describes the columns
	usesLibrary bool // a library reads the file, in a process of its own: see isolate.go
}

// contents is an open file.
type contents interface {
	// describe reads the file's metadata.
	describe() (description, error)
	// check refuses other columns than these, of our own files.
	check(cols []column) error
	// groups yields the file's groups of rows in order. An error ends the sequence.
	groups() iter.Seq2[group, error]
}

// group is a part of an open file that can be read independently and concurrently: a row group, a
// record batch or a block of lines.
type group interface {
	rows() int64 // their number
	// bounds returns the bounds of a column's values, if the file records them.
	bounds(column int, typ columnType) (low, high float64, known bool)
	// batches fills the wanted columns with the next rows, again and again, and yields nil each time.
	// An error ends the sequence.
	batches(cols []column, wanted []int) iter.Seq[error]
}

// batchRows is the number of rows read at a time: their columns fit into the L2 cache.
const batchRows = 1 << 12

// groupWriter writes the rows of a file in chunks.
type groupWriter interface {
	write(cols []column) error
	close() error // writes what follows the rows
}

var formats = map[string]format{
	".parquet": {"parquet", encodeParquet, openParquet, false, true},
	".arrow":   {"arrow", encodeArrow, openArrow, false, true},
	".csv":     {"CSV", encodeCSV, openCSV, true, false},
}

// isTable reports whether a file name has the extension of a table.
func isTable(path string) bool {
	_, err := formatOf(path)
	return err == nil
}

func formatOf(path string) (format, error) {
	f, ok := formats[strings.ToLower(filepath.Ext(path))]
	if !ok {
		return f, errors.New("not the name of a dataset: expected one that ends in .parquet, .arrow or .csv")
	}
	return f, nil
}

type source interface {
	io.ReaderAt
	io.ReadSeeker
}

// openSource opens a file by its library. Libraries answer some malformed input with a panic, and trust
// the lengths that they find. Reads of r fail after the context ends.
func openSource(ctx context.Context, f format, r source) (in contents, err error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	err = guard(ctx, f, func() error {
		in, err = f.open(stoppable{r, ctx}, &allocator{most: 256*size + 64<<20})
		return err
	})
	return in, err
}

// guard calls a function that uses the format's library. It turns a panic into an error, prints an
// error on one line, and replaces the errors after the end of the context by its cause.
func guard(ctx context.Context, f format, use func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("not a %s file that can be read: %s", f.name, wording.Short(fmt.Sprint(p)))
		}
		if err != nil && ctx.Err() != nil {
			err = context.Cause(ctx)
		}
		err = explainPanic(f, err)
	}()
	err = use()
	if err != nil {
		err = flatError{wording.Short(err.Error()), err}
	}
	return err
}

// guardSequence yields what seq yields, which uses the format's library, with the safeguards of
// [guard]. Panics of the loop's body are not caught.
func guardSequence[T any](ctx context.Context, f format, seq iter.Seq2[T, error]) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		next, stop := iter.Pull2(seq)
		defer stop()
		for {
			var value T
			more := false
			err := guard(ctx, f, func() (err error) {
				value, err, more = next()
				return err
			})
			if err != nil {
				yield(value, err)
				return
			}
			if !more || !yield(value, nil) {
				return
			}
		}
	}
}

// explainPanic replaces a panic of a library, which some recover and return as an error.
func explainPanic(f format, err error) error {
	if err == nil {
		return nil
	}
	if _, what, wrong := strings.Cut(err.Error(), "runtime error: "); wrong {
		return fmt.Errorf("the %s file cannot be read (%s): it is damaged, or of a kind that this program does not know; "+
			"write it again, or take it from a copy", f.name, what)
	}
	return err
}

// stoppable is a source that fails after the context ends.
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

// flatError prints an error of several lines on one line.
type flatError struct {
	text  string
	cause error
}

func (e flatError) Error() string { return e.text }
func (e flatError) Unwrap() error { return e.cause }

// allocator refuses, by a panic, what no file of the given length needs.
type allocator struct {
	memory.GoAllocator
	most int64
}

func (a *allocator) check(n int) int {
	if int64(n) > a.most {
		panic("it takes far more memory than its size justifies")
	}
	return n
}

func (a *allocator) Allocate(n int) []byte { return a.GoAllocator.Allocate(a.check(n)) }

func (a *allocator) Reallocate(n int, old []byte) []byte {
	return a.GoAllocator.Reallocate(a.check(n), old)
}
