package search

// Prober knows the end of some games, as a table of endings does.
type Prober[P any] interface {
	// Final gives bounds of the final difference for the player to move, as of
	// Terminal, for a position that nothing before it can recur after. ok is
	// false if nothing is known of it.
	Final(p P) (low, high int, ok bool)
}

// A win that a Prober knows of has no known number of plies. It scores tableWin
// and marginScore for each seed that it is sure of, less the plies to where it
// was found: above every heuristic value, below every win that was seen to the
// end.
const (
	tableWin    = 15_000
	marginScore = 10
)

// seen tells whether a score is that of a win or loss that the search has seen
// to the end. One that a Prober tells of is proven too, but a game is not won
// by knowing that it could be.
func seen(score int) bool { return score > Win-MaxPly-1 || score < -(Win-MaxPly-1) }

// SetProber makes the searcher use what is known of endings, nil for nothing.
// It forgets all earlier searches.
func (s *Searcher[P]) SetProber(pr Prober[P]) {
	s.prober = pr
	for _, h := range s.helpers {
		h.prober = pr
	}
	s.Clear()
}

// known gives the score of a position after a capture, in which nothing can
// recur, if a Prober decides the game there or bounds it out of the window.
func (s *Searcher[P]) known(p P, alpha, beta, ply int) (score int, ok bool) {
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

// Decided is the score of a game whose final difference is known to lie between
// two bounds, if that decides it: a win or loss of unknown length, or 0.
func Decided(low, high int) (score int, ok bool) {
	switch {
	case low > 0:
		return tableWin + marginScore*low, true
	case high < 0:
		return -tableWin + marginScore*high, true
	}
	return 0, low == 0 && high == 0
}
