package book

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"

	"kroo/games/oware"
)

// Format is an output format of Dump.
type Format string

// The output formats.
const (
	csvFormat  Format = "csv"  // a header line, then key,board,a,b,c,d,e,f; illegal moves are empty
	jsonFormat Format = "json" // one object per line: {"key":…,"board":"…","scores":[…]}; illegal moves are null
	ognFormat  Format = "ogn"  // game records with variations: all lines of the book from its roots
	// flatOGN is ognFormat without variations: each line from a root to its end is a record.
	flatOGN Format = "ogn-flat"
)

// formats are the names of the text formats.
func formats() []string {
	return []string{string(csvFormat), string(jsonFormat), string(ognFormat), string(flatOGN)}
}

// row is an entry as text. Scores are in points.
type row struct {
	Key    int64                `json:"key"`
	Board  string               `json:"board"`
	Scores [oware.Houses]*int16 `json:"scores"`
}

// Dump writes a book as text, boards in the notation of [oware.ParseBoard]. It returns an error for
// a key that encodes no position and, for OGN, for a book that is not sound.
func Dump(ctx context.Context, w io.Writer, b *Book, rules oware.Rules, format Format) error {
	if !slices.Contains(formats(), string(format)) {
		return fmt.Errorf("unknown format %q: expected one of %s", format, strings.Join(formats(), ", "))
	}
	out := bufio.NewWriter(w)
	if format == ognFormat || format == flatOGN {
		g, err := newGraph(ctx, b, rules)
		if err != nil {
			return err
		}
		t := tree{graph: g, out: out, written: make([]bool, b.Len())}
		t.games(format == flatOGN)
	} else if err := b.read(func() error { return dumpRows(out, b, rules, format) }); err != nil {
		return err
	}
	return out.Flush()
}

// dumpRows writes one line per entry.
func dumpRows(out io.Writer, b *Book, rules oware.Rules, format Format) error {
	if format == csvFormat {
		fmt.Fprintln(out, "key,board,a,b,c,d,e,f")
	}
	enc := json.NewEncoder(out)
	for i := range b.Len() {
		r, err := newRow(b.At(i), rules)
		if err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		if format == csvFormat {
			err = r.writeCSV(out)
		} else {
			err = enc.Encode(r)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func newRow(e Entry, rules oware.Rules) (row, error) {
	p, err := oware.FromBookKey(rules, e.Key)
	if err != nil {
		return row{}, err
	}
	r := row{Key: e.Key, Board: p.String()}
	for i := range e.Scores {
		if e.Scores[i] != Illegal {
			r.Scores[i] = &e.Scores[i]
		}
	}
	return r, nil
}

func (r row) writeCSV(w io.Writer) error {
	line := fmt.Appendf(nil, "%d,%s", r.Key, r.Board)
	for _, s := range r.Scores {
		line = append(line, ',')
		if s != nil {
			line = fmt.Appendf(line, "%d", *s)
		}
	}
	_, err := w.Write(append(line, '\n'))
	return err
}
