package book

import (
	"context"
	"fmt"
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
	for l := range g.links(i) {
		b := Branch{Move: l.move, Score: g.score(l), Best: g.entries[i].isBest(l.move), Entry: l.to >= 0, Ends: l.to == gameEnd}
		if b.Entry {
			b.Below = t.below(l.to)
		}
		n.Moves = append(n.Moves, b)
	}
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

// Origin is the kind of source of a value in a book.
type Origin string

// The origins.
const (
	bySearch     Origin = "search"       // of a position that has no entry
	byProof      Origin = "proof"        // a win or loss by force
	byEnd        Origin = "end"          // the rules: the game is over
	byRepetition Origin = "repetition"   // the rules: a position is repeated
	byTables     Origin = "tables"       // endgame tables
	noOrigin     Origin = ""             // the move is not legal
	damagedEntry Origin = "no best move" // of a damaged book
)

// Source is where the value of a move comes from: the end of the line of best moves after it, the
// leftmost of equals.
type Source struct {
	Plies  int    `json:"plies"` // from the position to the source
	Origin Origin `json:"origin"`
}

// String describes the source in words.
func (s Source) String() string {
	plies := fmt.Sprintf("after %d plies", s.Plies)
	if s.Plies == 1 {
		plies = "after 1 ply"
	}
	if s.Origin == noOrigin {
		return ""
	}
	return plies + ", " + string(s.Origin)
}

// Sources returns where the values of a position's moves come from; found is false if the book does
// not contain the position.
func (b *Book) Sources(p oware.Position) (sources [oware.Houses]Source, found bool) {
	i, found := find(b.entries, p.BookKey())
	if !found {
		return sources, false
	}
	for m, score := range b.entries[i].Scores {
		if score != Illegal && p.IsLegal(oware.Move(m)) {
			sources[m] = b.source(p, i, oware.Move(m))
		}
	}
	return sources, true
}

// source follows the best moves after move m of entry i, whose position is p.
func (b *Book) source(p oware.Position, i int, m oware.Move) (s Source) {
	passed := map[int]bool{}
	for {
		value := int(b.entries[i].Scores[m])
		s.Plies++
		if value == maxScore || value == -maxScore {
			s.Origin = byProof
			return s
		}
		passed[i] = true
		captures, next := p.Gain(m) > 0, p.Play(m)
		to := int(b.follow(next))
		switch {
		case to == gameEnd:
			s.Origin = byEnd
			return s
		case to == outside:
			s.Origin = bySearch
			return s
		}
		best, behind := b.entries[to].Best()
		switch {
		case behind == Illegal, !next.IsLegal(best):
			s.Origin = damagedEntry
			return s
		case passed[to], value != -behind && !captures:
			s.Origin = byRepetition
			return s
		case value != -behind:
			s.Origin = byTables
			return s
		}
		p = next
		i = to
		m = best
	}
}
