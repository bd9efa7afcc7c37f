package commands

import (
	"cmp"
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"kroo/dropout"
	"kroo/games/oware"
)

// expandView shows a book that grows: five lines on a terminal, drawn again in
// place, else one line on standard error every so often.
type expandView struct {
	out   io.Writer
	width func() int // of the terminal, 0 if unknown; nil for no terminal
	now   func() time.Time
	view  dropout.View

	said  time.Time
	last  []string
	drawn bool
}

func newExpandView(root oware.Side, omega float64) *expandView {
	return &expandView{out: os.Stderr, now: time.Now, view: dropout.View{Root: root, Omega: omega}, width: terminalWidth()}
}

// pauses between two showings
const (
	drawEvery = 300 * time.Millisecond
	sayEvery  = 10 * time.Second
)

func (v *expandView) update(p dropout.Progress) {
	now := v.now()
	if v.said.IsZero() {
		v.said = now
	}
	v.view.Note(p, now)
	pause := sayEvery
	if v.width != nil {
		pause = drawEvery
	}
	if end := p.Share >= 1; now.Sub(v.said) < pause && (v.width == nil || v.drawn && !end) {
		return
	}
	v.said = now
	v.last = v.view.Lines(p, now)
	v.show()
}

func (v *expandView) show() {
	if v.width == nil {
		fmt.Fprintln(v.out, "book: "+strings.Join(v.last, "; "))
		return
	}
	if v.drawn {
		fmt.Fprintf(v.out, "\x1b[%dF\x1b[J", len(v.last))
	}
	v.drawn = true
	for _, line := range v.last {
		fmt.Fprintln(v.out, cut(line, cmp.Or(v.width(), defaultWidth)-1))
	}
}
