package search

// A win found by a Prober has no known length. It scores tableWin, plus marginScore per
// seed of the guaranteed final difference, minus the plies from the root to the probe:
// above all heuristic scores, below all wins of known length.
const (
	tableWin    = 15_000
	marginScore = 10
)

// countsPlies reports whether a score is a win or loss in a known number of plies. A win
// found by a Prober is proven too, but its length is unknown.
func countsPlies(score int) bool { return score > Win-MaxPly-1 || score < -(Win-MaxPly-1) }

// probeEndgame scores a position after an irreversible move, if the Prober's bounds decide the
// game or are outside the window.
func (s *Searcher[P]) probeEndgame(p P, alpha, beta, ply int) (score int, ok bool) {
	if s.prober == nil {
		return 0, false
	}
	low, high, ok := s.prober.Final(p)
	if !ok {
		return 0, false
	}
	draw := s.drawScore[ply&1]
	if score, ok := DecidedScore(low, high); ok {
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

// DecidedScore returns the score of a game whose final difference is between low and high, if
// that decides it: a win or loss of unknown length, or 0.
func DecidedScore(low, high int) (score int, ok bool) {
	switch {
	case low > 0:
		return tableWin + marginScore*low, true
	case high < 0:
		return -tableWin + marginScore*high, true
	}
	return 0, low == 0 && high == 0
}
