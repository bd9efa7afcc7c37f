package book

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"kroo/games/oware"
)

// Format is an output format of Dump.
type Format string

// The output formats.
const (
	csvFormat Format = "csv" // a header line, then key,board,a,b,c,d,e,f; illegal moves are empty
	ognFormat Format = "ogn" // game records with variations: all lines of the book from its roots
)

// Dump writes a book as text, boards in the notation of [oware.ParseBoard]. It returns an error for
// a key that encodes no position and, for OGN, for a book that is not sound.
func Dump(ctx context.Context, w io.Writer, b *Book, rules oware.Rules, format Format) error {
	out := bufio.NewWriter(w)
	switch format {
	case csvFormat:
		if err := dumpRows(out, b, rules); err != nil {
			return err
		}
	case ognFormat:
		g, err := newGraph(ctx, b, rules)
		if err != nil {
			return err
		}
		t := tree{graph: g, out: out, written: make([]bool, b.Len())}
		t.games()
	default:
		return fmt.Errorf("unknown format %q: expected %s or %s", format, csvFormat, ognFormat)
	}
	return out.Flush()
}

// dumpRows writes one line per entry, with scores in points.
func dumpRows(out io.Writer, b *Book, rules oware.Rules) error {
	fmt.Fprintln(out, "key,board,a,b,c,d,e,f")
	for i, e := range b.entries {
		p, err := oware.FromBookKey(rules, e.Key)
		if err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		line := fmt.Appendf(nil, "%d,%s", e.Key, p)
		for _, s := range e.Scores {
			if line = append(line, ','); s != Illegal {
				line = fmt.Appendf(line, "%d", s)
			}
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return nil
}
