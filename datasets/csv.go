package datasets

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/apache/arrow/go/v15/arrow/memory"

	"kroo/internal/strict"
)

// csvWriter writes a line of column names and a line per row. The manifest describes the columns
// and the origin.
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

// csvFile is a CSV file written by any program, positioned after its head.
type csvFile struct {
	*csv.Reader
	head   []string
	source source
	size   int64 // of the source, in bytes
	limit  *recordLimit
}

// recordLimit reads a CSV file, and fails if a record is longer than maxLine. A stray quote would make a
// record of the rest of the file.
type recordLimit struct {
	from io.Reader
	read int64 // bytes read
	most int64 // that may be read for the current record
}

var errLongRecord = fmt.Errorf("a row of more than %d bytes: expected a closing quote", maxLine)

func (l *recordLimit) Read(p []byte) (int, error) {
	if l.read > l.most {
		return 0, errLongRecord
	}
	n, err := l.from.Read(p)
	l.read += int64(n)
	return n, err
}

// begin begins a record at an offset. The reader may be headSize bytes ahead.
func (l *recordLimit) begin(offset int64) { l.most = offset + headSize + maxLine }

func (in csvFile) describe() (description, error) { return description{Names: in.head}, nil }

func (in csvFile) check(cols []column) error {
	if !slices.Equal(in.head, columnNames(cols)) {
		return errColumns
	}
	return nil
}

// groups reads our own files: no value of ours has a separator, a quote or a line end.
func (in csvFile) groups() iter.Seq2[group, error] {
	return func(yield func(group, error) bool) {
		at := in.InputOffset()
		line := 2
		for {
			text, err := linesAt(in.source, at, in.size-at)
			if err != nil {
				yield(nil, fmt.Errorf("line %d: %w", line, err))
				return
			}
			if len(text) == 0 || !yield(csvLines{text, line}, nil) {
				return
			}
			at += int64(len(text))
			line += bytes.Count(text, []byte("\n"))
		}
	}
}

// cells yields rows of any CSV file. Rows may have any number of values.
func (in csvFile) cells(names []string) iter.Seq2[cellRow, error] {
	return func(yield func(cellRow, error) bool) {
		places, err := placesOf(in.head, names)
		if err != nil {
			yield(cellRow{}, err)
			return
		}
		line := 1
		for {
			in.limit.begin(in.InputOffset())
			row, err := in.Read()
			if err == io.EOF {
				return
			}
			if errors.Is(err, errLongRecord) {
				err = fmt.Errorf("after line %d: %w", line, err)
			}
			if bad, ok := errors.AsType[*csv.ParseError](err); ok {
				err = fmt.Errorf("line %d: %w", bad.StartLine, bad.Err)
			}
			if err != nil {
				yield(cellRow{}, err)
				return
			}
			line, _ = in.FieldPos(0)
			if !yield(cellRow{fmt.Sprintf(":%d", line), in.pick(row, places)}, nil) {
				return
			}
		}
	}
}

// pick returns the values at some places of a row, nil if the row has the wrong number of values.
func (in csvFile) pick(row []string, places []int) []string {
	if len(row) != len(in.head) {
		return nil
	}
	cells := make([]string, len(places))
	for i, at := range places {
		cells[i] = strings.TrimSpace(row[at])
		if cells[i] == "?" || cells[i] == "NA" { // R's missing value
			cells[i] = ""
		}
	}
	return cells
}

const (
	csvBlock = 1 << 20 // bytes of lines that are read together
	maxLine  = 1 << 24
)

// linesAt reads whole lines at an offset, with the given number of bytes after it; it returns none at the
// end of the file.
func linesAt(r io.ReaderAt, at, left int64) ([]byte, error) {
	for size := int64(csvBlock); size <= maxLine; size *= 2 {
		text := make([]byte, min(size, left))
		n, err := r.ReadAt(text, at)
		if err != nil && !errors.Is(err, io.EOF) {
			return nil, err
		}
		if size >= left || err != nil {
			return text[:n], nil // up to the end of the file
		}
		if end := bytes.LastIndexByte(text, '\n') + 1; end > 0 {
			return text[:end], nil
		}
	}
	return nil, fmt.Errorf("longer than %d bytes: too long for a row of a dataset", maxLine)
}

// csvLines are lines of a CSV file.
type csvLines struct {
	text  []byte
	first int // number of the first line
}

func (c csvLines) rows() int64 {
	n := int64(bytes.Count(c.text, []byte("\n")))
	if !bytes.HasSuffix(c.text, []byte("\n")) {
		n++
	}
	return n
}

func (csvLines) bounds(int, columnType) (low, high float64, known bool) { return 0, 0, false }

func (c csvLines) batches(cols []column, wanted []int) iter.Seq[error] {
	return func(yield func(error) bool) {
		resetAll(cols)
		cells := make([][]byte, len(cols))
		line := c.first
		for text := range bytes.Lines(c.text) {
			if err := parseLine(cols, wanted, cells, bytes.TrimSuffix(text, []byte("\n"))); err != nil {
				yield(fmt.Errorf("line %d: %w", line, err))
				return
			}
			line++
			if cols[wanted[0]].len() == batchRows {
				if !yield(nil) {
					return
				}
				resetAll(cols)
			}
		}
		yield(nil)
	}
}

