package oware

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
)

// table is one of an evaluator's tables, as exports write it: rows of whole
// numbers, in the order of the file's sections.
type table struct {
	name       string
	rows, size int
	at         func(row, i int) int
}

// exportTables are stores, houses and, if there are any, the units of patterns and
// patterns. The first three are in 1/256 centi-seed, an entry of patterns in the unit of
// its row.
func (e *Evaluator) exportTables() []table {
	all := []table{
		{"stores", counts, counts, func(own, other int) int { return int(e.stores[own<<6|other].value) }},
		{"houses", e.stages * houses, counts, func(row, n int) int { return int(e.house(row/houses, row%houses, n)) }},
	}
	if lots := e.lots(); lots > 0 {
		all = append(all, table{"units", lots, triplePairs, func(lot, pair int) int { return int(e.patterns[lot].units[pair]) }}, table{"patterns", lots * triplePairs, patternSize, func(row, i int) int {
			return int(e.patterns[row/triplePairs].entries[row%triplePairs][i])
		}})
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
// The package comment says how they make a value.
func (e *Evaluator) writeJSON(w io.Writer) error {
	head, err := json.MarshalIndent(e.header, "  ", "  ")
	if err != nil {
		return err
	}
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "{\n  \"header\": %s,\n  \"stages\": %d", head, e.stages)
	for _, t := range e.exportTables() {
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

// writeCSV writes lines of table, index and value: the entries of the tables of
// [Evaluator.writeJSON]. The index of an entry is its row times the length
// of a row, plus its place in the row. Before them come lines of the "tables" stages
// and rows (the number of rows of patterns), with index 0.
func (e *Evaluator) writeCSV(w io.Writer) error {
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, "table,index,value\nstages,0,%d\nrows,0,%d\n", e.stages, e.lots()*triplePairs)
	var line []byte
	for _, t := range e.exportTables() {
		for row := range t.rows {
			for i := range t.size {
				line = append(append(line[:0], t.name...), ',')
				line = append(strconv.AppendInt(line, int64(row*t.size+i), 10), ',')
				line = append(strconv.AppendInt(line, int64(t.at(row, i)), 10), '\n')
				b.Write(line)
			}
		}
	}
	return b.Flush()
}
