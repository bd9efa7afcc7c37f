package main

import (
	"fmt"
	"io"
	"os"
	"strings"
	"time"

	"golang.org/x/term"

	"kroo/dropout"
	"kroo/games/oware"
)

// expandView shows a book that grows: four lines on a terminal, drawn again in
// place, else one line on standard error every so often.
type expandView struct {
	out   io.Writer
	width func() int // of the terminal; nil for no terminal
	now   func() time.Time
	side  oware.Side // to move at the root

	begin, said time.Time
	first       dropout.Progress // before the first search: what the log held
	last        []string
	drawn       bool
}

func newExpandView(side oware.Side) *expandView {
	v := &expandView{out: os.Stderr, now: time.Now, side: side}
	if fd := int(os.Stderr.Fd()); term.IsTerminal(fd) {
		v.width = func() int {
			width, _, err := term.GetSize(fd)
			if err != nil {
				return 80
			}
			return width
		}
	}
	return v
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
	if v.begin.IsZero() || p.Searches == 0 { // searches from the log tell nothing of the speed
		v.begin, v.first = now, p
		v.first.Graph = nil
	}
	pause := sayEvery
	if v.width != nil {
		pause = drawEvery
	}
	if now.Sub(v.said) < pause && (v.drawn || v.width == nil) {
		return
	}
	v.said = now
	v.last = v.lines(p, now)
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
		if r, width := []rune(line), v.width(); len(r) >= width {
			line = string(r[:max(width-1, 0)])
		}
		fmt.Fprintln(v.out, line)
	}
}

// lines are what there is to see.
func (v *expandView) lines(p dropout.Progress, now time.Time) []string {
	took := now.Sub(v.begin)
	first := fmt.Sprintf("%d positions, %d in the book", p.Nodes, p.Expanded)
	if s := took.Seconds(); s > 0 {
		first += fmt.Sprintf(", %.1f searches/s", float64(p.Searches-v.first.Searches)/s)
	}
	if done := p.Share - v.first.Share; done > 0 {
		left := time.Duration(float64(took) / done * (1 - p.Share))
		first += fmt.Sprintf(", %.1f %%, %s to go", 100*p.Share, left.Round(time.Second))
	}
	return []string{
		first,
		"root " + scores(p.Graph.RootScores(), v.side),
		"best " + line(p.Graph.PV(), v.side),
		fmt.Sprintf("next leaf at ply %d", p.Depth),
	}
}

// line writes moves by their letters.
func line(moves []oware.Move, side oware.Side) string {
	var b strings.Builder
	for _, m := range moves {
		b.WriteString(oware.MoveName(m, side))
		side = side.Other()
	}
	return b.String()
}
