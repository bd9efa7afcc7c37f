package book

import (
	"cmp"
	"context"
	"math"
	"slices"
	"sync"

	"kroo/games/oware"
)

// Tree is a book to browse, with the number of entries below each move. It is safe for concurrent
// use and does not need the book's file. It computes on demand: in a large book the first
// [Tree.NextLeaf] takes several times as long as [Explore].
type Tree struct {
	graph *graph
	costs Costs

	weighed sync.Once
	// urgent is the priority of each entry, by the player of the book.
	urgent [2][]int32
	cut    []uint8 // moves that close a cycle, bit i of an entry's for house i

	mu   sync.Mutex
	seen []uint32 // mark of the last walk that visited an entry
	mark uint32
}

// Explore reads a book into a tree. Its leaves are those of the expansion that made the book, by the
// costs in its header.
func Explore(ctx context.Context, b *Book, rules oware.Rules) (*Tree, error) {
	costs, err := b.header.costs()
	if err != nil {
		return nil, err
	}
	g, err := newGraph(ctx, b, rules)
	if err != nil {
		return nil, err
	}
	return &Tree{graph: g, seen: make([]uint32, len(g.entries)), costs: costs}, nil
}

// find returns the index of a position's entry.
func (t *Tree) find(p oware.Position) (i int, found bool) {
	return slices.BinarySearchFunc(t.graph.entries, p.BookKey(), func(e Entry, key int64) int { return cmp.Compare(e.Key, key) })
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
	i, found := t.find(p)
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

// weigh computes the priorities of all entries, for either player of the book.
func (t *Tree) weigh() {
	g := t.graph
	t.cut = g.closers()
	order := g.backwards(t.cut)
	var buf [oware.Houses]Choice
	for player := range t.urgent {
		t.urgent[player] = make([]int32, len(g.entries))
		for _, i := range order {
			t.urgent[player][i] = Never
			if _, best := g.entries[i].Best(); best > -maxScore && best < maxScore {
				_, t.urgent[player][i] = t.costs.Next(t.choices(i, player, buf[:0]), t.role(i, player))
			}
		}
	}
}

// role returns the role of the side to move at an entry, in the book of a player.
func (t *Tree) role(i, player int) int {
	if int(t.graph.position(i).ToMove()) == player {
		return BookPlayer
	}
	return Opponent
}

// choices appends the moves of an entry to dst. A position outside the book is a leaf unless its
// value is decided; a move that closes a cycle leads nowhere.
func (t *Tree) choices(i, player int, dst []Choice) []Choice {
	g := t.graph
	g.links(i, func(l link) {
		behind := int32(0)
		switch score := g.score(l); {
		case t.cut[i]>>l.move&1 != 0, l.to == gameEnd, score == maxScore, score == -maxScore:
			behind = Never
		case l.to >= 0:
			behind = t.urgent[player][l.to]
		}
		centi := math.Round(float64(g.score(l)) * 100 * oware.Half / maxScore)
		dst = append(dst, Choice{int32(centi), [Roles]int32{behind, behind}}) // only one of the roles occurs here
	})
	return dst
}

// NextLeaf returns the line from a position to the leaf below it that an expansion for a player's
// book would expand next; found is false if nothing is left to expand.
func (t *Tree) NextLeaf(p oware.Position, player oware.Side) (moves []oware.Move, found bool) {
	i, found := t.find(p)
	if t.weighed.Do(t.weigh); !found || t.urgent[player][i] == Never {
		return nil, false
	}
	var buf [oware.Houses]Choice
	for i >= 0 { // terminates: without the moves in cut there is no cycle
		next, _ := t.costs.Next(t.choices(i, int(player), buf[:0]), t.role(i, int(player)))
		t.graph.links(i, func(l link) {
			if next == 0 {
				moves, i = append(moves, l.move), l.to
			}
			next--
		})
	}
	return moves, true
}
