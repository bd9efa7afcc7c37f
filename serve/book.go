package serve

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"net/http"
	"net/url"
	"sync"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/book"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/outline"
	"kroo/internal/vfs"
	"kroo/report"
	"kroo/run/inspect"
)

// bookTree is an open book.
type bookTree struct {
	path  string // of its file
	book  *book.Book
	tree  *book.Tree
	stats func() *book.Stats // computed at first use
	rules oware.Rules
}

// maxBook is the largest size of a book to show. A book takes about four times its file in memory.
const maxBook = 256 << 20

// shelf keeps the book that was opened last. One is read at a time, so that many visitors do not exhaust
// the memory.
type shelf struct {
	mu   sync.Mutex
	last *bookTree
	key  string // of last: its path, size and time
}

// openTree reads a book by its name: that of the embedded book, or of a file, which is read again if it
// has changed.
func (s *Server) openTree(ctx context.Context, name string) (*bookTree, error) {
	kept := &s.books
	kept.mu.Lock()
	defer kept.mu.Unlock()
	path, key := name, name
	if !book.IsBuiltIn(name) {
		var err error
		path, err = s.folder.path(name)
		if err != nil {
			return nil, err
		}
		info, err := vfs.Stat(path)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, cause(err))
		}
		if info.Size() > maxBook {
			return nil, fmt.Errorf("%s: %d bytes: expected at most %d", name, info.Size(), maxBook)
		}
		key = fmt.Sprint(path, info.Size(), info.ModTime())
	}
	if key == kept.key {
		return kept.last, nil
	}
	kept.last, kept.key = nil, "" // free its memory first
	b, err := book.Open(path)
	if err != nil {
		return nil, err
	}
	kept.last, err = treeOf(ctx, path, b)
	if err == nil {
		kept.key = key
	}
	return kept.last, err
}

func treeOf(ctx context.Context, path string, b *book.Book) (*bookTree, error) {
	rules, err := b.Rules()
	if err != nil {
		return nil, err
	}
	tree, err := book.Explore(ctx, b, rules)
	if err != nil {
		return nil, err
	}
	return &bookTree{path, b, tree, sync.OnceValue(tree.Survey), rules}, nil
}

// bookMove is a move in a book, with its value for the side to move as all pages show it.
type bookMove struct {
	Move   string `json:"move"`
	Worth  string `json:"worth"`            // the chance by the embedded weights; the score in seeds if they have no calibration
	Margin string `json:"margin,omitempty"` // the expected one, in seeds; "" without a calibration
	Best   bool   `json:"best,omitempty"`   // the book recommends it
}

func moveOf(p oware.Position, move oware.Move, points int, best bool) bookMove {
	m := bookMove{Move: kit.Game.MoveName(p, move), Best: best}
	seeds := oware.InSeeds(float64(points))
	e, err := kit.Evaluation(engine.DefaultName, p.Rules().String())
	if err == nil {
		chance, margin := prospects(e, p, int(math.Round(100*seeds)))
		if chance != nil {
			m.Worth = fmt.Sprintf("%.0f %%", *chance)
			m.Margin = report.SignedNumber(*margin, 1)
			return m
		}
	}
	m.Worth = report.SignedNumber(seeds, 2) + " seeds"
	return m
}

