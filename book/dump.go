package book

import (
	"bufio"
	"fmt"
	"io"

	"kroo/games/oware"
	"kroo/internal/outline"
)

// Dump writes a book as CSV: a header line, then key, board in the notation of [oware.ParseBoard], and
// the scores in points, empty for illegal moves. It returns an error for a key that encodes no
// position.
func Dump(w io.Writer, b *Book, rules oware.Rules) error {
	out := bufio.NewWriter(w)
	fmt.Fprintln(out, "key,board,a,b,c,d,e,f")
	for i, e := range b.entries {
		p, err := oware.FromBookKey(rules, e.Key)
		if err != nil {
			return fmt.Errorf("entry %d: %w", i, err)
		}
		line := fmt.Appendf(nil, "%d,%s", e.Key, p)
		for _, s := range e.Scores {
			line = append(line, ',')
			if s != Illegal {
				line = fmt.Appendf(line, "%d", s)
			}
		}
		if _, err := out.Write(append(line, '\n')); err != nil {
			return err
		}
	}
	return out.Flush()
}

// Description is a summary of a book.
type Description struct {
	Entries int     `json:"entries"`
	Header  []Field `json:"header"`
	Start   *Entry  `json:"start,omitempty"` // the entry of the start position
}

// Describe describes the book at a path, or a built-in one.
func Describe(path string) (*outline.Doc, error) {
	b, err := Open(path)
	if err != nil {
		return nil, err
	}
	d := Description{Entries: b.Len(), Header: b.Header().Fields}
	s := &outline.Doc{Title: fmt.Sprintf("opening book of %d entries, \"%s\"", d.Entries, b.Header().Signature)}
	s.Facts = b.Header().Facts()
	if e, found := b.Lookup(oware.Start(oware.Abapa).BookKey()); found {
		d.Start = &e
		s.Facts = append(s.Facts, outline.Fact{Name: "At the start", Value: ScoresText(e.Scores, oware.South)})
	}
	s.Value = d
	return s, nil
}

// Query describes the moves of a position: their values, and where each value comes from.
func (b *Book) Query(p oware.Position) (*outline.Doc, error) {
	e, found := b.Lookup(p.BookKey())
	if !found {
		return nil, fmt.Errorf("%s: no entry for %s", b.name, p)
	}
	sources, _ := b.Sources(p)
	n := e.withMoveNames(p)
	n.Sources = map[string]Source{}
	t := outline.NewTable("move", "seeds", "", "from")
	for m, s := range sources {
		name := oware.MoveName(oware.Move(m), p.ToMove())
		if s == (Source{}) {
			continue
		}
		n.Sources[name] = s
		mark := ""
		if e.isBest(oware.Move(m)) {
			mark = "*"
		}
		t.Add(name, fmt.Sprintf("%+.2f", oware.InSeeds(e.Scores[m])), mark, s)
	}
	return &outline.Doc{Value: n, Sections: []outline.Section{{Plain: p.Diagram()}, {Table: t}}}, nil
}
