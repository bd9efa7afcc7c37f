package main

import (
	"fmt"
	"os"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// logEvery is the pause between progress lines where there is no terminal.
const logEvery = 5 * time.Second

// progress shows how far a piece of work is, with rate and time to go: a bar
// on a terminal, else a line on standard error every few seconds. The returned
// function takes what is done of what total; finish ends the bar.
func progress(label, unit string) (update func(done, total int64), finish func()) {
	if term.IsTerminal(int(os.Stderr.Fd())) {
		return bar(label, unit)
	}
	return lines(label, unit)
}

func bar(label, unit string) (func(done, total int64), func()) {
	var b *progressbar.ProgressBar
	update := func(done, total int64) {
		if b == nil {
			b = progressbar.NewOptions64(total,
				progressbar.OptionSetWriter(os.Stderr),
				progressbar.OptionSetDescription(fmt.Sprintf("%-22s", label)),
				progressbar.OptionSetItsString(unit),
				progressbar.OptionShowIts(),
				progressbar.OptionShowCount(),
				progressbar.OptionSetPredictTime(true),
				progressbar.OptionThrottle(100*time.Millisecond),
				progressbar.OptionSetWidth(24),
				progressbar.OptionFullWidth(),
			)
			// What a journal already held must not count for the rate.
			b.Reset()
		}
		b.Set64(done)
	}
	return update, func() {
		if b != nil {
			b.Exit()
			fmt.Fprintln(os.Stderr)
		}
	}
}

func lines(label, unit string) (func(done, total int64), func()) {
	var start, last time.Time
	var first, latest, whole int64
	say := func(now time.Time) {
		took := now.Sub(start).Seconds()
		rate := float64(latest-first) / max(took, 1e-9)
		eta := "?"
		if rate > 0 {
			eta = time.Duration(float64(whole-latest) / rate * 1e9).Round(time.Second).String()
		}
		fmt.Fprintf(os.Stderr, "%s: %d/%d %s, %.1f %s/s, %s to go\n", label, latest, whole, unit, rate, unit, eta)
	}
	update := func(done, total int64) {
		now := time.Now()
		if start.IsZero() {
			start, last, first = now, now, done
		}
		latest, whole = done, total
		if now.Sub(last) >= logEvery {
			last = now
			say(now)
		}
	}
	return update, func() {
		if !start.IsZero() && last != start {
			say(time.Now())
		}
	}
}
