package match

import (
	"cmp"
	"context"
	"fmt"
	"math/rand/v2"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

// maxTextbookDepth is as deep as a search of the textbooks can be asked to go.
const maxTextbookDepth = 40

// Ties say which of the moves that a search of the textbooks finds equal is
// played. "" is "first".
type Ties string

// The rules of ties that A. Ferrando, A. Bonanno and L. Repetto (Un programma che
// gioca a Mancala) describe.
const (
	tiesFirst        Ties = "first"        // in the game's order: houses from the mover's left
	tiesColumns      Ties = "columns"      // by the columns of oware's board: the first for South, the last for North
	tiesMirrored     Ties = "mirrored"     // clockwise on that board, F to A and f to a: the last for both
	tiesContinuation Ties = "continuation" // after which the best of the replies is worth most for the mover
	tiesRandom       Ties = "random"
)

func (t Ties) check() error {
	switch t {
	case tiesFirst, tiesColumns, tiesMirrored, tiesContinuation, tiesRandom:
		return nil
	}
	return fmt.Errorf("unknown ties %q: expected %s, %s, %s, %s or %s", t, tiesFirst, tiesColumns, tiesMirrored, tiesContinuation, tiesRandom)
}

// textbookPlayer plays by a search of the textbooks.
type textbookPlayer[P search.Position[P]] struct {
	game   *games.Game[P]
	eval   search.Evaluator[P]
	search search.Textbook
	depth  int
	nodes  int64 // of UCT, which knows no depth
	ties   Ties
	random *rand.Rand // of the game, for tiesRandom and UCT
}

// openTextbook makes an entrant of a configuration that has a Textbook.
func openTextbook[P search.Position[P]](k engine.Kit[P], c PlayerConfig, rules string) (entrant[P], error) {
	eval, err := k.Serving(rules, c.Weights)
	if err != nil {
		return entrant[P]{}, err
	}
	p := textbookPlayer[P]{game: k.Game, eval: eval.Evaluator, search: c.Textbook, depth: c.Search.Depth, nodes: c.Search.Nodes, ties: cmp.Or(c.Ties, tiesFirst)}
	how := fmt.Sprintf("%s, depth %d, ties %s", p.search, p.depth, p.ties)
	name := eval.Name + ", " + how
	if p.search == search.TextbookUCT {
		how = fmt.Sprintf("%s, nodes %d", p.search, p.nodes)
		name = how
	}
	return entrant[P]{
		Name: cmp.Or(c.Name, name), by: eval.Name,
		New:    func() player[P] { own := p; return &own },
		Limits: how,
		Varies: p.ties == tiesRandom || p.search == search.TextbookUCT,
	}, nil
}

func (p *textbookPlayer[P]) NewGame(_ context.Context, seed uint64) error {
	p.random = rand.New(rand.NewPCG(seed, 0))
	return nil
}

// Move scores every move by a search with the whole window, so that equal ones are
// known to be equal.
func (p *textbookPlayer[P]) Move(ctx context.Context, l *games.Line[P], _ Clocks) (engine.Answer, error) {
	root := l.Position()
	if p.search == search.TextbookUCT {
		return p.simulate(ctx, l)
	}
	before := append(l.History(), root)
	choice := engine.Answer{Score: -search.Win - 1, Depth: p.depth, Nodes: 1}
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
	choice.Move = p.among(ctx, before, best, &choice.Nodes)
	return choice, ctx.Err()
}

// simulate chooses by UCT. Its score is the mean result, of which a won game is all.
func (p *textbookPlayer[P]) simulate(ctx context.Context, l *games.Line[P]) (engine.Answer, error) {
	m, mean, nodes := search.SearchUCT(ctx, l.Position(), l.History(), p.nodes, p.random)
	return engine.Answer{Move: m, Score: int((2*mean - 1) * 100 * float64(p.game.UnitsPerWin)), Nodes: nodes}, ctx.Err()
}

// among chooses one of equal moves. before ends with the position that they are
// played in.
func (p *textbookPlayer[P]) among(ctx context.Context, before []P, equal []games.Move, nodes *int64) games.Move {
	root := before[len(before)-1]
	switch {
	case len(equal) == 1 || p.ties == tiesFirst:
	case p.ties == tiesRandom:
		return equal[p.random.IntN(len(equal))]
	case p.ties == tiesMirrored, p.ties == tiesColumns && p.game.SideToMove(root) == 1:
		return equal[len(equal)-1]
	case p.ties == tiesContinuation:
		return p.hopeful(ctx, before, equal, nodes)
	}
	return equal[0]
}

// hopeful is the first of the moves after which the best of the replies, for the
// mover, is worth most: what the move can bring if the opponent errs once.
func (p *textbookPlayer[P]) hopeful(ctx context.Context, before []P, equal []games.Move, nodes *int64) games.Move {
	chosen, most := equal[0], -search.Win-1
	for _, m := range equal {
		q := before[len(before)-1].Play(m)
		if _, over := q.Terminal(); over { // worth as much as the others, and nobody can err
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
