package serve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/book"
	"kroo/engine"
	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/internal/vfs"
	"kroo/report"
	"kroo/run/inspect"
)

// bookTree is an open book.
type bookTree struct {
	book  *book.Book // in memory, so it need not be closed
	tree  *book.Tree
	stats func() *book.Stats // computed at first use
	rules oware.Rules
}

// maxBook is the largest size of a book to show.
const maxBook = 256 << 20

// shelf keeps the last few books that were opened. One is read at a time, so that many visitors
// do not exhaust the memory.
type shelf struct {
	mu   sync.Mutex
	kept []keptBook // the last used first
}

type keptBook struct {
	path string // "" for the embedded book
	size int64
	when time.Time
	tree *bookTree
}

// How many books are kept in memory, and the bytes of their files if there are more than one. A
// book takes about four times its file.
const (
	maxKept      = 3
	maxKeptBytes = 64 << 20
)

// openTree reads a book by its name: that of the embedded book, or of a file.
func (s *Server) openTree(ctx context.Context, name string) (*bookTree, error) {
	if name == "" || name == book.DefaultName {
		return s.books.get(keptBook{}, func() (*bookTree, error) {
			b, err := book.Find(book.DefaultName)
			if err != nil {
				return nil, err
			}
			return treeOf(ctx, b)
		})
	}
	path, err := s.folder.path(name)
	if err != nil {
		return nil, err
	}
	info, err := vfs.Stat(path)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, cause(err))
	}
	return s.books.get(keptBook{path: path, size: info.Size(), when: info.ModTime()}, func() (*bookTree, error) {
		data, err := readAtMost(path, maxBook)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, cause(err))
		}
		b, err := book.Parse(name, data)
		if err != nil {
			return nil, err
		}
		return treeOf(ctx, b)
	})
}

// get returns the tree of a book. It is loaded again if the file has changed.
func (s *shelf) get(b keptBook, load func() (*bookTree, error)) (_ *bookTree, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, k := range s.kept {
		if k.path == b.path && k.size == b.size && k.when.Equal(b.when) {
			b.tree = k.tree
		}
	}
	if b.tree == nil {
		if b.tree, err = load(); err != nil {
			return nil, err
		}
	}
	others := slices.DeleteFunc(s.kept, func(k keptBook) bool { return k.path == b.path })
	s.kept = slices.Insert(others, 0, b)
	bytes := b.size
	for i := 1; i < len(s.kept); i++ {
		if bytes += s.kept[i].size; i == maxKept || bytes > maxKeptBytes {
			clear(s.kept[i:])
			s.kept = s.kept[:i]
		}
	}
	return b.tree, nil
}

// readAtMost reads a file of limited size.
func readAtMost(path string, most int64) ([]byte, error) {
	info, err := vfs.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.Size() > most {
		return nil, fmt.Errorf("%d bytes: expected at most %d", info.Size(), most)
	}
	return vfs.ReadFile(path)
}

func treeOf(ctx context.Context, b *book.Book) (*bookTree, error) {
	rules, err := b.Rules()
	if err != nil {
		return nil, err
	}
	t := &bookTree{book: b, rules: rules}
	if t.tree, err = book.Explore(ctx, b, rules); err != nil {
		return nil, err
	}
	t.stats = sync.OnceValue(t.tree.Survey)
	return t, nil
}

// bookPosition is a position in a book, compared with another book.
type bookPosition struct {
	Board string     `json:"board"`
	In    bool       `json:"in"`    // the book contains the position
	Below int        `json:"below"` // entries reachable from here
	Moves []bookMove `json:"moves"` // all legal moves
	Next  [2]string  `json:"next"`  // lines to the next leaf of South's and of North's expansion; "" if there is none
}

// bookMove is a move in a book. Points, chance and margin are for the side to move.
type bookMove struct {
	Move   string    `json:"move"`
	Points *int      `json:"points"` // null if not in the book
	Chance *float64  `json:"chance"` // percent, as in bestOne; null if unknown
	Margin *float64  `json:"margin"` // expected, in seeds; null if unknown
	Best   bool      `json:"best"`
	Entry  bool      `json:"entry,omitempty"` // the book contains the position after it
	Below  int       `json:"below,omitempty"` // entries reachable through it
	Source string    `json:"source,omitempty"`
	Other  *bookMove `json:"other,omitempty"` // in the other book
}

