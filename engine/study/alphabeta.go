package study

import (
	"cmp"
	"context"
	"slices"

	"kroo/engine/search"
	"kroo/games"
)

// alphaBeta is the textbook search with an ordering of moves and, optionally, a hash table: then it
// searches to each depth in turn.
type alphaBeta[P search.Position[P]] struct {
	ctx   context.Context
	eval  search.Evaluator[P]
	order func(p P, moves []games.Move)
	table *hashTable // nil for none

	done   bool  // the context has ended
	nodes  int64 // positions visited
	leaves int64 // positions where the search stops: those it evaluates, and ends of games
	path   []P
	moves  [][]games.Move
}

// visit searches p. With a hash table the leaves are those of the last iteration, and the positions
// those of all.
func (s *alphaBeta[P]) visit(p P, depth int) (c cost) {
	s.path, s.moves = make([]P, depth+1), make([][]games.Move, depth+1)
	first := depth
	if s.table != nil {
		first = 1
	}
	for d := first; d <= depth; d++ {
		s.leaves = 0
		c.score = s.search(p, d, -infinity, infinity, 0)
	}
	c.nodes, c.leaves = s.nodes, s.leaves
	return c
}

const infinity = search.Win + 1

// search returns the value of p, ply plies from the root, searched depth plies deep within the
// window (fail-soft). The value is invalid after the context has ended.
func (s *alphaBeta[P]) search(p P, depth, alpha, beta, ply int) int {
	if s.nodes++; s.nodes&0xfff == 0 && s.ctx.Err() != nil {
		s.done = true
	}
	if s.done {
		return 0
	}
	diff, over := p.Terminal()
	if !over {
		diff, over = s.repeats(p, ply)
	}
	if over {
		s.leaves++
		return (search.Win - ply) * cmp.Compare(diff, 0)
	}
	if depth == 0 {
		s.leaves++
		return s.eval.Evaluate(p)
	}
	hashMove, score, ok := s.recall(p, depth, alpha, beta, ply)
	if ok {
		return score
	}
	s.path[ply] = p
	moves := p.AppendMoves(s.moves[ply][:0])
	s.moves[ply] = moves
	s.order(p, moves)
	if i := slices.Index(moves, hashMove); i > 0 {
		copy(moves[1:i+1], moves[:i])
		moves[0] = hashMove
	}
	best, bestMove, low := -infinity, none, alpha
	for _, m := range moves {
		if score := -s.search(p.Play(m), depth-1, -beta, -low, ply+1); score > best {
			best, bestMove = score, m
		}
		if low = max(low, best); low >= beta {
			break
		}
	}
	if s.table != nil {
		s.table.store(entry{p.Key(), bestMove, best, depth, best <= alpha, best >= beta})
	}
	return best
}

// recall looks p up in the hash table. Scores of won games count plies from the root, which the
// table ignores, so they are searched again.
func (s *alphaBeta[P]) recall(p P, depth, alpha, beta, ply int) (move games.Move, score int, ok bool) {
	if s.table == nil {
		return none, 0, false
	}
	e, found := s.table.probe(p.Key(), depth)
	if !found {
		return none, 0, false
	}
	if ply == 0 || e.depth < depth || search.Proven(e.score) {
		return e.move, 0, false
	}
	return e.move, e.score, e.score >= beta && !e.atMost || e.score <= alpha && !e.atLeast || !e.atMost && !e.atLeast
}

// repeats reports whether p ends the game by repetition.
func (s *alphaBeta[P]) repeats(p P, ply int) (diff int, over bool) {
	times := 1
	for i := ply - p.MinCycle(); i >= 0 && s.path[i].Progress() == p.Progress(); i-- {
		if s.path[i] == p {
			times++
		}
	}
	if times == 1 {
		return 0, false
	}
	return p.Repetition(times)
}

// hashTable is the table that Sala Soler (2014) finds the fastest: the two tiers of Belle (Condon
// and Thompson, 1982), one for the deeper result and one for the newest, without results near the
// leaves. It ignores how a position was reached, so values that depend on repetitions may be wrong:
// good enough for counting, not for play.
type hashTable struct{ deeper, newest []entry }

// entry is the stored result of a search; depth 0 means none.
type entry struct {
	key             uint64
	move            games.Move
	score           int
	depth           int
	atMost, atLeast bool // the score is a bound
}

// none means no move.
const none games.Move = 0xffff

const (
	tableBytes = 4 << 20
	entryBytes = 40
	leastDepth = 4 // remaining depth of what is stored
)

func newTable() *hashTable {
	n := tableBytes / entryBytes / 2
	return &hashTable{make([]entry, n), make([]entry, n)}
}

func (t *hashTable) probe(key uint64, depth int) (entry, bool) {
	if depth >= leastDepth {
		for _, tier := range [][]entry{t.deeper, t.newest} {
			if e := tier[key%uint64(len(tier))]; e.depth > 0 && e.key == key {
				return e, true
			}
		}
	}
	return entry{}, false
}

func (t *hashTable) store(e entry) {
	if e.depth < leastDepth {
		return
	}
	if s := &t.deeper[e.key%uint64(len(t.deeper))]; e.depth >= s.depth {
		*s = e
		return
	}
	t.newest[e.key%uint64(len(t.newest))] = e
}
