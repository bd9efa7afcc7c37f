package serve

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"slices"
	"sync"
	"time"

	"kroo/book"
	"kroo/engine"
	"kroo/features"
	"kroo/games/oware"
	"kroo/internal/vfs"
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

// bookNode is a position in a book, compared with another book.
type bookNode struct {
	From  *shot        `json:"from"`
	Moves string       `json:"moves"`
	Line  []ply        `json:"line"`
	Turn  int          `json:"turn"`
	Over  bool         `json:"over"`
	In    bool         `json:"in"`    // the book contains the position
	Below int          `json:"below"` // entries reachable from here
	List  []bookBranch `json:"list"`  // all legal moves
}

// bookBranch is a move in a book, and in the other one.
type bookBranch struct {
	sown
	Score       *int     `json:"score"`  // points for the side to move; null if not in the book
	Chance      *float64 `json:"chance"` // see chanceOf
	Margin      *float64 `json:"margin"`
	Best        bool     `json:"best"`
	Source      string   `json:"source,omitempty"` // origin of the score, in words
	Entry       bool     `json:"entry"`
	Ends        bool     `json:"ends"`
	Below       int      `json:"below"`
	Other       *int     `json:"other,omitempty"` // the score of the other book
	OtherChance *float64 `json:"other_chance,omitempty"`
	First       bool     `json:"first,omitempty"` // a best move of the other book
}

// bookNode describes a position.
func (s *Server) bookNode(r *http.Request) (any, error) {
	t, l, err := s.bookLine(r)
	if err != nil {
		return nil, err
	}
	n, err := t.node(l)
	if err != nil {
		return nil, err
	}
	if other := r.URL.Query().Get("other"); other != "" {
		o, err := s.openTree(r.Context(), other)
		if err == nil && o.rules != t.rules {
			err = fmt.Errorf("%s is a book for %s: expected %s", other, o.rules, t.rules)
		}
		if err != nil {
			return nil, err
		}
		n.compare(o, l.Position())
	}
	return n, nil
}

// node describes the last position of a line.
func (t *bookTree) node(l *line) (*bookNode, error) {
	p := l.Position()
	n := &bookNode{From: shotOf(l.Start()), Moves: l.Text(), Line: plies(l), Turn: int(p.ToMove()), List: []bookBranch{}}
	found, in := t.tree.At(p)
	n.In, n.Below = in, found.Below
	if _, _, n.Over = l.Over(); n.Over {
		return n, nil
	}
	sources, _, err := t.book.Sources(p)
	if err != nil {
		return nil, err
	}
	for _, m := range p.AppendMoves(nil) {
		b := bookBranch{sown: sow(p, m)}
		for _, f := range found.Moves {
			if f.Move == m {
				b.Score, b.Best, b.Entry, b.Ends, b.Below = &f.Score, f.Best, f.Entry, f.Ends, f.Below
				b.Source = sources[m].String()
				b.Chance, b.Margin = chanceOf(p, f.Score)
			}
		}
		n.List = append(n.List, b)
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

// bookNext returns the lines to the next leaf of South's and of North's expansion. This takes longer
// than bookNode.
func (s *Server) bookNext(r *http.Request) (any, error) {
	t, l, err := s.bookLine(r)
	if err != nil {
		return nil, err
	}
	var next [2]string
	for side := range next {
		if moves, found := t.tree.NextLeaf(l.Position(), oware.Side(side)); found {
			next[side] = kit.Game.LineNames(l.Position(), moves)
		}
	}
	return next, nil
}

// bookLine returns the book and the line of a request.
func (s *Server) bookLine(r *http.Request) (*bookTree, *line, error) {
	q := r.URL.Query()
	t, err := s.openTree(r.Context(), q.Get("name"))
	if err != nil {
		return nil, nil, err
	}
	q.Set("rules", t.rules.String())
	l, _, err := lineOf(q)
	return t, l, err
}

// compare adds the values of another book.
func (n *bookNode) compare(o *bookTree, p oware.Position) {
	found, _ := o.tree.At(p)
	for i := range n.List {
		for _, f := range found.Moves {
			if kit.Game.MoveName(p, f.Move) == n.List[i].Move {
				n.List[i].Other, n.List[i].First = &f.Score, f.Best
				n.List[i].OtherChance, _ = chanceOf(p, f.Score)
			}
		}
	}
}
