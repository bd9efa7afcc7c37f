package search

// Prober knows how some games end, as an endgame table does.
type Prober[P any] interface {
	// Final gives bounds of the final difference for the side to move, as of
	// Terminal, in a position to which no earlier one can return. ok is false
	// if it knows nothing.
	Final(p P) (low, high int, ok bool)
}

// A win that comes from a Prober has no known number of plies. It scores
// tableWin, plus marginScore a seed of the sure final difference, less the
// plies from the root to the probe: above every heuristic score, below every win
// that the search sees to its end.
const (
	tableWin    = 15_000
	marginScore = 10
)

// countsPlies tells whether a score is a win or loss in a known number of plies. A win
// that a Prober knows is proven too, but does not say how to get there.
func countsPlies(score int) bool { return score > Win-MaxPly-1 || score < -(Win-MaxPly-1) }

// probe scores a position after an irreversible move, if the Prober knows who
// wins or bounds the score out of the window.
func (s *Searcher[P]) probe(p P, alpha, beta, ply int) (score int, ok bool) {
	if s.prober == nil {
		return 0, false
	}
	low, high, ok := s.prober.Final(p)
	if !ok {
		return 0, false
	}
	draw := s.draw[ply&1]
	if score, ok := Decided(low, high); ok {
		switch {
		case score > 0:
			return score - ply, true
		case score < 0:
			return score + ply, true
		}
		return draw, true
	}
	switch {
	case low == 0:
		return draw, draw >= beta
	case high == 0:
		return draw, draw <= alpha
	}
	return 0, false
}

// Decided is the score of a game whose final difference lies between two
// bounds, if they decide it: a win or loss of unknown length, or 0.
func Decided(low, high int) (score int, ok bool) {
	switch {
	case low > 0:
		return tableWin + marginScore*low, true
	case high < 0:
		return -tableWin + marginScore*high, true
	}
	return 0, low == 0 && high == 0
}
