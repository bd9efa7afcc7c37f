// Package analysis grades the moves of recorded games: the winning chance or score of each
// move, the best move, the loss, and whether the move is in the book.
//
// [Game] analyses one record. [Games] analyses many and resumes after an interruption.
// [Write] writes the games with the findings in their comments, which any program for game
// records displays. [Analysed.Doc] describes a game.
//
// Scores are only as good as the searches. A move that seems bad is searched longer than
// the limits before it gets a mark.
package analysis

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

// Move is the analysis of a move. Scores are for the side that moves, in hundredths of the
// game's unit, as in package search.
type Move struct {
	Ply       int    `json:"ply"` // from 1
	Side      string `json:"side"`
	Name      string `json:"move"`
	Score     int    `json:"score"`
	Best      string `json:"best"` // the best move, possibly the one played
	BestScore int    `json:"best_score"`
	Loss      int    `json:"loss"` // BestScore minus Score
	// Chance and BestChance are the expected results of both moves in percent: the chance of a
	// win plus half the chance of a draw. They are 0 without a calibration ([engine.Kit.CalibrationOf]).
	Calibrated bool    `json:"calibrated"`
	Borrowed   bool    `json:"borrowed,omitempty"` // the calibration comes from the program's own weights
	Chance     float64 `json:"chance"`
	BestChance float64 `json:"best_chance"`
	Mark       Mark    `json:"mark,omitempty"`
	Opening    bool    `json:"opening,omitempty"` // of the opening of a match: not graded
	Book       bool    `json:"book"`              // the move is among the best of the book
	Depth      int     `json:"depth"`             // of the search in plies
	Proven     bool    `json:"proven"`            // the score of the best move is proven

	// Refutation is the line that refutes a move that is not the best: the move, and best play
	// of both sides after it.
	Refutation string `json:"refutation,omitempty"`
}

// Game analyses the moves of a record after the first skip moves, with an engine for the record's
// rules and a searcher of that engine. It proceeds from the last move to the first, so that the
// hash table already has the positions that a move leads to. Earlier searches in the table affect
// the findings. progress, which may be nil, is called with the findings so far, whose marks are
// provisional, and the total number of moves. Moves with the comment [games.OpeningComment] get no mark. Game fails if a move is illegal, the rules differ, a
// file of the engine has changed, or the context is done.
func Game[P search.Position[P]](
	ctx context.Context, e *engine.Engine[P], searcher engine.Searcher[P], rec games.Record[P], skip int, progress func(found []Move, total int),
) ([]Move, error) {
	g := e.Kit.Game
	if rules := g.RulesOf(rec.Start); rules != e.Rules {
		return nil, fmt.Errorf("the game is under %s rules: expected %s", rules, e.Rules)
	}
	line, err := g.Replay(rec)
	if err != nil {
		return nil, err
	}
	moves := make([]Move, len(rec.Moves)-skip)
	opening := openingPlies(rec)
	for i := range slices.Backward(moves) {
		line.Undo()
		p, m := line.Position(), rec.Moves[skip+i]
		opens := skip+i < opening
		examine := judge[P]
		if opens {
			examine = value[P]
		}
		found, err := examine(ctx, e, searcher, line, m.Move)
		if err != nil {
			return nil, err
		}
		found.Opening = opens
		found.Ply = skip + i + 1
		found.Side = g.Sides[g.SideToMove(p)]
		found.Book = inBook(e, p, m.Move)
		moves[i] = found
		if progress != nil {
			progress(moves[i:], len(moves))
		}
	}
	moves = slices.Clone(moves) // progress may still be reading the old slice
	return moves, excuse(ctx, e, searcher, line, moves, rec.Moves[skip:])
}

// openingPlies returns the number of moves at the beginning of a record that its players did not choose.
func openingPlies[P search.Position[P]](rec games.Record[P]) int {
	for i, m := range rec.Moves {
		if withoutAnalysis(m.Comment) != games.OpeningComment {
			return i
		}
	}
	return len(rec.Moves)
}

// value is judge without a mark.
func value[P search.Position[P]](ctx context.Context, e *engine.Engine[P], s engine.Searcher[P], l *games.Line[P], m games.Move) (Move, error) {
	found, err := compare(ctx, e, s, l, m, e.Spec.Search.Limits())
	found.Mark = good
	return found, err
}