// moveOf returns a move of a position with its value in a book.
func moveOf(p oware.Position, move oware.Move, points int, best bool) *bookMove {
	m := &bookMove{Move: kit.Game.MoveName(p, move), Points: &points, Best: best}
	m.Chance, m.Margin = chanceOf(p, points)
	return m
}

// position describes the last position of a line. other may be nil.
func (t *bookTree) position(l *line, other *bookTree) (*bookPosition, error) {
	p := l.Position()
	found, in := t.tree.At(p)
	n := &bookPosition{Board: p.String(), In: in, Below: found.Below, Moves: []bookMove{}}
	if _, _, over := l.Over(); over {
		return n, nil
	}
	sources, _, err := t.book.Sources(p)
	if err != nil {
		return nil, err
	}
	for _, m := range p.AppendMoves(nil) {
		b := bookMove{Move: kit.Game.MoveName(p, m)}
		for _, f := range found.Moves {
			if f.Move == m {
				b = *moveOf(p, m, f.Score, f.Best)
				b.Entry, b.Below, b.Source = f.Entry, f.Below, sources[m].String()
			}
		}
		if other != nil {
			there, _ := other.tree.At(p)
			for _, f := range there.Moves {
				if f.Move == m {
					b.Other = moveOf(p, m, f.Score, f.Best)
				}
			}
		}
		n.Moves = append(n.Moves, b)
	}
	for side := range n.Next {
		if moves, found := t.tree.NextLeaf(p, oware.Side(side)); found {
			n.Next[side] = kit.Game.LineNames(p, moves)
		}
	}
	return n, nil
}

// chanceOf converts the points of a move to the chance and the expected margin of the side to move, by
// the embedded weights; nil if they have no calibration.
func chanceOf(p oware.Position, points int) (chance, margin *float64) {
	e, err := kit.Evaluation(engine.DefaultName, p.Rules().String())
	if err != nil {
		return nil, nil
	}
	return prospects(e, p, int(math.Round(100*features.Seeds(float64(points)))))
}

// bookPage describes a position in the tree of a book, and the book, compared with another if the
// request names one.
func (s *Server) bookPage(r *http.Request) (p page, err error) {
	q := r.URL.Query()
	names, err := s.names(inspect.KindBook)
	if err != nil {
		return p, err
	}
	q.Set("name", cmp.Or(q.Get("name"), book.DefaultName))
	p.form = pick(q, "Show", choice(q, "name", "Book", names), choice(q, "other", "Compare with", names, "nothing"))
	t, err := s.openTree(r.Context(), q.Get("name"))
	if err != nil {
		return p, err
	}
	var other *bookTree
	if name := q.Get("other"); name != "" {
		if other, err = s.openTree(r.Context(), name); err == nil && other.rules != t.rules {
			err = fmt.Errorf("%s is a book for %s: expected %s", name, other.rules, t.rules)
		}
		if err != nil {
			return p, err
		}
	}
	q.Set("rules", t.rules.String())
	l, _, err := lineOf(q)
	if err != nil {
		return p, err
	}
	at, err := t.position(l, other)
	if err != nil {
		return p, err
	}
	p.form = g.Group{p.form, crumbs(q, l, at)}
	p.doc, err = bookDoc(r.Context(), q, t, other)
	p.doc.Value.(*bookFound).Position = at
	p.doc.Sections = append([]doc.Section{
		{Heading: "position", Text: []string{at.text(l)}, Figures: []doc.Drawing{report.Board{Position: l.Position(), Name: "position", Title: "After " + cmp.Or(l.Text(), "no moves"), Line: at.Board}}, Drawn: true},
		at.section(q, l),
	}, p.doc.Sections...)
	return p, err
}

// text describes a position in a sentence.
func (n *bookPosition) text(l *line) string {
	if _, _, over := l.Over(); over {
		return "The game is over here."
	}
	if !n.In {
		return "The book does not contain this position."
	}
	return fmt.Sprintf("%s to move. Entries from here on: %s.", kit.Game.Sides[l.Position().ToMove()], report.Count(int64(n.Below)))
}

// inBook is the address of another line of a book.
func inBook(q url.Values, moves string) string { return address("/book", q, "moves", moves) }

