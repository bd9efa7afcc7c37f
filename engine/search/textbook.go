package search

import (
	"cmp"
	"context"
	"slices"
)

// The searches in this file are slow and obvious, as in textbooks. Tests compare the fast
// searcher with them, and studies measure them. All give the same score at the same depth.

// Textbook is the name of a textbook search.
type Textbook string

// The textbook searches.
const (
	// TextbookMinimax searches every line.
	TextbookMinimax Textbook = "minimax"
	// TextbookAlphaBeta skips lines that cannot matter. It is fail-hard: scores are within
	// the window (Knuth and Moore 1975).
	TextbookAlphaBeta Textbook = "alpha-beta"
	// TextbookNegascout is alpha-beta that searches all moves but the first with a
	// null window, and re-searches those that are better (Reinefeld 1983).
	TextbookNegascout Textbook = "negascout"
)

// SearchTextbook searches to the given depth and returns the score of the root for its side
// to move, and the number of positions visited, the root included. history has the positions
// of the game before the root, in any order. Unknown names mean minimax. SearchTextbook
// returns soon after the context is done; its results are then invalid.
func SearchTextbook[P Position[P]](ctx context.Context, t Textbook, root P, history []P, depth int, eval Evaluator[P]) (score int, nodes int64) {
	o := newOracle(ctx, history, eval)
	switch t {
	case TextbookAlphaBeta:
		score = o.alphaBeta(root, depth, 0, -Win, Win)
	case TextbookNegascout:
		score = o.negascout(root, depth, 0, -Win, Win)
	default:
		score = o.minimax(root, depth, 0)
	}
	return score, o.nodes
}

// oracle is the common state of the textbook searches.
type oracle[P Position[P]] struct {
	ctx   context.Context
	eval  Evaluator[P]
	path  []P    // positions of the game and of the current line
	moves []Move // buffer for moves
	nodes int64
	done  bool // the context is done
}

func newOracle[P Position[P]](ctx context.Context, history []P, eval Evaluator[P]) *oracle[P] {
	return &oracle[P]{ctx: ctx, eval: eval, path: slices.Clone(history)}
}

// leaf returns the score of a position where the game is over or the depth is 0.
func (o *oracle[P]) leaf(p P, depth, ply int) (score int, ok bool) {
	if o.nodes++; o.nodes&0xfff == 0 && o.ctx.Err() != nil {
		o.done = true
	}
	if o.done {
		return 0, true
	}
	if diff, over := o.over(p, depth); over {
		return finalScore(diff, ply), true
	}
	if depth <= 0 {
		return clampHeuristic(o.eval.Evaluate(p)), true
	}
	return 0, false
}

// over reports whether the game is over: by the position itself, a repetition, lack of moves,
// the draw clock, or the ply limit.
func (o *oracle[P]) over(p P, depth int) (diff int, over bool) {
	if diff, over := p.Terminal(); over {
		return diff, true
	}
	if times := o.times(p); times > 1 {
		if diff, over := p.Repetition(times); over {
			return diff, true
		}
	}
	clock := p.DrawClock()
	drawn := clock > 0 && o.reversible(p) >= clock
	limit, then := p.PlyLimit()
	stopped := limit > 0 && len(o.path) >= limit
	if depth > 0 || drawn || stopped {
		if o.moves = p.AppendMoves(o.moves[:0]); len(o.moves) == 0 {
			return p.NoMoves(), true
		}
	}
	if stopped && !drawn {
		return then, true
	}
	return 0, drawn
}

// reversible returns the number of reversible plies before the position.
func (o *oracle[P]) reversible(p P) (n int) {
	for _, q := range o.path {
		if q.Progress() == p.Progress() {
			n++
		}
	}
	return n
}

// times counts the appearances of the position in the game and line, this one included.
func (o *oracle[P]) times(p P) int {
	n := 1
	for _, q := range o.path {
		if q == p {
			n++
		}
	}
	return n
}

func (o *oracle[P]) minimax(p P, depth, ply int) int {
	if score, ok := o.leaf(p, depth, ply); ok {
		return score
	}
	o.path = append(o.path, p)
	best := -Win
	for _, m := range p.AppendMoves(nil) {
		best = max(best, -o.minimax(p.Play(m), depth-1, ply+1))
	}
	o.path = o.path[:len(o.path)-1]
	return best
}

func (o *oracle[P]) alphaBeta(p P, depth, ply, alpha, beta int) int {
	if score, ok := o.leaf(p, depth, ply); ok {
		return min(max(score, alpha), beta)
	}
	o.path = append(o.path, p)
	for _, m := range p.AppendMoves(nil) {
		alpha = max(alpha, -o.alphaBeta(p.Play(m), depth-1, ply+1, -beta, -alpha))
		if alpha >= beta {
			break
		}
	}
	o.path = o.path[:len(o.path)-1]
	return alpha
}

func (o *oracle[P]) negascout(p P, depth, ply, alpha, beta int) int {
	if score, ok := o.leaf(p, depth, ply); ok {
		return min(max(score, alpha), beta)
	}
	o.path = append(o.path, p)
	for i, m := range p.AppendMoves(nil) {
		q := p.Play(m)
		var score int
		if i == 0 {
			score = -o.negascout(q, depth-1, ply+1, -beta, -alpha)
		} else {
			score = -o.negascout(q, depth-1, ply+1, -alpha-1, -alpha)
			if score > alpha && score < beta {
				score = -o.negascout(q, depth-1, ply+1, -beta, -alpha)
			}
		}
		alpha = max(alpha, score)
		if alpha >= beta {
			break
		}
	}
	o.path = o.path[:len(o.path)-1]
	return alpha
}

// finalScore returns the score of a game that ends ply plies after the root.
func finalScore(diff, ply int) int {
	return (Win - ply) * cmp.Compare(diff, 0)
}

func clampHeuristic(score int) int {
	return min(max(score, -MaxHeuristic), MaxHeuristic)
}