// excuse limits the mark of a move to an inaccuracy if the engine would play it itself, from its
// book or by a search with an empty hash table, which cannot distinguish it from a good move. The
// book only excuses moves: its values are no grades. The line is before the first of the moves.
func excuse[P search.Position[P]](
	ctx context.Context, e *engine.Engine[P], searcher engine.Searcher[P], line *games.Line[P], moves []Move, played []games.MoveText,
) error {
	for i, m := range played {
		if found := &moves[i]; found.Mark == Mistake || found.Mark == Blunder {
			excused := found.Book
			if !excused {
				searcher.Clear()
				again, _, err := searchBest(ctx, searcher, line, e.Spec.Search.Limits())
				if err != nil {
					return err
				}
				excused = again.Best == m.Move
			}
			if excused {
				found.Mark = Inaccuracy
			}
		}
		if err := line.Play(m.Move); err != nil {
			return err
		}
	}
	return nil
}

// judge compares a move with the best one. Because a longer search may change the result, a move
// gets a mark only if both searches find it that bad, and then the milder mark.
func judge[P search.Position[P]](
	ctx context.Context, e *engine.Engine[P], s engine.Searcher[P], l *games.Line[P], m games.Move,
) (Move, error) {
	limits := e.Spec.Search.Limits()
	found, err := compare(ctx, e, s, l, m, limits)
	if err != nil || found.Mark == good {
		return found, err
	}
	again, err := compare(ctx, e, s, l, m, longer(limits))
	again.Mark = milder(found.Mark, again.Mark)
	return again, err
}

// milder returns the milder of two marks.
func milder(a, b Mark) Mark {
	marks := []Mark{good, Inaccuracy, Mistake, Blunder}
	return marks[min(slices.Index(marks, a), slices.Index(marks, b))]
}

// longer returns the limits of a search that verifies another.
func longer(l search.Limits) search.Limits {
	l.Nodes *= 4
	l.Time *= 4
	l.Soft *= 4
	if l.Depth > 0 {
		l.Depth += 2
	}
	return l
}

// compare compares a move with the best one by searches to the same depth, because scores at odd
// and even depths differ.
func compare[P search.Position[P]](
	ctx context.Context, e *engine.Engine[P], s engine.Searcher[P], l *games.Line[P], m games.Move, limits search.Limits,
) (Move, error) {
	g := e.Kit.Game
	p := l.Position()
	best, history, err := searchBest(ctx, s, l, limits)
	if err != nil {
		return Move{}, err
	}
	found := Move{
		Name:      g.MoveName(p, m),
		Best:      g.MoveName(p, best.Best),
		Score:     best.Score,
		BestScore: best.Score,
		Depth:     best.Depth,
		Proven:    best.Proven,
	}
	if best.Best == m {
		grade(e, p, &found)
		return found, nil
	}
	if !best.Proven {
		limits = search.Limits{Depth: max(1, best.Depth), Nodes: 4 * limits.Nodes, Time: 4 * limits.Time}
	}
	own, err := s.Search(ctx, p, history, limits, search.Query{Only: []games.Move{m}})
	found.Score = own.Score
	if own.Score >= best.Score { // no worse than the best
		found.Best = found.Name
		found.BestScore = own.Score
		found.Proven = own.Proven
	} else {
		found.Refutation = g.LineNames(p, own.PV)
	}
	found.Loss = found.BestScore - found.Score
	grade(e, p, &found)
	return found, err
}

// searchBest searches the position of a line, and returns the history that it used: none if the game
// continued although a draw could be claimed.
func searchBest[P search.Position[P]](
	ctx context.Context, s engine.Searcher[P], l *games.Line[P], limits search.Limits,
) (best search.Result, history []P, err error) {
	history = l.History()
	best, err = s.Search(ctx, l.Position(), history, limits, search.Query{})
	if err == nil && best.Terminal {
		history = nil
		best, err = s.Search(ctx, l.Position(), history, limits, search.Query{})
	}
	return best, history, err
}

// inBook reports whether the engine's book would play a move.
func inBook[P search.Position[P]](e *engine.Engine[P], p P, m games.Move) bool {
	if e.Book == nil {
		return false
	}
	moves := e.Book.Moves(p)
	best := slices.MaxFunc(append(moves, engine.BookMove{Points: -1 << 30}),
		func(a, b engine.BookMove) int { return a.Points - b.Points })
	return slices.ContainsFunc(moves,
		func(b engine.BookMove) bool { return b.Move == m && b.Points >= best.Points-e.Spec.Policy.Margin() })
}

// Mark grades a bad move.
type Mark string

// The marks. With calibrated weights they are for losses of expected result of at least 5, 10
// and 15 percentage points: the thresholds of lichess.org, 0.1, 0.2 and 0.3 on its scale from −1
// to 1. Otherwise they are for losses of score of at least 0.5, 1.5 and 4 units; a move that
// gives away a proven win or allows a proven loss is then a blunder.
const (
	good       Mark = ""
	Inaccuracy Mark = "inaccuracy"
	Mistake    Mark = "mistake"
	Blunder    Mark = "blunder"
)

