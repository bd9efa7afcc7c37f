// Package analysis says of every move of a recorded game what it was worth: its chance to
// win, or its score, the best move, what it lost, whether the book has it.
//
// [Game] analyses one record, [Games] many, and continues where an earlier call was stopped.
// [Write] writes the games with the findings in their comments, which any program that
// reads game records shows; [Analysed.Print] writes a table.
//
// Caveats: scores are as good as the searches. A move that seems bad is searched longer
// than the limits say before it gets a mark.
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

// Move is what there is to say of a move. Scores are for the side that makes it, in
// hundredths of the game's unit, as package search has them.
type Move struct {
	Ply       int    `json:"ply"` // from 1
	Side      string `json:"side"`
	Name      string `json:"move"`
	Score     int    `json:"score"`
	Best      string `json:"best"` // the best move, which may be the one played
	BestScore int    `json:"best_score"`
	Loss      int    `json:"loss"` // BestScore minus Score
	// Chance and BestChance are the expected results of the two, in percent: the chance of a win, and
	// half that of a draw. They are unknown, and 0, unless the weights are calibrated.
	Calibrated bool    `json:"calibrated"`
	Chance     float64 `json:"chance"`
	BestChance float64 `json:"best_chance"`
	Mark       Mark    `json:"mark,omitempty"`
	Book       bool    `json:"book"`   // the book has the move among its best
	Depth      int     `json:"depth"`  // plies of the search
	Proven     bool    `json:"proven"` // the result of the best move is certain

	// Refutation is the line that shows what is wrong with a move: the move, and best play
	// of both sides after it.
	Refutation string `json:"refutation,omitempty"`
}

// Game analyses the moves of a record but the first skip, with an engine for its rules and a
// searcher of that engine. It goes from the last move to the first, so that the hash table already knows
// where a move leads. What the table has from earlier searches changes the findings.
// progress, which may be nil, is called with what was found of the last moves, whose marks are not
// yet certain, and how many moves there are. Errors are an illegal move, another rule set, a file of the engine that was
// changed, or the context's.
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
	moves = slices.Clone(moves) // progress may be reading those
	return moves, excuse(ctx, e, searcher, line, moves, rec.Moves[skip:])
}

// excuse leaves at most an inaccuracy of a move that the engine makes itself, by its book or
// when it sees the position for the first time: its search does not say such a move from a
// good one. A book only excuses: what its values say is no grade. The line is at the first of
// the moves.
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

// judge compares a move with the best one. A search errs by what a longer one changes: a
// move gets a mark only if both find it that bad, and then the milder one.
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

// longer are the limits of a search that checks another.
func longer(l search.Limits) search.Limits {
	l.Nodes, l.Time, l.Soft = 4*l.Nodes, 4*l.Time, 4*l.Soft
	if l.Depth > 0 {
		l.Depth += 2
	}
	return l
}

// compare compares a move with the best one by searches to the same depth: a score after
// an odd number of plies differs from one after an even number.
func compare[P search.Position[P]](ctx context.Context, e *engine.Engine[P], s engine.Searcher[P], l *games.Line[P], m games.Move, limits search.Limits) (Move, error) {
	g, p, history := e.Kit.Game, l.Position(), l.History()
	best, err := s.Search(ctx, p, history, limits, search.Query{})
	if err == nil && best.Terminal { // a draw that nobody claimed, as the game went on
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
	if found.Score = own.Score; own.Score >= best.Score { // as good as the best
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
	return slices.ContainsFunc(moves, func(b engine.BookMove) bool { return b.Move == m && b.Points >= best.Points-e.Spec.Policy.Margin })
}

// label begins what Annotate writes into a comment, behind what was there.
const label = "analysis:"

// annotate is the record with the findings in its comments, behind what they said before.
// An earlier analysis is replaced.
func annotate[P games.Position[P]](rec games.Record[P], moves []Move) games.Record[P] {
	rec.Moves = slices.Clone(rec.Moves)
	for i := range min(len(moves), len(rec.Moves)) {
		before, _, _ := strings.Cut(rec.Moves[i].Comment, label)
		rec.Moves[i].Comment = strings.TrimSpace(strings.TrimSpace(before) + " " + label + " " + moves[i].String())
	}
	return rec
}

// String is what the comment of a move says.
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

// worth is what the move is worth: what is certain, else its chance, "64 %", else its score.
func (m Move) worth() string { return m.worthOf(m.Score, m.Chance) }

func (m Move) bestWorth() string { return m.worthOf(m.BestScore, m.BestChance) }

func (m Move) worthOf(score int, chance float64) string {
	if !m.Calibrated || search.Proven(score) {
		return Score(score)
	}
	return fmt.Sprintf("%.0f %%", chance)
}

// Score is a score in units, "+0.35", or what is certain: "wins" or "loses".
func Score(score int) string {
	switch {
	case search.Proven(score) && score > 0:
		return "wins"
	case search.Proven(score):
		return "loses"
	}
	return fmt.Sprintf("%+.2f", float64(score)/100)
}
