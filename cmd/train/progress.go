package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// progress shows how far a piece of work is. The returned function takes what
// is done of what total; finish ends the showing.
func progress(label, unit string) (update func(done, total int64), finish func()) {
	m := newMeter(label, unit)
	return func(done, total int64) { m.update(done, total, "") }, m.finish
}

// meter shows how far a piece of work is, with its rate and the time to go: a
// bar on a terminal, else a line on standard error every few seconds. It is
// for one goroutine at a time.
type meter struct {
	label, unit string
	out         io.Writer
	width       func() int // of the terminal, 0 if unknown; nil for no terminal
	now         func() time.Time
	toGo        func() string            // of all that this work is a part of; nil for the work alone
	bar         *progressbar.ProgressBar // nil before the first update, and for lines

	begin, last, said  time.Time // begin is zero before the first update
	first, done, total int64     // first was done before this program began
	note               string    // what else there is to say
}

// newMeter is a meter on standard error.
func newMeter(label, unit string) *meter {
	return &meter{label: label, unit: unit, out: os.Stderr, now: time.Now, width: terminalWidth()}
}

// terminalWidth tells how wide the terminal is that standard error is, 0 if it does not say;
// nil for no terminal.
func terminalWidth() func() int {
	fd := int(os.Stderr.Fd())
	if !term.IsTerminal(fd) {
		return nil
	}
	return func() int {
		width, _, _ := term.GetSize(fd)
		return width
	}
}

// update shows what is done of what total, with a note.
func (m *meter) update(done, total int64, note string) {
	m.last = m.now()
	if m.begin.IsZero() {
		m.begin, m.said, m.first = m.last, m.last, done
	}
	m.done, m.total, m.note = done, total, note
	if m.width != nil {
		m.draw()
	} else if m.last.Sub(m.said) >= logEvery {
		m.say()
	}
}

// finish ends the bar, or says in a last line how far the work came. Short work
// without a terminal needs no lines.
func (m *meter) finish() {
	if m.bar != nil {
		m.bar.Exit()
		fmt.Fprintln(m.out)
	} else if m.said != m.begin && m.said != m.last {
		m.say()
	}
}

// statsWidth is the room for what the bar tells besides its description, and partWidth
// the same where the description has the time.
const (
	statsWidth = 50
	partWidth  = 28
)

// draw moves the bar. The bar counts the work of this program only, so that
// its rate is right; the description tells what was done before.
func (m *meter) draw() {
	if m.bar == nil {
		width := 20
		if m.toGo != nil {
			width = 5
		}
		m.bar = progressbar.NewOptions64(max(m.total-m.first, 1),
			progressbar.OptionSetWriter(m.out),
			progressbar.OptionSetItsString(m.unit),
			progressbar.OptionShowCount(),
			progressbar.OptionShowIts(),
			progressbar.OptionSetPredictTime(m.toGo == nil),
			progressbar.OptionSetElapsedTime(m.toGo == nil),
			progressbar.OptionThrottle(100*time.Millisecond),
			progressbar.OptionSetWidth(width),
			progressbar.OptionUseANSICodes(true),
		)
	}
	description, stats := []rune(m.description()), statsWidth
	if m.toGo != nil {
		stats = partWidth
	}
	if width := m.width(); width > 0 && len(description) > width-stats {
		description = description[:max(width-stats, 0)]
	}
	if most := max(m.total-m.first, 1); most != m.bar.GetMax64() {
		m.bar.ChangeMax64(most) // it was an estimate
	}
	m.bar.Describe(string(description))
	m.bar.Set64(m.done - m.first)
}

// description is the label, the note, which is what people wait for, and what was done
// before.
func (m *meter) description() string {
	text := m.label
	if m.note != "" {
		text += ", " + m.note
	}
	if m.toGo != nil {
		if left := m.toGo(); left != "" {
			text += ", " + left
		}
	}
	if m.first > 0 {
		text += fmt.Sprintf(", %d %s done before", m.first, m.unit)
	}
	return text
}

// logEvery is the pause between lines where there is no terminal.
const logEvery = 5 * time.Second

// say writes a line.
func (m *meter) say() {
	m.said = m.last
	var parts []string
	for _, part := range []string{m.note, fmt.Sprintf("%d/%d %s", m.done, m.total, m.unit), m.speed()} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	fmt.Fprintln(m.out, m.label+": "+strings.Join(parts, ", "))
}

// speed is the rate and the time to go. What a journal held does not count.
func (m *meter) speed() string {
	took := m.last.Sub(m.begin).Seconds()
	if took <= 0 || m.done == m.first {
		return ""
	}
	rate := float64(m.done-m.first) / took
	if m.toGo != nil {
		return strings.TrimSuffix(fmt.Sprintf("%.1f %s/s, %s", rate, m.unit, m.toGo()), ", ")
	}
	left := time.Duration(float64(m.total-m.done) / rate * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%.1f %s/s, %s to go", rate, m.unit, left)
}

// speed tells how much was done in some time: "800 rows in 1.25 s, 640 a second".
func speed(done int64, unit string, took time.Duration) string {
	return fmt.Sprintf("%d %s in %.2f s, %.0f a second", done, unit, took.Seconds(), float64(done)/max(took.Seconds(), 1e-9))
}

// did is the speed of the work so far, without what was done before this program began.
func (m *meter) did() string { return speed(m.done-m.first, m.unit, m.last.Sub(m.begin)) }