// grade sets the chances and the mark of a move in a position.
func grade[P search.Position[P]](e *engine.Engine[P], p P, m *Move) {
	own, ok := e.Kit.Prospects(e.Eval, p, m.Score)
	m.Calibrated = ok
	if !ok {
		m.Mark = markOf(m.BestScore, m.Score)
		return
	}
	_, m.Borrowed = e.Kit.CalibrationOf(e.Eval)
	best, _ := e.Kit.Prospects(e.Eval, p, m.BestScore)
	m.Chance, m.BestChance = own.ExpectedResult(), best.ExpectedResult()
	m.Mark = markOfChance(m.lost())
}

// markBy returns the mark for a loss, given the least losses of the marks.
func markBy(loss, inaccuracy, mistake, blunder float64) Mark {
	switch {
	case loss >= blunder:
		return Blunder
	case loss >= mistake:
		return Mistake
	case loss >= inaccuracy:
		return Inaccuracy
	}
	return good
}

// markOfChance returns the mark for a loss of expected result in percentage points.
func markOfChance(lost float64) Mark { return markBy(lost, 5, 10, 15) }

// markOf returns the mark of a move by its score and the best move's.
func markOf(best, score int) Mark {
	switch {
	case search.Proven(best) && search.Proven(score) && (best > 0) == (score > 0):
		return good // the length of a win does not matter
	case search.Proven(best) && best > 0, search.Proven(score) && score < 0:
		return Blunder
	}
	return markBy(float64(best-score), 50, 150, 400)
}

// lost returns the loss of expected result in percentage points; 0 if unknown.
func (m Move) lost() float64 { return max(0, m.BestChance-m.Chance) }

// cost returns the loss by which moves are compared.
func (m Move) cost() float64 {
	if m.Calibrated {
		return m.lost()
	}
	return float64(m.Loss)
}

// Side summarizes the moves of a side.
type Side struct {
	Side string `json:"side"`
	// Accuracy is the mean of 103.1668·exp(−0.04354·lost) − 3.1669 over the moves, clamped to 0 to
	// 100, as on lichess.org, where lost is in percentage points. MeanLost is the mean of lost. Both
	// are nil if the weights are not calibrated.
	Accuracy     *float64 `json:"accuracy,omitempty"`
	MeanLost     *float64 `json:"mean_lost,omitempty"`
	MeanLoss     float64  `json:"mean_loss"` // of moves without proven scores, in hundredths of a unit
	Moves        int      `json:"moves"`
	Book         int      `json:"book"`
	Inaccuracies int      `json:"inaccuracies"`
	Mistakes     int      `json:"mistakes"`
	Blunders     int      `json:"blunders"`
	Worst        []int    `json:"worst"` // plies of the worst marked moves, at most three
}

// worstMoves is the maximum length of Side.Worst.
const worstMoves = 3

// Sides summarizes the moves of each side, without those of a match's opening.
func Sides(moves []Move, sides [2]string) (all []Side) {
	for _, name := range sides {
		all = append(all, sideOf(slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return m.Side != name || m.Opening }), name))
	}
	return all
}

func sideOf(moves []Move, name string) Side {
	s := Side{Side: name, Moves: len(moves)}
	counted := 0
	accuracy := 0.0
	lost := 0.0
	marks := map[Mark]*int{good: new(int), Inaccuracy: &s.Inaccuracies, Mistake: &s.Mistakes, Blunder: &s.Blunders}
	for _, m := range moves {
		*marks[m.Mark]++
		if m.Book {
			s.Book++
		}
		if !search.Proven(m.Score) && !search.Proven(m.BestScore) {
			counted++
			s.MeanLoss += float64(m.Loss)
		}
		lost += m.lost()
		accuracy += min(100, max(0, 103.1668*math.Exp(-0.04354*m.lost())-3.1669))
	}
	s.MeanLoss /= float64(max(counted, 1))
	if n := float64(len(moves)); n > 0 && moves[0].Calibrated {
		accuracy, lost = accuracy/n, lost/n
		s.Accuracy, s.MeanLost = &accuracy, &lost
	}
	bad := slices.DeleteFunc(moves, func(m Move) bool { return m.Mark == good })
	slices.SortStableFunc(bad, func(a, b Move) int { return cmp.Compare(b.cost(), a.cost()) })
	for _, m := range bad[:min(worstMoves, len(bad))] {
		s.Worst = append(s.Worst, m.Ply)
	}
	return s
}
