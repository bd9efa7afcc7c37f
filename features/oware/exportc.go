package oware

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// cReader evaluates with the arrays that writeC writes. KROO_LOTS is how many
// sets of pattern tables there are: none, one, or one a stage.
const cReader = `
/* The value of a position in centi-seeds for the player to move. own and other
 * are the seeds in houses A...F of a side, from its left, and in its store. */
int kroo_evaluate(const int own[7], const int other[7])
{
    static const int bucket[13] = {0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7};
    long value = kroo_stores[own[6]][other[6]] + 128; /* halves up */
    int stage = (48 - own[6] - other[6]) * KROO_STAGES / 49;
    int triple[4] = {0, 0, 0, 0}, pair = 0, h, i, j;
    for (h = 0; h < 12; h++) {
        int n = h < 6 ? own[h] : other[h - 6];
        value += kroo_houses[stage][h][n];
        triple[h / 3] |= bucket[n < 12 ? n : 12] << 3 * (h % 3);
    }
#if KROO_LOTS
    for (i = 0; i < 4; i++)
        for (j = i + 1; j < 4; j++, pair++)
            value += (long)kroo_units[KROO_LOTS > 1 ? stage : 0][pair] *
                     kroo_patterns[KROO_LOTS > 1 ? stage : 0][pair][triple[j] << 9 | triple[i]];
#else
    (void)triple, (void)pair, (void)i, (void)j;
#endif
    return (int)(value >= 0 ? value / 256 : -((255 - value) / 256)); /* round down */
}
`

// Export is as [features.Tables] says.
func (e *Evaluator) Export(to io.Writer, format string) error {
	write, known := map[string]func(io.Writer) error{"json": e.writeJSON, "csv": e.writeCSV, "c": e.writeC, "bot": e.writeBot}[format]
	if !known {
		return fmt.Errorf("export: format %q: expected json, csv, c or bot", format)
	}
	if err := write(to); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// writeC writes the tables as C arrays with a function that reads them. It is
// C99 and needs nothing but stdint.h.
func (e *Evaluator) writeC(w io.Writer) error {
	b := bufio.NewWriter(w)
	h := e.header
	about := fmt.Sprintf("weights %s of the set %s, rules %s, compiled %s", h.Weights, h.Set, h.Rules, h.Play)
	fmt.Fprintf(b, "/* An evaluation function for oware, written by Kroo:\n * %s. */\n#include <stdint.h>\n\n", strings.ReplaceAll(about, "*/", "* /"))
	fmt.Fprintf(b, "#define KROO_STAGES %d\n#define KROO_LOTS %d\n\n", e.stages, e.lots())
	fmt.Fprintf(b, "static const int32_t kroo_stores[%d][%d] = {", counts, counts)
	for own := range counts {
		row(b, counts, func(other int) int { return int(e.stores[own<<6|other].value) })
	}
	fmt.Fprintf(b, "};\n\nstatic const int32_t kroo_houses[KROO_STAGES][%d][%d] = {", houses, counts)
	for stage := range e.stages {
		b.WriteString("{")
		for h := range houses {
			row(b, counts, func(n int) int { return int(e.house(stage, h, n)) })
		}
		b.WriteString("},")
	}
	b.WriteString("};\n")
	if e.lots() > 0 {
		fmt.Fprintf(b, "\nstatic const int32_t kroo_units[KROO_LOTS][%d] = {", triplePairs)
		for _, t := range e.patterns[:e.lots()] {
			row(b, triplePairs, func(pair int) int { return int(t.units[pair]) })
		}
		fmt.Fprintf(b, "};\n\nstatic const int8_t kroo_patterns[KROO_LOTS][%d][%d] = {", triplePairs, patternSize)
		for _, t := range e.patterns[:e.lots()] {
			b.WriteString("{")
			for pair := range triplePairs {
				row(b, patternSize, func(i int) int { return int(t.entries[pair][i]) })
			}
			b.WriteString("},")
		}
		b.WriteString("};\n")
	}
	b.WriteString(cReader)
	return b.Flush()
}

// row writes n numbers in braces, 32 a line. Errors stay with the writer.
func row(b *bufio.Writer, n int, at func(int) int) {
	b.WriteString("{")
	for i := range n {
		if i%32 == 0 {
			b.WriteString("\n")
		}
		b.WriteString(strconv.Itoa(at(i)))
		b.WriteString(",")
	}
	b.WriteString("},\n")
}
