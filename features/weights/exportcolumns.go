package weights

import (
	"fmt"
	"io"
	"strings"
)

// writeColumnsC writes weights by name as C99: nothing here knows how to compute what they
// weigh.
func (w *Weights) writeColumnsC(to io.Writer) error {
	t := w.Thesis
	var names, points strings.Builder
	for i, name := range t.Features {
		fmt.Fprintf(&names, "    %s,\n", quotedC(name))
		fmt.Fprintf(&points, "    %s, /* %s */\n", number(t.Points[i]), inComment.Replace(name))
	}
	_, err := fmt.Fprintf(to, columnsC, t.Hash(), t.Rules, len(t.Features), names.String(), points.String())
	return err
}

// inComment keeps a name from beginning or ending a comment, and a line from going on.
var inComment = strings.NewReplacer("*/", "* /", "/*", "/ *", "\\", "/", "?", ".")

// quotedC is a text as a literal of C.
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
