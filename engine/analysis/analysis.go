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
	"context"
	"fmt"
	"slices"
	"strings"

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
	// win plus half the chance of a draw. They are 0 unless the weights are calibrated.
	Calibrated bool    `json:"calibrated"`
	Chance     float64 `json:"chance"`
	BestChance float64 `json:"best_chance"`
	Mark       Mark    `json:"mark,omitempty"`
	Book       bool    `json:"book"`   // the move is among the best of the book
	Depth      int     `json:"depth"`  // of the search in plies
	Proven     bool    `json:"proven"` // the score of the best move is proven

	// Refutation is the line that refutes a move that is not the best: the move, and best play
	// of both sides after it.
	Refutation string `json:"refutation,omitempty"`
}

// Game analyses the moves of a record after the first skip moves, with an engine for the record's
// rules and a searcher of that engine. It proceeds from the last move to the first, so that the
// hash table already has the positions that a move leads to. Earlier searches in the table affect
// the findings. progress, which may be nil, is called with the findings so far, whose marks are
// provisional, and the total number of moves. Game fails if a move is illegal, the rules differ, a
// file of the engine has changed, or the context is done.
func Game[P search.Position[P]](ctx context.Context, e *engine.Engine[P], searcher engine.Searcher[P], rec games.Record[P], skip int, progress func(found []Move, total int)) ([]Move, error) {
	g := e.Kit.Game
	if rules := g.RulesOf(rec.Start); rules != e.Rules {
		return nil, fmt.Errorf("the game is under %s rules: expected %s", rules, e.Rules)
	}
	line, err := g.Replay(rec)
	if err != nil {
		return nil, err
	}
	moves := make([]Move, len(rec.Moves)-skip)
	for i := range slices.Backward(moves) {
		line.Undo()
		p, m := line.Position(), rec.Moves[skip+i]
		found, err := judge(ctx, e, searcher, line, m.Move)
		if err != nil {
			return nil, err
		}
		found.Ply, found.Side, found.Book = skip+i+1, g.Sides[g.SideToMove(p)], inBook(e, p, m.Move)
		moves[i] = found
		if progress != nil {
			progress(moves[i:], len(moves))
		}
	}
	moves = slices.Clone(moves) // progress may still be reading the old slice
	return moves, excuse(ctx, e, searcher, line, moves, rec.Moves[skip:])
}

// excuse limits the mark of a move to an inaccuracy if the engine would play it itself, from its
// book or by a search with an empty hash table, which cannot distinguish it from a good move. The
// book only excuses moves: its values are no grades. The line is before the first of the moves.
func excuse[P search.Position[P]](ctx context.Context, e *engine.Engine[P], searcher engine.Searcher[P], line *games.Line[P], moves []Move, played []games.MoveText) error {
	for i, m := range played {
		if found := &moves[i]; found.Mark == Mistake || found.Mark == Blunder {
			searcher.Clear()
			again, err := searcher.Search(ctx, line.Position(), line.History(), e.Spec.Search.Limits(), search.Query{})
			if err != nil {
				return err
			}
			if found.Book || again.Best == m.Move {
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
func judge[P search.Position[P]](ctx context.Context, e *engine.Engine[P], s engine.Searcher[P], l *games.Line[P], m games.Move) (Move, error) {
	limits := e.Spec.Search.Limits()
	found, err := compare(ctx, e, s, l, m, limits)
	if err != nil || found.Mark == good {
		return found, err
	}
	again, err := compare(ctx, e, s, l, m, longer(limits))
	if again.worse(found) {
		again.Mark = found.Mark
	}
	return again, err
}

// longer returns the limits of a search that verifies another.
func longer(l search.Limits) search.Limits {
	l.Nodes, l.Time, l.Soft = 4*l.Nodes, 4*l.Time, 4*l.Soft
	if l.Depth > 0 {
		l.Depth += 2
	}
	return l
}

// compare compares a move with the best one by searches to the same depth, because scores at odd
// and even depths differ.
func compare[P search.Position[P]](ctx context.Context, e *engine.Engine[P], s engine.Searcher[P], l *games.Line[P], m games.Move, limits search.Limits) (Move, error) {
	g, p, history := e.Kit.Game, l.Position(), l.History()
	best, err := s.Search(ctx, p, history, limits, search.Query{})
	if err == nil && best.Terminal { // a draw not claimed: the game continued
		history = nil
		best, err = s.Search(ctx, p, history, limits, search.Query{})
	}
	if err != nil {
		return Move{}, err
	}
	found := Move{Name: g.MoveName(p, m), Best: g.MoveName(p, best.Best), Score: best.Score, BestScore: best.Score, Depth: best.Depth, Proven: best.Proven}
	if best.Best == m {
		grade(e, p, &found)
		return found, nil
	}
	if !best.Proven {
		limits = search.Limits{Depth: max(1, best.Depth), Nodes: 4 * limits.Nodes, Time: 4 * limits.Time}
	}
	own, err := s.Search(ctx, p, history, limits, search.Query{Only: []games.Move{m}})
	if found.Score = own.Score; own.Score >= best.Score { // no worse than the best
		found.Best, found.BestScore, found.Proven = found.Name, own.Score, own.Proven
	} else {
		found.Refutation = g.LineNames(p, own.PV)
	}
	found.Loss = found.BestScore - found.Score
	grade(e, p, &found)
	return found, err
}

// inBook reports whether the engine's book would play a move.
func inBook[P search.Position[P]](e *engine.Engine[P], p P, m games.Move) bool {
	if e.Book == nil {
		return false
	}
	moves := e.Book.Moves(p)
	best := slices.MaxFunc(append(moves, engine.BookMove{Points: -1 << 30}), func(a, b engine.BookMove) int { return a.Points - b.Points })
	return slices.ContainsFunc(moves, func(b engine.BookMove) bool { return b.Move == m && b.Points >= best.Points-e.Spec.Policy.Margin() })
}

// label is the start of what annotate appends to a comment.
const label = "analysis:"

// annotate returns the record with the findings appended to its comments. An earlier analysis is
// replaced.
func annotate[P games.Position[P]](rec games.Record[P], moves []Move) games.Record[P] {
	rec.Moves = slices.Clone(rec.Moves)
	for i := range min(len(moves), len(rec.Moves)) {
		before, _, _ := strings.Cut(rec.Moves[i].Comment, label)
		rec.Moves[i].Comment = strings.TrimSpace(strings.TrimSpace(before) + " " + label + " " + moves[i].String())
	}
	return rec
}

// String returns the findings as text, for the comment of the move.
func (m Move) String() string {
	text := m.worth()
	if m.Book {
		text += ", book"
	}
	if m.Best != m.Name {
		text += fmt.Sprintf(", best %s %s", m.Best, m.bestWorth())
	}
	if m.Mark != good {
		text += ", " + string(m.Mark)
	}
	return text
}

// worth returns "wins" or "loses" if the score is proven, else the chance, "64 %", or the score.
func (m Move) worth() string { return m.worthOf(m.Score, m.Chance) }

func (m Move) bestWorth() string { return m.worthOf(m.BestScore, m.BestChance) }

func (m Move) worthOf(score int, chance float64) string {
	if !m.Calibrated || search.Proven(score) {
		return Score(score)
	}
	return fmt.Sprintf("%.0f %%", chance)
}

// Score formats a score in units, "+0.35", or as "wins" or "loses" if it is proven.
func Score(score int) string {
	switch {
	case search.Proven(score) && score > 0:
		return "wins"
	case search.Proven(score):
		return "loses"
	}
	return fmt.Sprintf("%+.2f", float64(score)/100)
}
