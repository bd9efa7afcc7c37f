package book

import (
	"context"
	"sync"

	"kroo/games/oware"
)

// Tree is a book to browse, with the number of entries below each move. It is safe for concurrent
// use and does not need the book's file.
type Tree struct {
	graph *graph

	mu   sync.Mutex
	seen []uint32 // mark of the last walk that visited an entry
	mark uint32
}

// Explore reads a book into a tree.
func Explore(ctx context.Context, b *Book, rules oware.Rules) (*Tree, error) {
	g, err := newGraph(ctx, b, rules)
	if err != nil {
		return nil, err
	}
	return &Tree{graph: g, seen: make([]uint32, len(g.entries))}, nil
}

// Survey measures the book of the tree.
func (t *Tree) Survey() *Stats { return t.graph.survey() }

// Node is a position of a book.
type Node struct {
	Below int // entries reachable from here, this one included
	Moves []Branch
}

// Branch is a move of a position in a book.
type Branch struct {
	Move  oware.Move
	Score int // points for the side to move
	Best  bool
	Entry bool // the book contains the position after it
	Ends  bool // the game is over after it
	Below int  // entries reachable through it
}

// At describes a position; found is false if the book does not contain it.
func (t *Tree) At(p oware.Position) (n Node, found bool) {
	i, found := t.graph.find(p)
	if !found {
		return n, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n.Below = t.below(i)
	g := t.graph
	g.links(i, func(l link) {
		b := Branch{Move: l.move, Score: g.score(l), Best: g.entries[i].isBest(l.move), Entry: l.to >= 0, Ends: l.to == gameEnd}
		if b.Entry {
			b.Below = t.below(l.to)
		}
		n.Moves = append(n.Moves, b)
	})
	return n, true
}

// below counts the entries reachable from one.
func (t *Tree) below(i int) (n int) {
	t.mark++
	return t.graph.reach(i, func(i int) bool {
		before := t.seen[i]
		t.seen[i] = t.mark
		return before != t.mark
	})
}
