package analysis

import (
	"math"
	"slices"

	"kroo/engine"
	"kroo/engine/search"
)

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
	if m.Calibrated = ok; !ok {
		m.Mark = markOf(m.BestScore, m.Score)
		return
	}
	best, _ := e.Kit.Prospects(e.Eval, p, m.BestScore)
	m.Chance, m.BestChance = own.Expected(), best.Expected()
	m.Mark = markOfChance(m.lost())
}

// markOfChance returns the mark for a loss of expected result in percentage points.
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

// markOf returns the mark of a move by its score and that of the best move.
func markOf(best, score int) Mark {
	loss := best - score
	switch {
	case search.Proven(best) && search.Proven(score) && (best > 0) == (score > 0):
		return good // the length of a win does not matter
	case search.Proven(best) && best > 0, search.Proven(score) && score < 0, loss >= 400:
		return Blunder
	case loss >= 150:
		return Mistake
	case loss >= 50:
		return Inaccuracy
	}
	return good
}

// lost returns the loss of expected result in percentage points; 0 if unknown.
func (m Move) lost() float64 { return max(0, m.BestChance-m.Chance) }

// worse reports whether the move loses more by this finding than by another.
func (m Move) worse(than Move) bool {
	if m.Calibrated {
		return m.lost() > than.lost()
	}
	return m.Loss > than.Loss
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

// Sides summarizes the moves of each side.
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
