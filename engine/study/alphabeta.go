package study

import (
	"cmp"
	"context"
	"slices"

	"kroo/engine/search"
	"kroo/games"
)

// alphaBeta is the textbook search with an ordering of moves and, optionally, a hash table.
type alphaBeta[P search.Position[P]] struct {
	ctx      context.Context
	eval     search.Evaluator[P]
	ordering ordering[P]
	scheme   *scheme // of the hash table; nil for none
	bytes    int     // size of the table
	deepens  bool    // searches to each depth in turn

	orderer orderer[P]
	table   *schemeTable // nil for none
	done    bool         // the context has ended
	nodes   int64        // positions visited
	leaves  int64        // positions where the search stops: those it evaluates, and ends of games
	path    []P
	moves   [][]games.Move
}

// Clear implements [measured].
func (s *alphaBeta[P]) Clear() {
	s.orderer = s.ordering.start()
	if s.scheme != nil {
		s.table = newSchemeTable(*s.scheme, s.bytes)
	}
}

// visit implements [measured]. If the search deepens, the leaves are those of the last iteration,
// and the positions those of all.
func (s *alphaBeta[P]) visit(p P, depth int) (c cost) {
	if len(s.path) <= depth {
		s.path, s.moves = make([]P, depth+1), make([][]games.Move, depth+1)
	}
	first := depth
	if s.deepens {
		first = 1
	}
	if s.table != nil {
		s.table.newSearch()
		c.lookups, c.found = -s.table.lookups, -s.table.found
	}
	s.nodes = 0
	for d := first; d <= depth; d++ {
		s.leaves = 0
		c.score = s.search(p, d, -infinity, infinity, 0)
	}
	c.nodes, c.leaves = s.nodes, s.leaves
	if s.table != nil {
		c.lookups, c.found = c.lookups+s.table.lookups, c.found+s.table.found
	}
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
	if diff, over := p.Terminal(); over {
		s.leaves++
		return gameOver(diff, ply)
	}
	if diff, over := s.repeats(p, ply); over {
		s.leaves++
		return gameOver(diff, ply)
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
	s.orderer.order(p, moves, ply)
	toFront(moves, hashMove)
	best, bestMove, low := -infinity, none, alpha
	for _, m := range moves {
		if score := -s.search(p.Play(m), depth-1, -beta, -low, ply+1); score > best {
			best, bestMove = score, m
		}
		if low = max(low, best); low >= beta {
			if s.orderer.cut != nil {
				s.orderer.cut(m, ply, depth)
			}
			break
		}
	}
	if s.table != nil {
		s.table.store(p.Key(), entry{bestMove, best, depth, boundOf(best, alpha, beta)})
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
	switch e.bound {
	case atLeast:
		return e.move, e.score, e.score >= beta
	case atMost:
		return e.move, e.score, e.score <= alpha
	}
	return e.move, e.score, true
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

func gameOver(diff, ply int) int { return (search.Win - ply) * cmp.Compare(diff, 0) }

func toFront(moves []games.Move, m games.Move) {
	if i := slices.Index(moves, m); i > 0 {
		copy(moves[1:i+1], moves[:i])
		moves[0] = m
	}
}
