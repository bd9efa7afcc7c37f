package datasets

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

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

// csvHead begins to read a table, and reads the names of its columns, which tell what
// separates them.
func csvHead(r io.ReadSeeker) (*csv.Reader, []string, error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, nil, err
	}
	text := bufio.NewReaderSize(r, longestHead)
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		text.Discard(3)
	}
	begin, _ := text.Peek(longestHead)
	if err := isText(begin); err != nil {
		return nil, nil, err
	}
	in := csv.NewReader(text)
	in.FieldsPerRecord, in.ReuseRecord = -1, true
	first, _, _ := strings.Cut(string(begin), "\n")
	if said := saidComma.FindStringSubmatch(strings.TrimSpace(first)); said != nil {
		in.Comma, _ = utf8.DecodeRuneInString(said[1])
		if _, err := in.Read(); err != nil {
			return nil, nil, fmt.Errorf("its first line, %.20q, is not that of a spreadsheet: %w", first, err)
		}
	} else {
		in.Comma = commaOf(begin)
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
	return in, slices.Clone(head), nil
}

// longestHead is how much of a table tells what separates its columns.
const longestHead = 1 << 16

// saidComma is the line by which Excel is told what separates the columns.
var saidComma = regexp.MustCompile(`^"?sep=([^"\r\n])"?$`)

// commaOf is what separates the columns of a table that begins so: of comma, semicolon and
// tab the one that its first line has most of, outside of quotes.
func commaOf(begin []byte) rune {
	counts := map[rune]int{}
	quoted := false
	for _, c := range string(begin) {
		switch {
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '\n' || c == '\r':
			return mostOf(counts)
		default:
			counts[c]++
		}
	}
	return mostOf(counts)
}

func mostOf(counts map[rune]int) rune {
	comma := ','
	for _, c := range ";\t" {
		if counts[c] > counts[comma] {
			comma = c
		}
	}
	return comma
}

// isText refuses what other kinds of files begin with.
func isText(begin []byte) error {
	starts := func(with string) bool { return bytes.HasPrefix(begin, []byte(with)) }
	wide := len(begin) >= 4 && (begin[0] == 0) != (begin[1] == 0) && (begin[2] == 0) != (begin[3] == 0)
	switch {
	case starts("\xff\xfe") || starts("\xfe\xff") || wide:
		return errors.New("it is text of UTF-16: expected UTF-8; save it as that")
	case starts("\x1f\x8b"):
		return errors.New("it is compressed with gzip: expected text; unpack it first (gzip -d)")
	case starts("PK\x03\x04"):
		return errors.New("it is a zip archive or a spreadsheet's workbook: expected text; save the sheet as CSV")
	}
	return nil
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
