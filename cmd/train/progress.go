package main

import (
	"fmt"
	"io"
	"time"

	"github.com/schollz/progressbar/v3"
)

// logEvery is the pause between progress lines where there is no terminal.
const logEvery = 5 * time.Second

// progress shows how far a piece of work is, with rate and time to go: a bar
// on a terminal, else a line on standard error every few seconds. The returned
// function takes what is done of what total; finish ends the bar.
func progress(label, unit string) (update func(done, total int64), finish func()) {
	m := &meter{label: label, unit: unit, now: time.Now}
	return m.show()
}

// meter measures a piece of work.
type meter struct {
	label, unit string
	note        string // what else there is to say
	now         func() time.Time

	begin, last        time.Time // begin is zero before the first update
	first, done, total int64     // first was done before this program began
}

func (m *meter) update(done, total int64) {
	m.last = m.now()
	if m.begin.IsZero() {
		m.begin, m.first = m.last, done
	}
	m.done, m.total = done, total
}

// speed is the rate and the time to go. What a journal held does not count.
func (m *meter) speed() string {
	took := m.last.Sub(m.begin).Seconds()
	if took <= 0 || m.done == m.first {
		return ""
	}
	rate := float64(m.done-m.first) / took
	left := time.Duration(float64(m.total-m.done) / rate * float64(time.Second)).Round(time.Second)
	return fmt.Sprintf("%.1f %s/s, %s to go", rate, m.unit, left)
}

func (m *meter) bar(w io.Writer) (func(done, total int64), func()) {
	var b *progressbar.ProgressBar
	update := func(done, total int64) {
		m.update(done, total)
		if b == nil {
			b = progressbar.NewOptions64(total,
				progressbar.OptionSetWriter(w),
				progressbar.OptionShowCount(),
				progressbar.OptionSetElapsedTime(false),
				progressbar.OptionSetPredictTime(false),
				progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionSetWidth(20),
			)
		}
		b.Describe(fmt.Sprintf("%-22s %-34s", m.label+" "+m.note, m.speed()))
		b.Set64(done)
	}
	return update, func() {
		if b != nil {
			b.Exit()
			fmt.Fprintln(w)
		}
	}
}

func (m *meter) lines(w io.Writer) (func(done, total int64), func()) {
	var said time.Time // when the last line was written
	say := func() {
		said = m.last
		fmt.Fprintln(w, m.line())
	}
	update := func(done, total int64) {
		fresh := m.begin.IsZero()
		m.update(done, total)
		if fresh {
			said = m.begin
		}
		if m.last.Sub(said) >= logEvery {
			say()
		}
	}
	return update, func() {
		if said != m.begin && said != m.last { // short work needs no lines
			say()
		}
	}
}