// parseLine appends the wanted values of a line.
func parseLine(cols []column, wanted []int, cells [][]byte, line []byte) error {
	n, from := 0, 0
	for i, b := range line {
		if b == ',' {
			if n < len(cells) {
				cells[n] = line[from:i]
			}
			n, from = n+1, i+1
		}
	}
	if n < len(cells) {
		cells[n] = line[from:]
	}
	n++
	if n != len(cells) {
		return fmt.Errorf("%d values: expected %d, one for each column", n, len(cells))
	}
	for _, i := range wanted {
		if err := parseBytes(&cols[i], cells[i]); err != nil {
			return err
		}
	}
	return nil
}

// parseBytes is parseCell, faster for small whole numbers.
func parseBytes(c *column, text []byte) error {
	v, ok := smallNumber(text)
	switch {
	case c.typ == typeText:
		return c.addText(string(text))
	case ok && c.typ == typeFloat64:
		c.floats = append(c.floats, float64(v))
	case ok && c.typ.fits(v):
		c.ints = append(c.ints, v)
	default:
		return parseCell(c, string(text))
	}
	return nil
}

// fits reports whether a column of this type of whole numbers can have a value.
func (t columnType) fits(v int64) bool {
	switch t {
	case typeInt64:
		return true
	case typeInt32:
		return v == int64(int32(v))
	case typeUint8:
		return v == int64(uint8(v))
	}
	return false
}

// smallNumber parses a whole number of at most 15 digits, which a float64 represents exactly.
func smallNumber(text []byte) (v int64, ok bool) {
	digits := text
	if len(text) > 0 && text[0] == '-' {
		digits = text[1:]
	}
	if len(digits) == 0 || len(digits) > 15 {
		return 0, false
	}
	for _, d := range digits {
		if d < '0' || d > '9' {
			return 0, false
		}
		v = 10*v + int64(d-'0')
	}
	if len(digits) < len(text) {
		return -v, v != 0 // -0 is another float
	}
	return v, true
}

// openCSV reads the column names and detects the separator.
func openCSV(r source, _ memory.Allocator) (contents, error) {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return nil, err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	limit := &recordLimit{from: r}
	limit.begin(0)
	text := bufio.NewReaderSize(limit, headSize)
	if mark, _ := text.Peek(3); string(mark) == "\ufeff" {
		text.Discard(3)
	}
	begin, _ := text.Peek(headSize)
	if err := checkIsText(begin); err != nil {
		return nil, err
	}
	in := csv.NewReader(text)
	in.FieldsPerRecord, in.ReuseRecord = -1, true
	first, _, _ := strings.Cut(string(begin), "\n")
	if match := separatorLine.FindStringSubmatch(strings.TrimRight(first, "\r")); match != nil {
		in.Comma, _ = utf8.DecodeRuneInString(match[1])
		if _, err := in.Read(); err != nil {
			return nil, fmt.Errorf("its first line, %.20q, is not that of a spreadsheet: %w", first, err)
		}
	} else {
		in.Comma = detectComma(begin)
	}
	head, err := in.Read()
	switch {
	case errors.Is(err, io.EOF):
		return nil, errors.New("it is empty: expected a line of column names")
	case err != nil:
		return nil, fmt.Errorf("no line of column names: %w", err)
	case strings.Contains(strings.Join(head, ""), "\r"):
		return nil, errors.New("its lines end in a carriage return alone: expected line feeds; save it with them")
	}
	return csvFile{in, slices.Clone(head), r, size, limit}, nil
}

// headSize is the size of the part of a table in which the separator is detected.
const headSize = 1 << 16

// separatorLine matches the line that sets the separator for Excel.
var separatorLine = regexp.MustCompile(`^"?sep=([^"\r\n])"?$`)

// detectComma detects the separator of a table: comma, semicolon or tab, whichever divides the first
// line into the most names.
func detectComma(begin []byte) rune {
	comma, most := ',', 0
	for _, c := range ",;\t" {
		in := csv.NewReader(bytes.NewReader(begin))
		in.Comma = c
		if names, _ := in.Read(); len(names) > most {
			comma, most = c, len(names)
		}
	}
	return comma
}

// checkIsText refuses the signatures of other kinds of files.
func checkIsText(begin []byte) error {
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

// cell formats the i-th value of a column.
func cell(c *column, i int) string {
	switch c.typ {
	case typeFloat64:
		return strconv.FormatFloat(c.floats[i], 'g', -1, 64)
	case typeBool:
		return strconv.FormatBool(c.bools[i])
	case typeText:
		return c.texts[i]
	}
	return strconv.FormatInt(c.ints[i], 10)
}

// bitsOf gives the sizes of the signed integer types.
var bitsOf = map[columnType]int{typeInt64: 64, typeInt32: 32}

// parseCell parses a value and appends it.
func parseCell(c *column, text string) error {
	var err error
	switch c.typ {
	case typeFloat64:
		var v float64
		v, err = strict.Number(text)
		c.floats = append(c.floats, v)
	case typeBool:
		if text != "true" && text != "false" {
			err = strconv.ErrSyntax
		}
		c.bools = append(c.bools, text == "true")
	case typeText:
		return c.addText(text)
	case typeUint8:
		var v uint64
		v, err = strconv.ParseUint(text, 10, 8)
		c.ints = append(c.ints, int64(v))
	default:
		var v int64
		v, err = strconv.ParseInt(text, 10, bitsOf[c.typ])
		c.ints = append(c.ints, v)
	}
	if err != nil {
		return fmt.Errorf("column %s contains %.40q: expected a value of type %s", c.name, text, c.typ)
	}
	return nil
}
