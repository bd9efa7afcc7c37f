package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"kroo/match"
)

// matchProgress shows how a match stands: one line on a terminal that is
// written over, else a line on standard error every few seconds.
func matchProgress(label string, test *match.Test) (update func(done, total int64, s match.Score), finish func()) {
	m := &meter{label: label, unit: "games", now: time.Now}
	show, finish := m.gamesLine()
	return func(done, total int64, s match.Score) {
		m.note = standing(s, test)
		show(2*done, 2*total)
	}, finish
}

// tournamentProgress shows who leads a tournament.
func tournamentProgress() (update match.TournamentProgress, finish func()) {
	m := &meter{label: "tournament", unit: "games", now: time.Now}
	show, finish := m.gamesLine()
	return func(done, total int64, table []match.Standing) {
		m.note = ""
		if len(table) > 0 {
			m.note = fmt.Sprintf("first %s %+.0f ± %.0f", table[0].Name, table[0].Elo, table[0].Bar)
		}
		show(2*done, 2*total)
	}, finish
}

// gamesLine is the line on a terminal, or the lines elsewhere.
func (m *meter) gamesLine() (func(done, total int64), func()) {
	fd := int(os.Stderr.Fd())
	if !term.IsTerminal(fd) {
		return m.lines(os.Stderr)
	}
	return m.live(os.Stderr, func() int {
		width, _, err := term.GetSize(fd)
		if err != nil {
			return 0
		}
		return width
	})
}

// standing is the score so far in a few words.
func standing(s match.Score, test *match.Test) string {
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

// liveEvery is how often the line on a terminal changes at most.
const liveEvery = 100 * time.Millisecond

// live writes one line over and over, cut to the width of the terminal (0 if
// that is not known), so that it never wraps.
func (m *meter) live(w io.Writer, width func() int) (func(done, total int64), func()) {
	var shown time.Time
	stale := false
	show := func() {
		shown, stale = m.last, false
		line := []rune(m.line())
		if n := width(); n > 0 && len(line) >= n {
			line = line[:n-1]
		}
		fmt.Fprintf(w, "\r%s\x1b[K", string(line))
	}
	update := func(done, total int64) {
		m.update(done, total)
		stale = true
		if m.last.Sub(shown) >= liveEvery {
			show()
		}
	}
	return update, func() {
		if stale {
			show()
		}
		if !shown.IsZero() {
			fmt.Fprintln(w)
		}
	}
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
