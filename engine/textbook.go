package engine

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
)

// maxTextbookDepth is the maximum depth of a textbook search.
const maxTextbookDepth = 40

// Ties selects which of the moves that a textbook search finds equal is played. "" means "first".
type Ties string

// The rules for ties described by A. Ferrando, A. Bonanno and L. Repetto (Un programma che gioca a
// Mancala).
const (
	tiesFirst        Ties = "first"        // in the game's order: houses from the mover's left
	tiesColumns      Ties = "columns"      // by the columns of oware's board: the first for South, the last for North
	tiesMirrored     Ties = "mirrored"     // clockwise on that board, F to A and f to a: the last column for both
	tiesContinuation Ties = "continuation" // the move whose best reply, for the mover, is worth most
	TiesRandom       Ties = "random"
)

// textbookPlayer plays by a textbook search.
type textbookPlayer[P search.Position[P]] struct {
	game   *games.Game[P]
	eval   search.Evaluator[P]
	search search.Textbook
	depth  int
	nodes  int64 // of UCT, which has no depth
	ties   Ties
	random *rand.Rand // reset per game, for random ties and UCT
}

// textbook makes a player with the textbook search of the spec.
func (e *Engine[P]) textbook() *textbookPlayer[P] {
	s := e.Spec
	return &textbookPlayer[P]{game: e.Kit.Game, eval: e.Eval.Evaluator, search: s.Textbook, depth: s.Search.Depth, nodes: s.Search.Nodes, ties: cmp.Or(s.Ties, tiesFirst)}
}

// String describes the search for records.
func (p *textbookPlayer[P]) String() string {
	if p.search == search.TextbookUCT {
		return fmt.Sprintf("%s, nodes %d", p.search, p.nodes)
	}
	return fmt.Sprintf("%s, depth %d, ties %s", p.search, p.depth, p.ties)
}

// Close implements [Mover].
func (*textbookPlayer[P]) Close() {}

func (p *textbookPlayer[P]) NewGame(_ context.Context, seed uint64) error {
	p.random = rand.New(rand.NewPCG(seed, 0))
	return nil
}

// Move scores every move by a search with the full window, so that equal moves are recognised.
func (p *textbookPlayer[P]) Move(ctx context.Context, l *games.Line[P], _ client.Clock) (Answer, error) {
	root := l.Position()
	if p.search == search.TextbookUCT {
		return p.simulate(ctx, l)
	}
	before := append(l.History(), root)
	choice := Answer{Score: -search.Win - 1, Depth: p.depth, Nodes: 1}
	var best []games.Move
	for _, m := range root.AppendMoves(nil) {
		score, nodes := search.SearchTextbook(ctx, p.search, root.Play(m), before, p.depth-1, p.eval)
		choice.Nodes += nodes
		if -score > choice.Score {
			choice.Score, best = -score, best[:0]
		}
		if -score == choice.Score {
			best = append(best, m)
		}
	}
	choice.Move = p.breakTie(ctx, before, best, &choice.Nodes)
	return choice, ctx.Err()
}

// simulate chooses by UCT. Its score is the mean result, on a scale from a loss to a win of the whole game.
func (p *textbookPlayer[P]) simulate(ctx context.Context, l *games.Line[P]) (Answer, error) {
	m, mean, nodes := search.SearchUCT(ctx, l.Position(), l.History(), p.nodes, p.random)
	return Answer{Move: m, Score: int((2*mean - 1) * 100 * float64(p.game.UnitsPerWin)), Nodes: nodes}, ctx.Err()
}

// breakTie chooses one of equal moves. before ends with the position to move in.
func (p *textbookPlayer[P]) breakTie(ctx context.Context, before []P, equal []games.Move, nodes *int64) games.Move {
	root := before[len(before)-1]
	switch {
	case len(equal) == 1 || p.ties == tiesFirst:
	case p.ties == TiesRandom:
		return equal[p.random.IntN(len(equal))]
	case p.ties == tiesMirrored, p.ties == tiesColumns && p.game.SideToMove(root) == 1:
		return equal[len(equal)-1]
	case p.ties == tiesContinuation:
		return p.bestContinuation(ctx, before, equal, nodes)
	}
	return equal[0]
}

// bestContinuation returns the first of the moves whose best reply, for the mover, is worth most:
// what the move gains if the opponent errs once.
func (p *textbookPlayer[P]) bestContinuation(ctx context.Context, before []P, equal []games.Move, nodes *int64) games.Move {
	chosen, most := equal[0], -search.Win-1
	for _, m := range equal {
		q := before[len(before)-1].Play(m)
		if _, over := q.Terminal(); over { // equal to the others, and no reply can err
			continue
		}
		line := append(slices.Clone(before), q)
		for _, reply := range q.AppendMoves(nil) {
			score, visited := search.SearchTextbook(ctx, p.search, q.Play(reply), line, max(0, p.depth-2), p.eval)
			*nodes += visited
			if score > most {
				chosen, most = m, score
			}
		}
	}
	return chosen
}
