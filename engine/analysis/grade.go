package analysis

import (
	"math"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
)

// Mark says how bad a move is.
type Mark string

// The marks. With calibrated weights a move has one by the expected result that it loses, from
// 5, 10 or 15 percentage points on: the limits of lichess.org, which takes 0.1, 0.2 and 0.3 on its
// scale from −1 to 1. Else it has one by the score that it loses, from half a unit, one and a
// half, or four units on; then a move that turns a proven win into something else, or allows a
// proven loss, is a blunder.
const (
	good       Mark = ""
	Inaccuracy Mark = "inaccuracy"
	Mistake    Mark = "mistake"
	Blunder    Mark = "blunder"
)

// grade fills in the chances of a move in a position, and its mark.
func grade[P search.Position[P]](e *engine.Engine[P], p P, m *Move) {
	own, ok := e.Kit.Prospects(e.Eval, p, m.Score)
	if m.Calibrated = ok; !ok {
		m.Mark = markOf(m.BestScore, m.Score)
		return
	}
	best, _ := e.Kit.Prospects(e.Eval, p, m.BestScore)
	m.Chance, m.BestChance = own.Expected(), best.Expected()
	m.Mark = markOfChance(m.lost())
}

// markOfChance is the mark of a move by the percentage points of expected result that it loses.
func markOfChance(lost float64) Mark {
	switch {
	case lost >= 15:
		return Blunder
	case lost >= 10:
		return Mistake
	case lost >= 5:
		return Inaccuracy
	}
	return good
}

// markOf is the mark of a move that reaches a score where there was a better one.
func markOf(best, score int) Mark {
	loss := best - score
	switch {
	case search.Proven(best) && search.Proven(score) && (best > 0) == (score > 0):
		return good // a win is a win, sooner or later
	case search.Proven(best) && best > 0, search.Proven(score) && score < 0, loss >= 400:
		return Blunder
	case loss >= 150:
		return Mistake
	case loss >= 50:
		return Inaccuracy
	}
	return good
}

// lost is the expected result that a move loses, in percentage points; 0 where it is not known.
func (m Move) lost() float64 { return max(0, m.BestChance-m.Chance) }

// worse reports whether a move loses more than another finding says of it.
func (m Move) worse(than Move) bool {
	if m.Calibrated {
		return m.lost() > than.lost()
	}
	return m.Loss > than.Loss
}

// Side sums up the moves of a side.
type Side struct {
	Side string `json:"side"`
	// Accuracy is the mean of 103.1668·exp(−0.04354·lost) − 3.1669 over the moves, between 0 and 100, as
	// lichess.org has it, lost in percentage points. MeanLost is the mean of these points. Both are nil if the weights are not calibrated.
	Accuracy     *float64 `json:"accuracy,omitempty"`
	MeanLost     *float64 `json:"mean_lost,omitempty"`
	MeanLoss     float64  `json:"mean_loss"` // of scores that are not proven, hundredths of a unit
	Moves        int      `json:"moves"`
	Book         int      `json:"book"`
	Inaccuracies int      `json:"inaccuracies"`
	Mistakes     int      `json:"mistakes"`
	Blunders     int      `json:"blunders"`
	Worst        []int    `json:"worst"` // plies of the moves with a mark that lose most, three at most
}

// worstMoves is how many of the worst moves of a side are named.
const worstMoves = 3

// Sides sums up the moves of each side.
func Sides(moves []Move, sides [2]string) (all []Side) {
	for _, name := range sides {
		all = append(all, sideOf(slices.DeleteFunc(slices.Clone(moves), func(m Move) bool { return m.Side != name }), name))
	}
	return all
}

func sideOf(moves []Move, name string) Side {
	s := Side{Side: name, Moves: len(moves)}
	counted, accuracy, lost := 0, 0.0, 0.0
	for _, m := range moves {
		switch m.Mark {
		case Inaccuracy:
			s.Inaccuracies++
		case Mistake:
			s.Mistakes++
		case Blunder:
			s.Blunders++
		}
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
	slices.SortStableFunc(bad, func(a, b Move) int {
		switch {
		case a.worse(b):
			return -1
		case b.worse(a):
			return 1
		}
		return 0
	})
	for _, m := range bad[:min(worstMoves, len(bad))] {
		s.Worst = append(s.Worst, m.Ply)
	}
	return s
}
