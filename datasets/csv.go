package datasets

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// csvWriter writes a line of column names and a line a row. What the columns are and
// what made the table is in the manifest beside it.
type csvWriter struct {
	out *csv.Writer
	row []string
}

func encodeCSV(w io.Writer, _ []pair, cols []column) (groupWriter, error) {
	c := csvWriter{csv.NewWriter(w), make([]string, len(cols))}
	return c, c.out.Write(columnNames(cols))
}

func columnNames(cols []column) []string {
	names := make([]string, len(cols))
	for i, c := range cols {
		names[i] = c.name
	}
	return names
}

func (c csvWriter) write(cols []column) error {
	for i := range cols[0].len() {
		for j := range cols {
			c.row[j] = cell(&cols[j], i)
		}
		if err := c.out.Write(c.row); err != nil {
			return err
		}
	}
	return nil
}

func (c csvWriter) close() error {
	c.out.Flush()
	return c.out.Error()
}

// decodeCSV reads the rows. Line ends of any system and quotes around any value are
// taken, and a byte order mark at the beginning.
func decodeCSV(r source, _ memory.Allocator, _ []pair, cols []column, each func([]column) error) error {
	in, head, err := csvHead(r)
	if err != nil {
		return err
	}
	if err := sameNames(head, cols); err != nil {
		return err
	}
	chunks := inChunks{cols, each}
	resetAll(cols)
	for {
		row, err := in.Read()
		if errors.Is(err, io.EOF) {
			return chunks.flush()
		}
		line, err := lineOf(in, err)
		if err == nil {
			err = chunks.row(row)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", line, err)
		}
	}
}

// lineOf is the number of the line that a row was read from, and what is wrong with it. A row
// that cannot be read has no fields, and its error knows the line itself.
func lineOf(in *csv.Reader, err error) (int, error) {
	if bad, ok := errors.AsType[*csv.ParseError](err); ok {
		return bad.StartLine, bad.Err
	}
	if err != nil {
		return 0, err
	}
	line, _ := in.FieldPos(0)
	return line, nil
}

// csvReader begins to read a table, behind a byte order mark.
func csvReader(r io.ReadSeeker) (*csv.Reader, error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	text := bufio.NewReader(r)
	switch mark, _ := text.Peek(3); {
	case string(mark) == "\ufeff":
		text.Discard(3)
	case bytes.HasPrefix(mark, []byte("\xff\xfe")) || bytes.HasPrefix(mark, []byte("\xfe\xff")):
		return nil, errors.New("it is text of UTF-16: expected UTF-8; save it as that")
	}
	in := csv.NewReader(text)
	in.FieldsPerRecord, in.ReuseRecord = -1, true
	return in, nil
}

// csvHead begins to read a table, and reads the names of its columns.
func csvHead(r io.ReadSeeker) (*csv.Reader, []string, error) {
	in, err := csvReader(r)
	if err != nil {
		return nil, nil, err
	}
	head, err := in.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, nil, errors.New("it is empty: expected a line of column names")
	case err != nil:
		return nil, nil, fmt.Errorf("no line of column names: %w", err)
	case strings.Contains(strings.Join(head, ""), "\r"):
		return nil, nil, errors.New("its lines end in a carriage return alone: expected line feeds; save it with them")
	}
	if i := strings.IndexAny(head[0], ";\t"); len(head) == 1 && i >= 0 && in.Comma == ',' {
		return csvHeadBy(r, rune(head[0][i]))
	}
	return in, slices.Clone(head), nil
}

// csvHeadBy is csvHead of a table whose values something else than a comma separates, as
// spreadsheets write it where the comma is in the numbers.
func csvHeadBy(r io.ReadSeeker, comma rune) (*csv.Reader, []string, error) {
	in, err := csvReader(r)
	if err != nil {
		return nil, nil, err
	}
	in.Comma = comma
	head, err := in.Read()
	return in, slices.Clone(head), err
}

// sameNames refuses columns that are not those called for, in their order.
func sameNames(names []string, cols []column) error {
	for i := range max(len(names), len(cols)) {
		switch {
		case i >= len(names):
			return fmt.Errorf("%d columns: expected %d, the next %s", len(names), len(cols), cols[i].name)
		case i >= len(cols):
			return fmt.Errorf("%d columns: expected %d; the next is %.40q", len(names), len(cols), names[i])
		case strings.TrimSpace(names[i]) != cols[i].name:
			return fmt.Errorf("its columns differ: the one at place %d is %.40q, expected %s", i+1, names[i], cols[i].name)
		}
	}
	return nil
}