// crumbs links to the positions before this one, to the leaves to expand next, and to the board.
func crumbs(q url.Values, l *line, at *bookPosition) g.Node {
	links := g.Group{h.A(h.Href(inBook(q, "")), g.Text("start")), g.Text(" ")}
	line := l.Text()
	for i := range line {
		links = append(links, h.A(h.Href(inBook(q, line[:i+1])), g.If(i == len(line)-1, h.Aria("current", "step")), g.Text(line[i:i+1])), g.Text(" "))
	}
	next := g.Group{h.A(h.Href(address("/", nil, "rules", q.Get("rules"), "from", q.Get("from"), "moves", line)), g.Text("Open on the board"))}
	for side, moves := range at.Next {
		if moves != "" {
			next = append(next, g.Textf(" · %s's book is expanded next at ", kit.Game.Sides[side]), h.A(h.Class("line"), h.Href(inBook(q, line+moves)), g.Text(moves)))
		}
	}
	return g.Group{h.Nav(h.Class("crumbs"), h.ID("crumbs"), h.Aria("label", "Moves to this position"), links), h.P(next)}
}

// section lists the moves of a position. Moves that stay in the book link to the next position.
func (n *bookPosition) section(q url.Values, l *line) doc.Section {
	t := doc.NewTable("move", "chance", "margin", "entries", "value from")
	if q.Get("other") != "" {
		t.Header = append(t.Header, "chance in "+q.Get("other"))
	}
	values := func(m *bookMove) (chance, margin string) {
		if m == nil || m.Points == nil {
			return "–", "–"
		}
		chance, margin = report.Signed(features.Seeds(float64(*m.Points)), 2)+" seeds", "–"
		if m.Chance != nil {
			chance, margin = fmt.Sprintf("%.0f %%", *m.Chance), report.Signed(*m.Margin, 1)
		}
		return chance, margin
	}
	for i := range n.Moves {
		m, link := &n.Moves[i], ""
		if m.Entry {
			link = inBook(q, l.Text()+m.Move)
		}
		chance, margin := values(m)
		name := m.Move
		if m.Best {
			name += " ★"
		}
		row := []any{name, chance, margin, m.Below, m.Source}
		if q.Get("other") != "" {
			there, _ := values(m.Other)
			row = append(row, there)
		}
		t.Add(row...)
		t.Links = append(t.Links, link)
	}
	if len(t.Rows) == 0 {
		return doc.Section{}
	}
	return doc.Section{Heading: "moves", Table: t, Note: "Chance: of a win plus half that of a draw, for the side to move. Margin: the expected one at the end of the game, in seeds. Both come from games of the program's weights. ★ marks the best move. A value is that of the last position of the best line after the move. Entries: those below the move."}
}

// bookFound is the page of a book for programs.
type bookFound struct {
	*book.Stats
	Header     []book.Field     `json:"header"`
	Position   *bookPosition    `json:"position"`
	Difference *book.Difference `json:"difference,omitempty"`
}

func bookDoc(ctx context.Context, q url.Values, t, other *bookTree) (*doc.Doc, error) {
	name, otherName := q.Get("name"), q.Get("other")
	found := bookFound{Stats: t.stats(), Header: t.book.Header().ReadableFields()}
	d := found.Doc()
	d.Title, d.Value = fmt.Sprintf("%s: an opening book of %d entries, rules %s", name, found.Entries, t.rules), &found
	d.Origin = doc.Facts("made by", t.book.Header().Signature)
	for _, f := range found.Header {
		d.Origin = append(d.Origin, doc.Fact{Name: f.Name, Value: f.Value})
	}
	coverage, leaves := &d.Sections[0], d.Sections[1:]
	coverage.Heading = "coverage by ply"
	for _, ply := range found.Plies {
		coverage.Table.Bars = append(coverage.Table.Bars, ply.Entries)
	}
	for side := range leaves {
		leaves[side].Figures, leaves[side].Drawn = []doc.Drawing{report.DropOut{Side: oware.Side(side), Leaves: found.Sides[side].Leaves}}, true
	}
	if other == nil {
		return d, nil
	}
	var err error
	found.Difference, err = book.Diff(ctx, t.book, other.book, largestChanges)
	if err == nil {
		d.AddDoc("compared with "+otherName, found.Difference.Doc(name, otherName))
		for _, section := range d.Sections {
			for i, b := range section.Boards {
				section.Boards[i].Link = address("/book", nil, "name", name, "other", otherName, "from", b.Board)
			}
		}
	}
	return d, err
}

// largestChanges is the number of positions that a comparison of books shows.
const largestChanges = 6
