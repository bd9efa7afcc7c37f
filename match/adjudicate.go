package match

import (
	"fmt"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
)

// maxStreak is the maximum streak of moves in an adjudication rule.
const maxStreak = 1000

// AdjudicateWin ends a game as won when both players have reported in Moves consecutive moves each
// that the same player leads by at least Score centi-seeds, in scores of the search (package
// kroo/features/oware converts them to seeds at the end). The zero value disables it.
type AdjudicateWin struct {
	Score int // centi-seeds, 1 to 20000
	Moves int // of each player, 1 to 1000
}

// AdjudicateDraw ends a game as drawn when both players have reported in Moves consecutive moves
// each a score of at most Score centi-seeds for either side, all after the first Plies plies of the
// game. The zero value disables it.
type AdjudicateDraw struct {
	Score int // centi-seeds, 0 to 10000
	Moves int // of each player, 1 to 1000
	Plies int // opening included, 0 or more
}

// UnmarshalText reads "SCORE:MOVES", such as "400:6".
func (a *AdjudicateWin) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%d:%d", &a.Score, &a.Moves)
	if again, _ := a.MarshalText(); err != nil || string(again) != string(text) {
		return errWin
	}
	return a.check()
}

// UnmarshalText reads "SCORE:MOVES:PLIES", such as "10:20:60".
func (a *AdjudicateDraw) UnmarshalText(text []byte) error {
	_, err := fmt.Sscanf(string(text), "%d:%d:%d", &a.Score, &a.Moves, &a.Plies)
	if again, _ := a.MarshalText(); err != nil || string(again) != string(text) {
		return errDraw
	}
	return a.check()
}

var (
	errWin  = fmt.Errorf("a win by score: expected SCORE:MOVES, centi-seeds from 1 to %d and moves from 1 to %d, such as 400:6", search.Win, maxStreak)
	errDraw = fmt.Errorf("a draw by score: expected SCORE:MOVES:PLIES, centi-seeds from 0 to %d, moves from 1 to %d and plies from 0, such as 10:20:60", search.MaxHeuristic, maxStreak)
)

// MarshalText writes the format of UnmarshalText, "" for the zero value.
func (a AdjudicateWin) MarshalText() ([]byte, error) {
	if a == (AdjudicateWin{}) {
		return nil, nil
	}
	return fmt.Appendf(nil, "%d:%d", a.Score, a.Moves), nil
}

// MarshalText writes the format of UnmarshalText, "" for the zero value.
func (a AdjudicateDraw) MarshalText() ([]byte, error) {
	if a == (AdjudicateDraw{}) {
		return nil, nil
	}
	return fmt.Appendf(nil, "%d:%d:%d", a.Score, a.Moves, a.Plies), nil
}

func (a AdjudicateWin) check() error {
	if a != (AdjudicateWin{}) && (a.Score < 1 || a.Score > search.Win || a.Moves < 1 || a.Moves > maxStreak) {
		return errWin
	}
	return nil
}

func (a AdjudicateDraw) check() error {
	if a != (AdjudicateDraw{}) &&
		(a.Score < 0 || a.Score > search.MaxHeuristic || a.Moves < 1 || a.Moves > maxStreak || a.Plies < 0) {
		return errDraw
	}
	return nil
}

// fromScores returns the first side's half-points if the scores that the players report decide the game.
func (m *match[P]) fromScores(l *games.Line[P], answers []engine.Answer) (halfPoints int, ok bool) {
	if winner, won := m.AdjudicateWin.winner(answers, m.Game.SideToMove(l.Position())); won {
		return 2 - 2*winner, true
	}
	return 1, m.AdjudicateDraw.isDraw(answers, l.Plies())
}

// fromTables returns the first side's half-points if the tables decide the game: right after an
// irreversible move, when no position can recur.
func (m *match[P]) fromTables(l *games.Line[P]) (halfPoints int, ok bool) {
	if m.Adjudicator == nil {
		return 0, false
	}
	p := l.Position()
	if h := l.History(); len(h) > 0 && h[len(h)-1].Progress() == p.Progress() {
		return 0, false
	}
	low, high, ok := m.Adjudicator.Final(p)
	if !ok {
		return 0, false
	}
	score, decided := search.DecidedScore(low, high)
	switch {
	case score == 0:
		halfPoints = 1
	case score > 0 == (m.Game.SideToMove(p) == 0):
		halfPoints = 2
	}
	return halfPoints, decided
}

// winner returns the side that the last answers adjudicate as the winner, if any; toMove is the side
// to move after them.
func (a AdjudicateWin) winner(answers []engine.Answer, toMove int) (side int, won bool) {
	streak, ok := reports(answers, a.Moves)
	if !ok {
		return 0, false
	}
	mover := toMove // of the first of the streak too, which has an even number of moves
	winner := mover
	if streak[0].Score < 0 {
		winner = 1 - mover
	}
	for _, n := range streak {
		lead := n.Score
		if mover != winner {
			lead = -lead
		}
		if lead < a.Score {
			return 0, false
		}
		mover = 1 - mover
	}
	return winner, true
}

// isDraw reports whether the last answers adjudicate the game, plies long so far, as a draw.
func (a AdjudicateDraw) isDraw(answers []engine.Answer, plies int) bool {
	streak, ok := reports(answers, a.Moves)
	if !ok || plies-len(streak) < a.Plies {
		return false
	}
	for _, n := range streak {
		if max(n.Score, -n.Score) > a.Score {
			return false
		}
	}
	return true
}

// reports returns the last answers of moves moves of each player; ok is false if there are fewer or
// not all come from a search. An answer of depth 0 does not: it is a book move, or from a player who
// reports no scores.
func reports(answers []engine.Answer, moves int) (streak []engine.Answer, ok bool) {
	if moves < 1 || len(answers) < 2*moves {
		return nil, false
	}
	streak = answers[len(answers)-2*moves:]
	for _, n := range streak {
		if n.Depth < 1 {
			return nil, false
		}
	}
	return streak, true
}
