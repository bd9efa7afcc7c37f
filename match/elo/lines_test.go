package elo

import (
	"fmt"
	"math"
	"testing"
)

// addLines adds lines of so many equal games each, a third of them won and the others drawn
// or lost in turn.
func addLines(l *Lines, lines, games int) {
	for i := range lines {
		for range games {
			l.Add(fmt.Sprint(i), Outcome{Points: 2 - i%3})
		}
	}
}

// The games of a line are one sample: more of the same do not narrow the interval.
func TestGamesOfALineAreOneSample(t *testing.T) {
	var once, often Lines
	addLines(&once, 30, 1)
	addLines(&often, 30, 50)
	low, high, ok := once.Interval()
	low2, high2, ok2 := often.Interval()
	if !ok || !ok2 || math.Abs(low-low2) > 1e-9 || math.Abs(high-high2) > 1e-9 {
		t.Errorf("[%g, %g] of a game a line, [%g, %g] of fifty", low, high, low2, high2)
	}
	if often.Len() != 30 {
		t.Errorf("%d lines: want 30", often.Len())
	}
}

// Where each pair is a line of its own, the interval is about that from pairs.
func TestIntervalOfManyLinesIsThatOfPairs(t *testing.T) {
	var l Lines
	var s Score
	for i := range 999 {
		points := [2]int{i % 3, (i / 3) % 3}
		s.Add([2]Outcome{{Points: points[0]}, {Points: points[1]}})
		for _, p := range points {
			l.Add(fmt.Sprint(i), Outcome{Points: p})
		}
	}
	low, high, ok := l.Interval()
	lead, bar := s.Elo()
	if !ok || math.Abs(low-(lead-bar)) > 1.5 || math.Abs(high-(lead+bar)) > 1.5 {
		t.Errorf("[%g, %g] by lines: want about %g ± %g", low, high, lead, bar)
	}
}

func TestFewLinesHaveNoInterval(t *testing.T) {
	var l Lines
	addLines(&l, leastLines-1, 100)
	if low, high, ok := l.Interval(); ok {
		t.Errorf("[%g, %g] of nine lines", low, high)
	}
}

// A match won outright has a finite interval.
func TestIntervalOfWinsOnlyIsFinite(t *testing.T) {
	var l Lines
	for i := range 20 {
		l.Add(fmt.Sprint(i), Outcome{Points: 2})
	}
	low, high, _ := l.Interval()
	if want := leadOf(19.5 / 20); low != want || high != want {
		t.Errorf("[%g, %g]: want %g, half a point from all", low, high, want)
	}
}
