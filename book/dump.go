package book

import (
	"bufio"
	"cmp"
	"context"
	"fmt"
	"io"
	"math/bits"
	"slices"

	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/doc"
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

// Description is a summary of a book.
type Description struct {
	Entries int     `json:"entries"`
	Header  []Field `json:"header"`
	Start   *Entry  `json:"start,omitempty"` // the entry of the start position
}

// Describe describes the book at a path, or the built-in one for [DefaultName].
func Describe(path string) (*doc.Doc, error) {
	b, err := Open(path)
	if err != nil {
		return nil, err
	}
	d := Description{Entries: b.Len(), Header: b.Header().Shown()}
	s := &doc.Doc{Title: fmt.Sprintf("opening book of %d entries, \"%s\"", d.Entries, b.Header().Signature)}
	for _, f := range d.Header {
		s.Facts = append(s.Facts, doc.Fact{Name: f.Name, Value: f.Value})
	}
	if e, found := b.Lookup(oware.Start(oware.Abapa).BookKey()); found {
		d.Start = &e
		s.Facts = append(s.Facts, doc.Fact{Name: "At the start", Value: ScoresText(e.Scores, oware.South)})
	}
	s.Value = d
	return s, nil
}

// Query describes the moves of a position: their values, and where each value comes from.
func (b *Book) Query(p oware.Position) (*doc.Doc, error) {
	e, found := b.Lookup(p.BookKey())
	if !found {
		return nil, fmt.Errorf("%s: no entry for %s", b.name, p)
	}
	sources, _ := b.Sources(p)
	n := e.named(p)
	n.Sources = map[string]Source{}
	t := doc.NewTable("move", "seeds", "", "from")
	for m, s := range sources {
		name := oware.MoveName(oware.Move(m), p.ToMove())
		if s == (Source{}) {
			continue
		}
		n.Sources[name] = s
		t.Add(name, fmt.Sprintf("%+.2f", Seeds(e.Scores[m])), map[bool]string{true: "*"}[e.isBest(oware.Move(m))], s)
	}
	return &doc.Doc{Value: n, Sections: []doc.Section{{Plain: p.Diagram()}, {Table: t}}}, nil
}

// tree writes a book as game records with variations, one record per root. A line follows the best
// moves; the other moves of each position are variations, best first. The comment of a move is its
// value in points for the side that makes it. A line ends where another one continues from the same
// position.
type tree struct {
	*graph
	out     *bufio.Writer
	written []bool // entries that are part of a line
	column  int
}

// games writes all records. out keeps the first write error.
func (t *tree) games() {
	for i, root := range t.roots() {
		p := t.position(root)
		fmt.Fprintf(t.out, "[Event \"opening book\"]\n[Round \"%d\"]\n[%s \"%s\"]\n", i+1, games.TagRules, t.rules)
		if p != oware.Start(t.rules) {
			fmt.Fprintf(t.out, "[%s \"%s\"]\n", games.TagFEN, p)
		}
		fmt.Fprintln(t.out)
		t.column = 0
		t.line(root, int(p.ToMove()))
		t.word(games.Unknown)
		t.out.WriteString("\n\n")
	}
}

// line writes the line of best moves from an entry. South's first move of the record is ply 0.
func (t *tree) line(i, ply int) {
	entries, moves := t.best(i)
	for k, i := range entries {
		t.move("", i, moves[k], ply+k, k == 0)
		for _, m := range t.others(i, moves[k]) {
			t.move("(", i, m, ply+k, true)
			if to := t.next[i][m]; to >= 0 && !t.written[to] {
				t.line(int(to), ply+k+1)
			}
			t.word(")")
		}
	}
}

// best returns the line of best moves through entries that are not in another line yet, and marks
// them, so that no variation cuts it short.
func (t *tree) best(i int) (entries []int, moves []oware.Move) {
	for i >= 0 && !t.written[i] && t.entries[i].legal() != 0 {
		m, _ := t.entries[i].Best()
		t.written[i] = true
		entries, moves = append(entries, i), append(moves, m)
		i = int(t.next[i][m])
	}
	return entries, moves
}

// others returns the other moves of an entry, best first.
func (t *tree) others(i int, best oware.Move) (moves []oware.Move) {
	for set := t.entries[i].legal() &^ (1 << best); set != 0; set &= set - 1 {
		moves = append(moves, oware.Move(bits.TrailingZeros8(set)))
	}
	scores := &t.entries[i].Scores
	slices.SortStableFunc(moves, func(a, b oware.Move) int { return -cmp.Compare(scores[a], scores[b]) })
	return moves
}

// move writes a move with its value, and with its number where needed. open is a prefix, such as the
// start of a variation, or "".
func (t *tree) move(open string, i int, m oware.Move, ply int, first bool) {
	p := t.position(i)
	switch {
	case p.ToMove() == oware.South:
		t.word(fmt.Sprintf("%s%d.", open, ply/2+1))
	case first:
		t.word(fmt.Sprintf("%s%d...", open, ply/2+1))
	}
	name := oware.MoveName(m, p.ToMove())
	if gain := p.Gain(m); gain > 0 {
		name += fmt.Sprintf("+%d", gain)
	}
	t.word(name)
	t.word(fmt.Sprintf("{%+d}", t.entries[i].Scores[m]))
}

// word writes a word, breaking lines at 80 columns.
func (t *tree) word(text string) {
	if t.column > 0 && t.column+1+len(text) > 80 {
		t.out.WriteByte('\n')
		t.column = 0
	} else if t.column > 0 && text != ")" {
		t.out.WriteByte(' ')
		t.column++
	}
	t.out.WriteString(text)
	t.column += len(text)
}
