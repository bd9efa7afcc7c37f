package datasets

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// ARFF is the format of Weka: comments, the name of a relation, an attribute for every
// column, and rows of values. Here the comments hold the metadata of the table.

// arffWriter writes the rows behind the head.
type arffWriter struct{ out *bufio.Writer }

func encodeARFF(w io.Writer, meta []pair, cols []column) (groupWriter, error) {
	out := bufio.NewWriter(w)
	for _, p := range meta {
		fmt.Fprintf(out, "%% %s = %s\n", p.key, strings.Join(strings.Fields(p.value), " "))
	}
	fmt.Fprintf(out, "@relation kroo\n\n")
	for i := range cols {
		fmt.Fprintf(out, "@attribute %s %s\n", cols[i].name, arffType(&cols[i]))
	}
	fmt.Fprintf(out, "\n@data\n")
	return arffWriter{out}, nil // the writer keeps its first error
}

// arffType is the type of a column as Weka knows it.
func arffType(c *column) string {
	switch c.typ {
	case typeFloat64:
		return "real"
	case typeBool:
		return "{false,true}"
	case typeText:
		if c.name == "bound" {
			return "{" + strings.Join(boundNames[:], ",") + "}"
		}
		return "string"
	}
	return "integer"
}

func (a arffWriter) write(cols []column) error {
	for i := range cols[0].len() {
		for j := range cols {
			if j > 0 {
				a.out.WriteByte(',')
			}
			text := cell(&cols[j], i)
			if cols[j].typ == typeText && cols[j].name != "bound" {
				text = arffQuoted(text)
			}
			a.out.WriteString(text)
		}
		if err := a.out.WriteByte('\n'); err != nil {
			return err
		}
	}
	return nil
}

func (a arffWriter) close() error { return a.out.Flush() }

var arffEscapes = strings.NewReplacer(`\`, `\\`, `'`, `\'`)

func arffQuoted(text string) string { return "'" + arffEscapes.Replace(text) + "'" }

// maxARFFLine is longer than any line of a table with the most features.
const maxARFFLine = 1 << 20

// decodeARFF reads the rows. It takes what Weka writes: keywords in any case, values
// with or without quotes, other types of attributes, no metadata.
func decodeARFF(r source, _ memory.Allocator, meta []pair, cols []column, each func([]column) error) error {
	in, err := newARFF(r)
	if err != nil {
		return err
	}
	if err := in.head(); err != nil {
		return err
	}
	if err := sameNames(in.names, cols); err != nil {
		return err
	}
	if err := sameMeta(in.pairs, meta); err != nil {
		return err
	}
	chunks := inChunks{cols, each}
	resetAll(cols)
	for in.next() {
		row, err := arffRow(in.text)
		if err == nil {
			err = chunks.row(row)
		}
		if err != nil {
			return fmt.Errorf("line %d: %w", in.line, err)
		}
	}
	if err := in.lines.Err(); err != nil {
		return fmt.Errorf("line %d: %w", in.line+1, err)
	}
	return chunks.flush()
}

// sameMeta refuses metadata that contradicts what is called for.
func sameMeta(found, want []pair) error {
	values := map[string]string{}
	for _, p := range want {
		values[p.key] = strings.Join(strings.Fields(p.value), " ")
	}
	for _, p := range found {
		if v, ok := values[p.key]; strings.HasPrefix(p.key, "kroo.") && (!ok || v != p.value) {
			return errMeta
		}
	}
	return nil
}

// arff reads a file line by line.
type arff struct {
	lines *bufio.Scanner
	line  int    // of text, from 1
	text  string // a line that says something, without blanks at its ends
	names []string
	pairs []pair // of the comments
}

func newARFF(r io.ReadSeeker) (*arff, error) {
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	lines := bufio.NewScanner(r)
	lines.Buffer(nil, maxARFFLine)
	return &arff{lines: lines}, nil
}

// next goes to the next line that says something. It keeps the pairs of comments on
// the way.
func (a *arff) next() bool {
	for a.lines.Scan() {
		a.line++
		a.text = strings.TrimSpace(strings.TrimPrefix(a.lines.Text(), "\ufeff"))
		comment, is := strings.CutPrefix(a.text, "%")
		if key, value, ok := strings.Cut(comment, " = "); is && ok {
			a.pairs = append(a.pairs, pair{strings.TrimSpace(key), strings.TrimSpace(value)})
		}
		if !is && a.text != "" {
			return true
		}
	}
	return false
}

// head reads up to the line @data.
func (a *arff) head() error {
	for a.next() {
		keyword, rest, _ := strings.Cut(strings.ReplaceAll(a.text, "\t", " "), " ")
		switch strings.ToLower(keyword) {
		case "@relation":
		case "@attribute":
			name, _, err := arffValue(strings.TrimSpace(rest), " ")
			if err != nil {
				return fmt.Errorf("line %d: %w", a.line, err)
			}
			a.names = append(a.names, name)
		case "@data":
			return nil
		default:
			return fmt.Errorf("line %d: %.40q: expected @relation, @attribute or @data", a.line, a.text)
		}
	}
	return errors.New("no line @data: not an ARFF file, or one that was cut")
}

// arffRow splits a line of values.
func arffRow(text string) (row []string, err error) {
	if strings.HasPrefix(text, "{") {
		return nil, errors.New("sparse rows: expected a value for each column, separated by commas")
	}
	for more := true; more; {
		var value string
		if value, text, err = arffValue(text, ","); err != nil {
			return nil, err
		}
		row = append(row, value)
		text, more = strings.CutPrefix(strings.TrimSpace(text), ",")
		text = strings.TrimSpace(text)
		if !more && text != "" {
			return nil, fmt.Errorf("%.40q after a value: expected a comma", text)
		}
	}
	return row, nil
}

// arffValue takes a value off a text: in quotes, or up to one of the bytes of end.
func arffValue(text, end string) (value, rest string, err error) {
	if text == "" || text[0] != '\'' && text[0] != '"' {
		i := strings.IndexAny(text, end)
		if i < 0 {
			i = len(text)
		}
		return strings.TrimSpace(text[:i]), text[i:], nil
	}
	var b strings.Builder
	for i := 1; i < len(text); i++ {
		switch c := text[i]; {
		case c == text[0]:
			return b.String(), text[i+1:], nil
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		default:
			b.WriteByte(c)
		}
	}
	return "", "", fmt.Errorf("%.40s: expected a closing quote", text)
}
