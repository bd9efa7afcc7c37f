package study

import (
	"context"

	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// orderer puts the moves of a position in the order in which they are tried.
type orderer func(p oware.Position, moves []oware.Move)

// alphaBeta is the textbook search with an order of moves to choose and, if it
// is not nil, a table.
type alphaBeta struct {
	order orderer
	memo  memo
	ctx   context.Context
	nodes int64
	path  []oware.Position
	moves [][]oware.Move
}

// newAlphaBeta searches to depth at most.
func newAlphaBeta(ctx context.Context, order orderer, m memo, depth int) *alphaBeta {
	return &alphaBeta{order: order, memo: m, ctx: ctx, path: make([]oware.Position, depth+1), moves: make([][]oware.Move, depth+1)}
}

const infinity = search.Win + 1

// search is the value of p, ply plies from the root, depth plies deep, within
// the window (fail-soft). It is not reliable after the context is done.
func (s *alphaBeta) search(p oware.Position, depth, alpha, beta, ply int) int {
	if s.nodes++; s.nodes&0xfff == 0 && s.ctx.Err() != nil {
		return 0
	}
	if diff, over := p.Terminal(); over {
		return gameOver(diff, ply)
	}
	if diff, over := s.repeats(p, ply); over {
		return gameOver(diff, ply)
	}
	if depth == 0 {
		return evaluations.Captures{}.Evaluate(p)
	}
	hashMove, score, ok := s.recall(p, depth, alpha, beta, ply)
	if ok {
		return score
	}
	s.path[ply] = p
	moves := p.AppendMoves(s.moves[ply][:0])
	s.moves[ply] = moves
	s.order(p, moves)
	toFront(moves, hashMove)
	best, bestMove, low := -infinity, none, alpha
	for _, m := range moves {
		if score := -s.search(p.Play(m), depth-1, -beta, -low, ply+1); score > best {
			best, bestMove = score, m
		}
		if low = max(low, best); low >= beta {
			break
		}
	}
	if s.memo != nil {
		s.memo.store(p.Key(), note{bestMove, best, depth, boundOf(best, alpha, beta)})
	}
	return best
}

// recall asks the table. Values of won games count plies from the root, which
// the table cannot: they are searched again.
func (s *alphaBeta) recall(p oware.Position, depth, alpha, beta, ply int) (move oware.Move, score int, ok bool) {
	if s.memo == nil {
		return none, 0, false
	}
	n, found := s.memo.probe(p.Key(), depth)
	if !found {
		return none, 0, false
	}
	if ply == 0 || n.depth < depth || search.Proven(n.score) {
		return n.move, 0, false
	}
	switch n.bound {
	case atLeast:
		return n.move, n.score, n.score >= beta
	case atMost:
		return n.move, n.score, n.score <= alpha
	}
	return n.move, n.score, true
}

// repeats tells whether p ends the game by standing on the board again.
func (s *alphaBeta) repeats(p oware.Position, ply int) (diff int, over bool) {
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

func gameOver(diff, ply int) int {
	switch {
	case diff > 0:
		return search.Win - ply
	case diff < 0:
		return ply - search.Win
	}
	return 0
}

func toFront(moves []oware.Move, m oware.Move) {
	for i := range moves {
		if moves[i] == m {
			copy(moves[1:i+1], moves[:i])
			moves[0] = m
			return
		}
	}
}
