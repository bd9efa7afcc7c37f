package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"kroo/match"
	"kroo/match/elo"
)

// matchProgress shows how a match stands.
func matchProgress(test *elo.SPRT) (update match.Progress, finish func()) {
	m := &meter{label: "match", unit: "games", now: time.Now}
	show, finish := m.show()
	return func(done, total int64, s elo.Score) {
		m.note = standing(s, test)
		show(2*done, 2*total)
	}, finish
}

// tournamentProgress shows who leads a tournament.
func tournamentProgress() (update match.TournamentProgress, finish func()) {
	m := &meter{label: "tournament", unit: "games", now: time.Now}
	show, finish := m.show()
	return func(done, total int64, standings []elo.Standing) {
		m.note = ""
		if len(standings) > 0 {
			m.note = fmt.Sprintf("first %s %+.0f ± %.0f", standings[0].Name, standings[0].Elo, standings[0].Bar)
		}
		show(2*done, 2*total)
	}, finish
}

// show is a bar on a terminal, lines elsewhere.
func (m *meter) show() (update func(done, total int64), finish func()) {
	if term.IsTerminal(int(os.Stderr.Fd())) {
		return m.bar(os.Stderr)
	}
	return m.lines(os.Stderr)
}

// standing is the score so far in a few words.
func standing(s elo.Score, test *elo.SPRT) string {
	lead, bar := s.Elo()
	text := fmt.Sprintf("+%d =%d -%d, Elo %+.0f ± %.0f", s.Wins, s.Draws, s.Losses, lead, bar)
	if n := s.Forfeits[0] + s.Forfeits[1]; n > 0 {
		text += fmt.Sprintf(", %d forfeits", n)
	}
	if test != nil {
		lower, upper := test.Bounds()
		text += fmt.Sprintf(", LLR %.2f (%.2f to %.2f)", test.LLR(s.Pairs), lower, upper)
	}
	return text
}

// line is all there is to say.
func (m *meter) line() string {
	parts := []string{fmt.Sprintf("%s: %d/%d %s", m.label, m.done, m.total, m.unit)}
	for _, part := range []string{m.note, m.speed()} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	return strings.Join(parts, ", ")
}
