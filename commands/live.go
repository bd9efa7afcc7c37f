package commands

import (
	"fmt"

	"kroo/internal/plural"
	"kroo/match"
	"kroo/match/elo"
)

// matchProgress shows how a match stands.
func matchProgress(test *elo.SPRT) (update match.Progress, finish func()) {
	m := newMeter("match", "games")
	return func(done, total int64, s elo.Score) {
		m.update(2*done, 2*total, standing(s, test))
	}, m.finish
}

// tournamentProgress shows who leads a tournament.
func tournamentProgress() (update match.TournamentProgress, finish func()) {
	m := newMeter("tournament", "games")
	return func(done, total int64, standings []elo.Standing) {
		note := ""
		if len(standings) > 0 {
			first := standings[0]
			note = fmt.Sprintf("first %s %s", first.Name, first.Interval.Text(first.Elo, elo.Signed(0)))
		}
		m.update(2*done, 2*total, note)
	}, m.finish
}

// standing is the score so far in a few words.
func standing(s elo.Score, test *elo.SPRT) string {
	if s.Wins+s.Draws+s.Losses == 0 {
		return "" // not yet
	}
	lead, in := s.Elo()
	text := fmt.Sprintf("+%d =%d -%d, Elo %s", s.Wins, s.Draws, s.Losses, in.Text(lead, elo.Signed(0)))
	if n := s.Forfeits[0] + s.Forfeits[1]; n > 0 {
		text += ", " + plural.Of(n, "forfeit")
	}
	if test != nil {
		lower, upper := test.Bounds()
		text += fmt.Sprintf(", LLR %.2f (%.2f to %.2f)", test.LLR(s.Pairs), lower, upper)
	}
	return text
}