// bookPage describes a position in the tree of a book, and the book.
func (s *Server) bookPage(r *http.Request) (p page, err error) {
	q := r.URL.Query()
	q.Set("name", cmp.Or(q.Get("name"), book.DefaultName))
	p.form = allFiles()
	t, err := s.openTree(r.Context(), q.Get("name"))
	if err != nil {
		return p, err
	}
	q.Set("rules", t.rules.String())
	l, _, err := lineOf(q)
	if err != nil {
		return p, err
	}
	at, in := t.tree.At(l.Position())
	text := "The book does not contain this position."
	if _, _, over := l.Over(); over {
		text = "The game is over here."
	} else if in {
		text = fmt.Sprintf("%s to move. Entries from here on: %s.",
			kit.Game.Sides[l.Position().ToMove()], report.Integer(at.Below))
	}
	board := report.Board{
		Position: l.Position(),
		Name:     "position",
		Title:    "After " + cmp.Or(l.Text(), "no moves"),
		Line:     l.Position().String(),
	}
	moves, err := t.moves(q, l, at)
	if err != nil {
		return p, err
	}
	p.form = g.Group{p.form, t.crumbs(q, l)}
	p.doc = t.doc(q.Get("name"))
	p.doc.Sections = append([]outline.Section{{Heading: "position", Text: []string{text},
		Figures: []outline.Drawing{board},
		Drawn:   true}, moves}, p.doc.Sections...)
	if name := q.Get("name"); !book.IsBuiltIn(name) && l.Text() == "" { // once, not at each move
		err = inspect.AddOrigin(p.doc, t.path, inspect.KindBook, s.config.Games, shownOnPage(name))
	}
	return p, err
}

// inBook is the address of another line of a book.
func inBook(q url.Values, moves string) string { return address("/book", q, "moves", moves) }

// crumbs links to the positions before this one, and to the board.
func (t *bookTree) crumbs(q url.Values, l *line) g.Node {
	links := g.Group{h.A(h.Href(inBook(q, "")), g.Text("start")), g.Text(" ")}
	line := l.Text()
	for i := range line {
		links = append(links, h.A(h.Href(inBook(q, line[:i+1])), g.If(i == len(line)-1, h.Aria("current", "step")),
			g.Text(line[i:i+1])), g.Text(" "))
	}
	board := h.A(h.Class("button"), h.Href(address("/", nil, "rules", q.Get("rules"), "from", q.Get("from"), "moves", line)),
		g.Text("Open on the board"))
	return g.Group{h.Nav(h.Class("crumbs"), h.ID("crumbs"), h.Aria("label", "Moves to this position"), links), h.P(board)}
}

// moves lists the moves of a position. Those that stay in the book link to the next position.
func (t *bookTree) moves(q url.Values, l *line, at book.Node) (outline.Section, error) {
	p := l.Position()
	sources, found := t.book.Sources(p)
	if !found {
		return outline.Section{}, nil
	}
	table := outline.NewTable("move", "chance", "margin", "entries", "value from")
	for _, b := range at.Moves {
		m := moveOf(p, b.Move, b.Score, b.Best)
		name, link := m.Move, ""
		if m.Best {
			name += " ★"
		}
		if b.Entry {
			link = inBook(q, l.Text()+m.Move)
		}
		table.Add(name, m.Worth, cmp.Or(m.Margin, "–"), b.Below, sources[b.Move].String())
		table.Links = append(table.Links, link)
	}
	return outline.Section{Heading: "moves", Table: table,
		Note: "Chance: of a win, plus half the chance of a draw, for the side to move. Margin: the expected one at the end of the game, in seeds. Both come from games of the program's weights. ★ marks the moves that the book recommends. A value belongs to the last position of the best line after the move. Entries: those below the move."}, nil
}

// doc describes a book: its coverage and its drop-out diagrams.
func (t *bookTree) doc(name string) *outline.Doc {
	stats := t.stats()
	d := stats.Doc()
	d.Title = fmt.Sprintf("%s: an opening book of %d entries, rules %s", name, stats.Entries, t.rules)
	d.Origin = append(outline.Facts("made by", t.book.Header().Signature), t.book.Header().Facts()...)
	coverage, leaves := &d.Sections[0], d.Sections[1:]
	coverage.Heading = "coverage by ply"
	for _, ply := range stats.Plies {
		coverage.Table.Bars = append(coverage.Table.Bars, ply.Entries)
	}
	for side := range leaves {
		leaves[side].Figures, leaves[side].Drawn = []outline.Drawing{report.DropOut{Side: oware.Side(side),
			Leaves: stats.Sides[side].Leaves}}, true
	}
	return d
}
