package study

import (
	"context"
	"slices"

	"kroo/engine/search"
	"kroo/games"
	"kroo/games/oware"
)

// owareListings are the searches of A. Ferrando, A. Bonanno and L. Repetto (Un programma che gioca a
// Mancala), reconstructed. They differ from the textbooks of package engine/search in the order of
// the moves, in the pay-off, and in when negascout searches again. They depart from the printed
// listing in two points: its loop runs over columns 1 to 6 for both sides, but the text suggests
// clockwise, which agrees with the published seconds; and read literally it ends at the first illegal
// house.
func owareListings(ctx context.Context, eval search.Evaluator[oware.Position]) []searcher[oware.Position] {
	listing := func(name string,
		value func(l *listingSearch, p oware.Position, depth, alpha, beta int) int) searcher[oware.Position] {
		return plain(name, func(p oware.Position, depth int) cost {
			l := listingSearch{ctx: ctx, eval: eval}
			return cost{score: value(&l, p, depth, -infinity, infinity), nodes: l.nodes}
		})
	}
	return []searcher[oware.Position]{
		listing(alphaBetaListing, (*listingSearch).alphaBeta), listing(negascoutListing, (*listingSearch).negascout),
	}
}

const infinity = search.Win + 1

const (
	alphaBetaListing = "alpha-beta, reconstructed"
	negascoutListing = "negascout, reconstructed"
)

// listingSearch is the state of a search of a listing.
type listingSearch struct {
	ctx   context.Context
	eval  search.Evaluator[oware.Position]
	line  []oware.Position
	nodes int64
	done  bool // the context has ended
}

// payoff returns the value of a position that is not searched further. A game that is over counts
// its seeds; the textbooks prefer a quick win to a large one.
func (l *listingSearch) payoff(p oware.Position, depth int) (value int, leaf bool) {
	l.nodes++
	if l.nodes&0xfff == 0 && l.ctx.Err() != nil {
		l.done = true
	}
	if diff, over := p.Terminal(); over {
		return seedValue * diff, true
	}
	times := 1
	for _, q := range l.line {
		if q == p {
			times++
		}
	}
	if diff, over := p.Repetition(times); over {
		return seedValue * diff, true
	}
	if depth == 0 || l.done {
		return l.eval.Evaluate(p), true
	}
	return 0, false
}

// seedValue is the value of a seed in evaluations.
const seedValue = 100

// clockwise returns the moves in the order of the source. It numbers houses by column: in its worked
// example North sows from house 6 into 5. So its order is F to A for South and f to a for North.
func clockwise(p oware.Position) []games.Move {
	moves := p.AppendMoves(nil)
	slices.Reverse(moves)
	return moves
}

// alphaBeta returns a value within its window (fail-hard).
func (l *listingSearch) alphaBeta(p oware.Position, depth, alpha, beta int) int {
	if value, leaf := l.payoff(p, depth); leaf {
		return value
	}
	l.line = append(l.line, p)
	defer func() { l.line = l.line[:len(l.line)-1] }()
	for _, m := range clockwise(p) {
		alpha = max(alpha, -l.alphaBeta(p.Play(m), depth-1, -beta, -alpha))
		if alpha >= beta {
			return beta
		}
	}
	return alpha
}

// negascout may return a value outside its window (fail-soft), and does not search again at a depth
// of 2 or less.
func (l *listingSearch) negascout(p oware.Position, depth, alpha, beta int) int {
	if value, leaf := l.payoff(p, depth); leaf {
		return value
	}
	l.line = append(l.line, p)
	defer func() { l.line = l.line[:len(l.line)-1] }()
	best, high := -infinity, beta
	for _, m := range clockwise(p) {
		value := -l.negascout(p.Play(m), depth-1, -high, -max(alpha, best))
		if value > best {
			if high == beta || depth <= 2 {
				best = value
			} else {
				best = -l.negascout(p.Play(m), depth-1, -beta, -value)
			}
		}
		if best >= beta {
			break
		}
		high = max(alpha, best) + seedValue
	}
	return best
}
