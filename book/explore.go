package book

import (
	"math"
	"sync"

	"kroo/games/oware"
)

// Tree is a book to be walked through, with what lies below each move. Several
// goroutines may use it at a time. It does not need the book's file.
type Tree struct {
	graph *graph
	at    map[int64]int
	// urgent is where the expansion goes, by the player of the book: how many plies away
	// the leaf is that it would expand next below an entry; +Inf for none.
	urgent [2][]float64
	cut    []uint8 // moves that close a cycle, bit i of an entry's for house i
	omega  float64

	mu   sync.Mutex
	seen []uint32 // mark of the walk that has seen an entry last
	mark uint32
}

// Explore reads a book into a tree. omega is how many plies deeper the expansion goes for
// each seed that the opponent's reply does not give away, as package dropout has it.
func Explore(b *Book, rules oware.Rules, omega float64) (*Tree, error) {
	g, err := newGraph(b, rules)
	if err != nil {
		return nil, err
	}
	t := &Tree{graph: g, at: make(map[int64]int, len(g.entries)), seen: make([]uint32, len(g.entries)), omega: omega}
	for i := range g.entries {
		t.at[g.entries[i].Key] = i
	}
	t.weigh()
	return t, nil
}

// Node is a position of a book.
type Node struct {
	Below int // entries that can be reached, this one included
	Moves []Branch
}

// Branch is a move of a position in a book.
type Branch struct {
	Move  oware.Move
	Score int // points for the side to move
	Best  bool
	Entry bool // the book has the position behind it
	Ends  bool // the game is over behind it
	Below int  // entries that can be reached by it
}

// At tells of a position, false if the book does not have it.
func (t *Tree) At(p oware.Position) (n Node, found bool) {
	i, found := t.at[p.BookKey()]
	if !found {
		return n, false
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	n.Below = t.below(i)
	g := t.graph
	g.links(i, func(l link) {
		b := Branch{Move: l.move, Score: g.score(l), Best: g.entries[i].IsBest(l.move), Entry: l.to >= 0, Ends: l.to == gameEnd}
		if b.Entry {
			b.Below = t.below(l.to)
		}
		n.Moves = append(n.Moves, b)
	})
	return n, true
}

// below counts the entries that can be reached from one.
func (t *Tree) below(i int) (n int) {
	t.mark++
	t.seen[i] = t.mark
	for todo := []int{i}; len(todo) > 0; n++ {
		from := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		t.graph.links(from, func(l link) {
			if l.to >= 0 && t.seen[l.to] != t.mark {
				t.seen[l.to] = t.mark
				todo = append(todo, l.to)
			}
		})
	}
	return n
}

// weigh works out the expansion priorities (Lincke 2001) of all entries, for either
// player of the book:
//
//	the book's player moves: 1 + min over the best moves of the priority behind
//	the other side moves:    1 + min over all moves of the priority behind + ω·loss in seeds
//
// A position outside of the book has priority 0, unless its value is decided. A move that
// closes a cycle leads nowhere.
func (t *Tree) weigh() {
	g := t.graph
	t.cut = g.closers()
	order := g.backwards(t.cut)
	for player := range t.urgent {
		t.urgent[player] = make([]float64, len(g.entries))
		for _, i := range order {
			t.urgent[player][i] = math.Inf(1)
			g.links(i, func(l link) {
				t.urgent[player][i] = min(t.urgent[player][i], 1+t.urgency(l, player))
			})
		}
	}
}

// urgency is what a move counts for at its entry.
func (t *Tree) urgency(l link, player int) float64 {
	g := t.graph
	_, best := g.entries[l.from].Best()
	behind := 0.0
	switch {
	case t.cut[l.from]>>l.move&1 != 0:
		return math.Inf(1)
	case l.to >= 0:
		behind = t.urgent[player][l.to]
	case l.to == gameEnd, g.score(l) == MaxScore, g.score(l) == -MaxScore:
		return math.Inf(1)
	}
	if int(g.position(l.from).ToMove()) != player {
		return behind + t.omega*float64(best-g.score(l))*oware.Half/MaxScore
	}
	if g.score(l) != best {
		return math.Inf(1)
	}
	return behind
}

// NextLeaf is the line from a position to the leaf that an expansion for a player's book
// would expand next below it, false if there is nothing to expand.
func (t *Tree) NextLeaf(p oware.Position, player oware.Side) (moves []oware.Move, found bool) {
	i, found := t.at[p.BookKey()]
	if !found || math.IsInf(t.urgent[player][i], 1) {
		return nil, false
	}
	for i >= 0 { // without the moves of cut there is no cycle
		next, least := link{to: outside}, math.Inf(1)
		t.graph.links(i, func(l link) {
			if u := t.urgency(l, int(player)); u < least {
				next, least = l, u
			}
		})
		moves, i = append(moves, next.move), next.to
	}
	return moves, true
}
