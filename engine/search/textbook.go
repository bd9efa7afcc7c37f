package search

import (
	"context"
	"slices"
)

// Textbook is a slow and obvious search, as in textbooks. Tests compare the fast searcher with it,
// and studies measure it. All algorithms give the same score at the same depth. It is not safe for
// concurrent use.
type Textbook[P Position[P]] struct {
	Algorithm Algorithm // "" means minimax
	Eval      Evaluator[P]
	Order     func(p P, moves []Move) // orders the moves of a position; nil keeps the game's order
	// Table is a hash table; nil means none. With a table the search deepens iteratively. The table ignores how
	// a position was reached, so values that depend on repetitions may be wrong: good enough for counting, not
	// for play. Unless HashMB is 0, Clear makes the engine's table of so many MiB.
	Table  TextbookTable
	HashMB int

	Nodes  int64 // positions visited since Clear, roots included
	Leaves int64 // positions where the last search stopped: those it evaluated, and ends of games

	ctx   context.Context
	path  []P      // positions of the game and of the current line
	moves [][]Move // moves of each ply
	done  bool     // the context is done
}

// Algorithm is the name of a textbook search.
type Algorithm string

// The textbook algorithms.
const (
	// TextbookMinimax searches every line.
	TextbookMinimax Algorithm = "minimax"
	// TextbookAlphaBeta skips lines that cannot matter (Knuth and Moore 1975).
	TextbookAlphaBeta Algorithm = "alpha-beta"
	// TextbookNegascout is alpha-beta that searches all moves but the first with a
	// null window, and re-searches those that are better (Reinefeld 1983).
	TextbookNegascout Algorithm = "negascout"
)

const (
	infinity      = Win + 1
	textbookLeast = 4       // least depth of results in the hash table
	textbookCheck = 1 << 12 // nodes between checks of the context
)

// Clear forgets earlier searches.
func (t *Textbook[P]) Clear() {
	t.Nodes = 0
	if t.HashMB > 0 {
		t.Table = deepTable{newTable(t.HashMB << 20)}
	}
}

// TextbookTable is the hash table of a [Textbook].
type TextbookTable interface {
	// Probe returns the result of a position, of any depth, before a search to the given depth.
	Probe(key uint64, depth int) (TextbookEntry, bool)
	Store(key uint64, e TextbookEntry)
}

// TextbookEntry is a result in a [TextbookTable].
type TextbookEntry struct{ entry }

// Depth returns the depth of the search in plies.
func (e TextbookEntry) Depth() int { return e.depth() }

// deepTable is the engine's table, for results of at least the depth textbookLeast.
type deepTable struct{ *table }

func (t deepTable) Probe(key uint64, depth int) (TextbookEntry, bool) {
	if depth < textbookLeast {
		return TextbookEntry{}, false
	}
	e, found := t.probe(key, key)
	return TextbookEntry{e}, found
}

func (t deepTable) Store(key uint64, e TextbookEntry) {
	if e.depth() >= textbookLeast {
		t.store(key, key, e.entry)
	}
}

// Search searches to the given depth and returns the score of the root for its side to move, and the
// first of its best moves. history has the positions of the game before the root, oldest first.
// Search returns soon after the context is done; its results are then invalid.
func (t *Textbook[P]) Search(ctx context.Context, root P, history []P, depth int) (score int, best Move) {
	t.start(ctx, history)
	first := depth
	if t.Table != nil {
		first = min(1, depth)
	}
	for d := first; d <= depth; d++ {
		t.Leaves = 0
		score, best = t.search(root, d, 0, -infinity, infinity)
	}
	return score, best
}

func (t *Textbook[P]) start(ctx context.Context, history []P) {
	t.ctx = ctx
	t.path = slices.Clone(history)
	t.done = false
}

// search searches p, ply plies from the root. A score outside the window is a bound (fail-soft).
func (t *Textbook[P]) search(p P, depth, ply, alpha, beta int) (best int, bestMove Move) {
	if score, ok := t.leaf(p, depth, ply); ok {
		return score, noMove
	}
	moves := t.moves[ply]
	if t.Order != nil {
		t.Order(p, moves)
	}
	if t.Table != nil {
		if e, found := t.Table.Probe(p.Key(), depth); found {
			// Scores of won games count plies from the root, which the table ignores.
			score := e.score()
			if ply > 0 && e.depth() >= depth && !Proven(score) && e.decides(score, alpha, beta) {
				return score, e.move()
			}
			if i := slices.Index(moves, e.move()); i > 0 {
				copy(moves[1:i+1], moves[:i])
				moves[0] = e.move()
			}
		}
	}
	t.path = append(t.path, p)
	best = -infinity
	bestMove = noMove
	low := alpha
	for i, m := range moves {
		score := 0
		child := p.Play(m)
		switch {
		case t.Algorithm == TextbookNegascout && i > 0:
			score = min(t.child(child, depth, ply, low, low+1), low+1)
			if score > low && score < beta {
				score = t.child(child, depth, ply, low, beta)
			}
		case t.Algorithm == TextbookNegascout || t.Algorithm == TextbookAlphaBeta:
			score = t.child(child, depth, ply, low, beta)
		default:
			score = t.child(child, depth, ply, -infinity, infinity)
		}
		if score > best {
			best = score
			bestMove = m
		}
		low = max(low, best)
		if low >= beta {
			break
		}
	}
	t.path = t.path[:len(t.path)-1]
	if t.Table != nil {
		t.Table.Store(p.Key(), TextbookEntry{entryOf(bestMove, best, depth, boundOf(best, alpha, beta))})
	}
	return best, bestMove
}

// child returns the score of a position after a move from depth and ply, within the mover's window.
func (t *Textbook[P]) child(p P, depth, ply, alpha, beta int) int {
	score, _ := t.search(p, depth-1, ply+1, -beta, -alpha)
	return -score
}

// leaf returns the score of a position where the game is over or the depth is 0. Of others it lists
// the moves.
func (t *Textbook[P]) leaf(p P, depth, ply int) (score int, ok bool) {
	t.Nodes++
	if t.Nodes%textbookCheck == 0 && t.ctx.Err() != nil {
		t.done = true
	}
	if t.done {
		return 0, true
	}
	if diff, over := t.over(p, depth, ply); over {
		t.Leaves++
		return finalScore(diff, ply), true
	}
	if depth > 0 {
		return 0, false
	}
	t.Leaves++
	return clampHeuristic(t.Eval.Evaluate(p)), true
}

// over reports whether the game is over: by the position itself, a repetition, lack of moves, the
// draw clock, or the ply limit.
func (t *Textbook[P]) over(p P, depth, ply int) (diff int, over bool) {
	if diff, over := p.Terminal(); over {
		return diff, true
	}
	reversible, times := 0, 1
	for i := len(t.path) - 1; i >= 0 && t.path[i].Progress() == p.Progress(); i-- {
		reversible++
		if t.path[i] == p {
			times++
		}
	}
	if times > 1 {
		if diff, over := p.Repetition(times); over {
			return diff, true
		}
	}
	clock := p.DrawClock()
	drawn := clock > 0 && reversible >= clock
	limit, then := p.PlyLimit()
	stopped := limit > 0 && len(t.path) >= limit
	if depth > 0 || drawn || stopped {
		for len(t.moves) <= ply {
			t.moves = append(t.moves, nil)
		}
		t.moves[ply] = p.AppendMoves(t.moves[ply][:0])
		if len(t.moves[ply]) == 0 {
			return p.NoMoves(), true
		}
	}
	if stopped && !drawn {
		return then, true
	}
	return 0, drawn
}
