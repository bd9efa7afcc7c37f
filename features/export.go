package features

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Export writes the weights as "json" (the weight of every column) or "c" (a C99 source file). json
// has the tables if the weights are compiled and their model is missing.
func (o *Opened[P]) Export(to io.Writer, format string) (err error) {
	switch {
	case format == "json" && o.Named != nil:
		err = o.Named.Write(to)
	case format == "json" && o.Model != nil:
		err = o.Model.writeJSON(to)
	case format == "c" && o.Named != nil && o.Named.Columns != nil:
		err = o.Named.writeC(to)
	default:
		e, err := o.Evaluator()
		if err != nil {
			return err
		}
		return e.Export(to, format)
	}
	if err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// number returns the shortest text that parses to the same number with this many bits.
func number(x float64, bits int) string { return strconv.FormatFloat(x, 'g', -1, bits) }

// writeJSON writes the header and an object of the weights in points by column name, in column
// order.
func (m *Model[P]) writeJSON(w io.Writer) error {
	head, err := json.MarshalIndent(m.Header(), "  ", "  ")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n  \"header\": %s,\n  \"points\": {", head)
	comma := ""
	for i, x := range m.Weights {
		fmt.Fprintf(b, "%s\n    %q: %s", comma, m.Set.ColumnName(i), number(x, 32))
		comma = ","
	}
	b.WriteString("\n  }\n}\n")
	return b.Flush()
}

// writeC writes weights by name as C99, without the code of the features, which this package does
// not know.
func (w *Weights) writeC(to io.Writer) error {
	var names, points strings.Builder
	for i, name := range w.Features {
		fmt.Fprintf(&names, "    %s,\n", quotedC(name))
		fmt.Fprintf(&points, "    %s, /* %s */\n", number(w.Points[i], 64), commentEscaper.Replace(name))
	}
	_, err := fmt.Fprintf(to, columnsC, w.Hash(), w.Rules, len(w.Features), names.String(), points.String())
	return err
}

// commentEscaper prevents a name from starting or ending a comment, and from continuing a line.
var commentEscaper = strings.NewReplacer("*/", "* /", "/*", "/ *", "\\", "/", "?", ".")

// quotedC formats a text as a C string literal.
func quotedC(text string) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, c := range []byte(text) {
		if c >= ' ' && c < 0x7f && c != '"' && c != '\\' && c != '?' {
			b.WriteByte(c)
		} else {
			fmt.Fprintf(&b, "\\%03o", c)
		}
	}
	b.WriteByte('"')
	return b.String()
}

const columnsC = `/* Weights %s for %s: the value of a position for the side to move is
 * the sum of weight times feature, in points: 1000 are a won game. A feature is what the
 * side to move has, less what the other side has. */

enum { kroo_features = %d };

const char *const kroo_names[kroo_features] = {
%s};

const double kroo_points[kroo_features] = {
%s};

double kroo_evaluate(const double feature[kroo_features])
{
    double sum = 0;
    for (int i = 0; i < kroo_features; i++)
        sum += kroo_points[i] * feature[i];
    return sum;
}
`
