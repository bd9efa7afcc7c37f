package oware

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
)

// Export implements [features.Tables].
func (e *Evaluator) Export(to io.Writer, format string) error {
	write, known := map[string]func(io.Writer) error{"json": e.writeJSON, "c": e.writeC}[format]
	if !known {
		return fmt.Errorf("export: format %q: expected json or c", format)
	}
	if err := write(to); err != nil {
		return fmt.Errorf("export: %w", err)
	}
	return nil
}

// table is one of an evaluator's tables, as in files and exports: rows of integers, in the order of
// the file's sections.
type table struct {
	name, c    string // c is the type of an entry in C
	rows, size int
	at         func(row, i int) int
}

// tables returns stores, houses and, if present, the units of patterns and the patterns. The first
// three are in 1/256 centi-seed, a pattern entry is in its row's unit.
func (e *Evaluator) tables() []table {
	all := []table{
		{"stores", "int32_t", counts, counts, func(own, other int) int { return int(e.stores[own<<6|other].value) }},
		{"houses", "int32_t", e.stages * houses, counts, func(row, n int) int { return int(e.house(row/houses, row%houses, n)) }},
	}
	if lots := e.lots(); lots > 0 {
		all = append(all,
			table{"units", "int32_t", lots, triplePairs, func(lot, pair int) int { return int(e.patterns[lot].units[pair]) }},
			table{"patterns", "int8_t", lots * triplePairs, patternSize, func(row, i int) int { return int(e.patterns[row/triplePairs].entries[row%triplePairs][i]) }})
	}
	return all
}

// writeJSON writes the header, stages, and the tables as lists of rows:
//
//	stores    [own store][other store], 64 × 64
//	houses    [stage·12 + house A…F a…f][seeds], 12·stages × 64
//	units     [stage][pair of triples], how many 1/256 centi-seeds an entry of patterns counts
//	patterns  [stage·6 + pair of triples][second triple·512 + first triple];
//	          six rows serve all stages if there are no more; both may be missing
//
// The package comment describes how the value is computed from them.
func (e *Evaluator) writeJSON(w io.Writer) error {
	head, err := json.MarshalIndent(e.header, "  ", "  ")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n  \"header\": %s,\n  \"stages\": %d", head, e.stages)
	for _, t := range e.tables() {
		fmt.Fprintf(b, ",\n  %q: [", t.name)
		for row := range t.rows {
			if row > 0 {
				b.WriteByte(',')
			}
			b.WriteString("\n    [")
			for i := range t.size {
				if i > 0 {
					b.WriteByte(',')
				}
				b.WriteString(strconv.Itoa(t.at(row, i)))
			}
			b.WriteByte(']')
		}
		b.WriteString("\n  ]")
	}
	b.WriteString("\n}\n")
	return b.Flush()
}

// writeC writes the tables as C arrays with a function that reads them. It is C99 and needs only
// stdint.h.
func (e *Evaluator) writeC(w io.Writer) error {
	b := bufio.NewWriter(w)
	h := e.header
	about := fmt.Sprintf("weights %s of the set %s, rules %s, compiled %s", h.Weights, h.Set, h.Rules, h.Play)
	fmt.Fprintf(b, "/* An evaluation function for oware, written by Kroo:\n * %s. */\n#include <stdint.h>\n\n", strings.ReplaceAll(about, "*/", "* /"))
	fmt.Fprintf(b, "#define KROO_STAGES %d\n#define KROO_LOTS %d\n", e.stages, e.lots())
	for _, t := range e.tables() {
		fmt.Fprintf(b, "\nstatic const %s kroo_%s[%d][%d] = {", t.c, t.name, t.rows, t.size)
		for row := range t.rows {
			b.WriteString("{")
			for i := range t.size {
				if i%32 == 0 {
					b.WriteString("\n")
				}
				b.WriteString(strconv.Itoa(t.at(row, i)))
				b.WriteString(",")
			}
			b.WriteString("},\n")
		}
		b.WriteString("};\n")
	}
	b.WriteString(cReader)
	return b.Flush()
}

// cReader evaluates with the arrays that writeC writes. KROO_LOTS is the number of sets of pattern
// tables: none, one, or one per stage.
const cReader = `
/* The value of a position in centi-seeds for the player to move. own and other
 * are the seeds in houses A...F of a side, from its left, and in its store. */
int kroo_evaluate(const int own[7], const int other[7])
{
    static const int bucket[13] = {0, 1, 2, 3, 4, 4, 5, 5, 5, 6, 6, 6, 7};
    long value = kroo_stores[own[6]][other[6]] + 128; /* halves up */
    int stage = (48 - own[6] - other[6]) * KROO_STAGES / 49;
    int lot = KROO_LOTS > 1 ? stage : 0, triple[4] = {0, 0, 0, 0}, pair = 0, h, i, j;
    for (h = 0; h < 12; h++) {
        int n = h < 6 ? own[h] : other[h - 6];
        value += kroo_houses[stage * 12 + h][n];
        triple[h / 3] |= bucket[n < 12 ? n : 12] << 3 * (h % 3);
    }
#if KROO_LOTS
    for (i = 0; i < 4; i++)
        for (j = i + 1; j < 4; j++, pair++)
            value += (long)kroo_units[lot][pair] * kroo_patterns[lot * 6 + pair][triple[j] << 9 | triple[i]];
#else
    (void)lot, (void)triple, (void)pair, (void)i, (void)j;
#endif
    return (int)(value >= 0 ? value / 256 : -((255 - value) / 256)); /* round down */
}
`
