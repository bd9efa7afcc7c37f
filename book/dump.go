package book

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"

	"kroo/games/oware"
)

// Format is a text format of Dump.
type Format string

// The text formats.
const (
	CSV  Format = "csv"  // a line of names, then key,board,a,b,c,d,e,f; illegal moves are empty
	JSON Format = "json" // one object a line: {"key":…,"board":"…","scores":[…]}; illegal moves are null
)

// row is an entry as text. Scores are in points.
type row struct {
	Key    int64                `json:"key"`
	Board  string               `json:"board"`
	Scores [oware.Houses]*int16 `json:"scores"`
}

// Dump writes every entry of a book as a line of text, with its board in the
// notation of [oware.ParseBoard]. A key that is no position is an error.
func Dump(w io.Writer, b *Book, rules oware.Rules, format Format) error {
	if format != CSV && format != JSON {
		return fmt.Errorf("book: unknown format %q: expected csv or json", format)
	}
	out := bufio.NewWriter(w)
	if format == CSV {
		fmt.Fprintln(out, "key,board,a,b,c,d,e,f")
	}
	enc := json.NewEncoder(out)
	for i := range b.Len() {
		r, err := newRow(b.At(i), rules)
		if err != nil {
			return fmt.Errorf("book: entry %d: %w", i, err)
		}
		if format == CSV {
			err = r.writeCSV(out)
		} else {
			err = enc.Encode(r)
		}
		if err != nil {
			return fmt.Errorf("book: %w", err)
		}
	}
	if err := out.Flush(); err != nil {
		return fmt.Errorf("book: %w", err)
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
