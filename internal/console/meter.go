package console

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"regexp"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"kroo/internal/wording"
)

// Meter shows the progress of a part of the work: a bar in a terminal, otherwise a line on standard
// error every few seconds. It is not safe for concurrent use.
type Meter struct {
	label, unit string
	out         io.Writer
	width       func() int // of the terminal, 0 if unknown; nil if it cannot draw
	now         func() time.Time

	start, last, shown time.Time // start is zero before the first update
	first, done, total int64     // first was done before this program started
	note               string
	ended              bool // the last bar or line is printed
}

// NewMeter returns a meter on standard error. It draws if that is a terminal with escape sequences.
func NewMeter(label, unit string) *Meter {
	m := &Meter{label: label, unit: unit, out: progressOutput(), now: time.Now}
	if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) && os.Getenv("TERM") != "dumb" {
		m.width = func() int {
			width, _, _ := term.GetSize(fd)
			return width
		}
	}
	return m
}

// progressOutput returns standard error, in a locale without UTF-8 for ASCII only.
func progressOutput() io.Writer {
	if isASCII() {
		return asciiWriter{os.Stderr}
	}
	return os.Stderr
}

// asciiWriter writes signs in ASCII.
type asciiWriter struct{ to io.Writer }

func (a asciiWriter) Write(b []byte) (int, error) {
	if _, err := toASCII.WriteString(a.to, string(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Intervals between bars, and between lines if there is no terminal.
const (
	barEvery = 100 * time.Millisecond
	logEvery = 5 * time.Second
	firstLog = 2 * time.Second // after the start
)

// Update shows progress. The first call comes before any work and reports what was done before.
func (m *Meter) Update(done, total int64, note string) {
	m.last, m.ended = m.now(), false
	started := !m.start.IsZero()
	if !started {
		m.start, m.shown = m.last, m.last
		m.first = done
	}
	m.done, m.total = done, total
	m.note = note
	switch since := m.last.Sub(m.shown); {
	case m.width != nil && (!started || since >= barEvery),
		m.width == nil && (since >= logEvery || m.shown == m.start && since >= firstLog):
		m.show()
	}
}

// Finish draws the last bar, or prints a last line, once. If the work is complete, what was done is
// all there was to do: a match may be decided early, and the number of rows may have been an estimate.
// Short work without a terminal prints nothing.
func (m *Meter) Finish(complete bool) {
	if m.start.IsZero() || m.ended {
		return
	}
	m.ended = true
	if complete {
		m.total = m.done
	}
	switch {
	case m.width != nil:
		m.show()
		fmt.Fprintln(m.out)
	case m.shown != m.start && m.shown != m.last:
		m.show()
	}
}

// defaultWidth is the width of a terminal that does not report it.
const defaultWidth = 80

// show prints a line, or overwrites the bar. The terminal does not wrap, even if letters are wider
// than assumed.
func (m *Meter) show() {
	m.shown = m.last
	if m.width == nil {
		fmt.Fprintln(m.out, m.label+": "+strings.Join(m.parts(), ", "))
		return
	}
	fmt.Fprint(m.out, "\r\x1b[?7l"+m.line(cmp.Or(m.width(), defaultWidth)-1)+"\x1b[K\x1b[?7h")
}

// parts returns what to show after the label, the most important first: of a note its first piece, and
// the others after the count.
func (m *Meter) parts() []string {
	first, others, _ := strings.Cut(m.note, "; ")
	count := fmt.Sprintf("%d/%d %s", m.done, m.total, unitFor(m.total, m.unit))
	all := []string{first, m.remaining(), count, wording.Rate(m.perSecond(), "")}
	all = append(all, strings.Split(others, "; ")...)
	if m.first > 0 {
		all = append(all, fmt.Sprintf("%d %s done before", m.first, unitFor(m.first, m.unit)))
	}
	return slices.DeleteFunc(all, func(p string) bool { return p == "" })
}

// Length of the bar itself, in columns.
const (
	shortestBar = 5
	longestBar  = 20
)

// line returns the text and the bar that fit into the given number of columns. A part for which there
// is no room is left out; of the first one it shows as much as fits.
func (m *Meter) line(columns int) string {
	percent, _, _ := strings.Cut(m.bar(0), " |")
	room := columns - utf8.RuneCountInString(percent)
	text := m.label
	for i, part := range m.parts() {
		longer := text + ", " + part
		if i == 0 {
			longer = leaveOutClauses(longer, len(text), room)
		}
		if utf8.RuneCountInString(longer) <= room {
			text = longer
		}
	}
	if bar := min(columns-utf8.RuneCountInString(text+m.bar(0)), longestBar); bar >= shortestBar {
		return text + m.bar(bar)
	}
	if utf8.RuneCountInString(text) > room {
		text = cut(text, room-1) + "…"
	}
	return cut(text+percent, columns)
}

// clause matches the start of a clause: "Elo +5 [-10, +20]" in "+1 =2 -3, Elo +5 [-10, +20]".
var clause = regexp.MustCompile(`, \pL`)

// leaveOutClauses removes the last clauses after the given number of bytes until the text fits into the
// columns, or has one clause.
func leaveOutClauses(text string, from, columns int) string {
	starts := clause.FindAllStringIndex(text, -1)
	for _, at := range slices.Backward(starts) {
		if utf8.RuneCountInString(text) <= columns || at[0] <= from {
			break
		}
		text = text[:at[0]]
	}
	return text
}

// bar returns the percentage and a bar of the given length: "  37% |███     |".
func (m *Meter) bar(columns int) string {
	bar := progressbar.NewOptions64(max(m.total, 1), progressbar.OptionSetWriter(io.Discard),
		progressbar.OptionSetWidth(columns),
		progressbar.OptionSetPredictTime(false), progressbar.OptionSetElapsedTime(false))
	done := max(min(m.done, m.total), 0)
	if m.ended && done == m.total {
		done = bar.GetMax64() // also of nothing to do
	}
	bar.Set64(done)
	bar.RenderBlank()
	return strings.TrimRight(strings.TrimPrefix(bar.String(), "\r"), " ")
}

func cut(text string, columns int) string {
	letters := []rune(text)
	return string(letters[:max(min(columns, len(letters)), 0)])
}

// perSecond returns the speed of this program, 0 if unknown.
func (m *Meter) perSecond() float64 {
	took := m.last.Sub(m.start).Seconds()
	if took <= 0 || m.done <= m.first {
		return 0
	}
	return float64(m.done-m.first) / took
}

// remaining returns the time to go, "" if unknown or if the work has ended.
func (m *Meter) remaining() string {
	if rate := m.perSecond(); rate > 0 && !m.ended {
		if left := wording.Span(float64(m.total-m.done) / rate); left != "" {
			return left + " to go"
		}
	}
	return ""
}

// unitFor returns the singular of a unit if n is 1.
func unitFor(n int64, units string) string {
	if n != 1 {
		return units
	}
	switch units {
	case "entries":
		return "entry"
	case "leaves":
		return "leaf"
	case "searches":
		return "search"
	}
	return strings.TrimSuffix(units, "s")
}

// Speed describes the work done in some time: "800 rows in 1.25 s, 640 rows/s".
func Speed(done int64, unit string, took time.Duration) string {
	text := fmt.Sprintf("%d %s in %.2f s", done, unitFor(done, unit), took.Seconds())
	if rate := wording.Rate(float64(done)/took.Seconds(), unit); rate != "" {
		text += ", " + rate
	}
	return text
}

// Speed describes the work done by this program.
func (m *Meter) Speed() string { return Speed(m.done-m.first, m.unit, m.last.Sub(m.start)) }
