package commands

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"kroo/internal/wording"
)

// meter shows how far a piece of work is, with its rate and the time to go: a
// bar on a terminal, else a line on standard error every few seconds. It is
// for one goroutine at a time.
type meter struct {
	label, unit string
	out         io.Writer
	width       func() int // of the terminal, 0 if unknown; nil where nothing can be drawn
	now         func() time.Time
	toGo        func() string // of all that this work is a part of; nil for the work alone

	begin, last, said  time.Time // begin is zero before the first update
	first, done, total int64     // first was done before this program began
	note               string    // what else there is to say
}

// newMeter is a meter on standard error.
func newMeter(label, unit string) *meter {
	return &meter{label: label, unit: unit, out: os.Stderr, now: time.Now, width: terminalWidth()}
}

// terminalWidth reports how wide the terminal is that standard error is, 0 if it does not say;
// nil for no terminal, and for one that knows no escape sequences.
func terminalWidth() func() int {
	fd := int(os.Stderr.Fd())
	if !term.IsTerminal(fd) || os.Getenv("TERM") == "dumb" {
		return nil
	}
	return func() int {
		width, _, _ := term.GetSize(fd)
		return width
	}
}

// The pauses between two bars, and between two lines where there is no terminal.
const (
	barEvery = 100 * time.Millisecond
	logEvery = 5 * time.Second
	firstLog = 2 * time.Second // after the beginning
)

// update shows what is done of what total, with a note. The first is told before the work
// begins: it is what was done before.
func (m *meter) update(done, total int64, note string) {
	m.last = m.now()
	begun := !m.begin.IsZero()
	if !begun {
		m.begin, m.said, m.first = m.last, m.last, done
	}
	m.done, m.total, m.note = done, total, note
	switch {
	case m.width != nil && (!begun || m.last.Sub(m.said) >= barEvery):
		m.draw()
	case m.width == nil && m.last.Sub(m.said) >= logEvery, m.width == nil && m.said == m.begin && m.last.Sub(m.begin) >= firstLog:
		m.say()
	}
}

// finish ends the bar, or says in a last line how far the work came. Short work
// without a terminal needs no lines.
func (m *meter) finish() {
	if m.begin.IsZero() {
		return
	}
	if m.width != nil {
		m.draw()
		fmt.Fprintln(m.out)
	} else if m.said != m.begin && m.said != m.last {
		m.say()
	}
}

// defaultWidth is that of a terminal that does not say.
const defaultWidth = 80

// draw writes the bar over the one before. The terminal does not wrap it, whatever the width
// of its letters is.
func (m *meter) draw() {
	m.said = m.last
	fmt.Fprint(m.out, "\r\x1b[?7l"+m.line(cmp.Or(m.width(), defaultWidth)-1)+"\x1b[K\x1b[?7h")
}

// part is something that a bar says. Where there is no room, the parts of the highest rank are
// left out first.
type part struct {
	text string
	rank int
}

// parts are what there is to say. The label comes first, and is never left out.
func (m *meter) parts() []part {
	all := []part{{m.label, 0}}
	for i, text := range strings.Split(m.note, "; ") { // all but its first piece give way to the count
		rank := 2
		if i > 0 {
			rank = 5 + i
		}
		all = append(all, part{text, rank})
	}
	all = append(all, part{m.count(), 3}, part{m.rate(""), 4}, part{m.left(), 1})
	if m.first > 0 {
		all = append(all, part{fmt.Sprintf("%d %s done before", m.first, unitFor(m.first, m.unit)), 5})
	}
	return slices.DeleteFunc(all, func(p part) bool { return p.text == "" && p.rank > 0 })
}

// Columns of the bar itself.
const (
	shortestBar = 5
	longestBar  = 20
)

// line is what fits into a given number of columns: as much as there is to say, how much is done, and
// a bar in the room that is left.
func (m *meter) line(columns int) string {
	percent, _, _ := strings.Cut(m.bar(0), " |")
	room := columns - width(percent)
	parts := m.parts()
	for len(parts) > 1 && width(joined(parts)) > room {
		least := slices.MaxFunc(parts, func(a, b part) int { return cmp.Compare(a.rank, b.rank) })
		parts = slices.DeleteFunc(parts, func(p part) bool { return p == least })
	}
	text := joined(parts)
	if bar := min(columns-width(text+m.bar(0)), longestBar); bar >= shortestBar {
		return text + m.bar(bar)
	}
	if width(text) > room {
		text = cut(text, room-1) + "…"
	}
	return cut(text+percent, columns)
}

// bar is how much is done, and a bar of a given number of columns: "  37% |███     |".
func (m *meter) bar(columns int) string {
	bar := progressbar.NewOptions64(max(m.total, 1), progressbar.OptionSetWriter(io.Discard), progressbar.OptionSetWidth(columns),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false))
	bar.Set64(max(min(m.done, m.total), 0))
	bar.RenderBlank()
	return strings.TrimRight(strings.TrimPrefix(bar.String(), "\r"), " ")
}

func joined(parts []part) string {
	var texts []string
	for _, p := range parts {
		texts = append(texts, p.text)
	}
	return strings.Join(texts, ", ")
}

func width(text string) int { return utf8.RuneCountInString(text) }

// cut is the beginning of a text, as much as fits into a given number of columns.
func cut(text string, columns int) string {
	letters := []rune(text)
	return string(letters[:max(min(columns, len(letters)), 0)])
}

// say writes a line.
func (m *meter) say() {
	m.said = m.last
	parts := slices.DeleteFunc([]string{m.note, m.count(), m.rate(m.unit), m.left()}, func(s string) bool { return s == "" })
	fmt.Fprintln(m.out, m.label+": "+strings.Join(parts, ", "))
}

// count is how much is done of how much.
func (m *meter) count() string {
	return fmt.Sprintf("%d/%d %s", m.done, m.total, unitFor(m.total, m.unit))
}

// perSecond is how fast the work gets on, 0 if that is not known yet. What a journal held does
// not count.
func (m *meter) perSecond() float64 {
	took := m.last.Sub(m.begin).Seconds()
	if took <= 0 || m.done <= m.first {
		return 0
	}
	return float64(m.done-m.first) / took
}

func (m *meter) rate(unit string) string { return wording.Rate(m.perSecond(), unit) }

// left is the time to go, "" if it is not known.
func (m *meter) left() string {
	if m.toGo != nil {
		return m.toGo()
	}
	if rate := m.perSecond(); rate > 0 {
		if left := wording.Span(float64(m.total-m.done) / rate); left != "" {
			return left + " to go"
		}
	}
	return ""
}

// unitFor is the word for n units, which is given for many.
func unitFor(n int64, units string) string {
	if n != 1 {
		return units
	}
	switch units {
	case "leaves":
		return "leaf"
	case "searches":
		return "search"
	}
	return strings.TrimSuffix(units, "s")
}

// speed reports how much was done in some time: "800 rows in 1.25 s, 640 rows/s".
func speed(done int64, unit string, took time.Duration) string {
	text := fmt.Sprintf("%d %s in %.2f s", done, unitFor(done, unit), took.Seconds())
	if rate := wording.Rate(float64(done)/took.Seconds(), unit); rate != "" {
		text += ", " + rate
	}
	return text
}

// did is the speed of the work so far, without what was done before this program began.
func (m *meter) did() string { return speed(m.done-m.first, m.unit, m.last.Sub(m.begin)) }
