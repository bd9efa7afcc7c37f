package elo

import (
	"fmt"
	"math"
	"testing"

	"kroo/internal/testkit"
)

// addLines adds lines of equal games, a third of them won and the others drawn
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
	in, ok := once.Interval()
	in2, ok2 := often.Interval()
	if !ok || !ok2 || math.Abs(in.Low-in2.Low) > 1e-9 || math.Abs(in.High-in2.High) > 1e-9 {
		t.Errorf("%v of a game a line, %v of fifty", in, in2)
	}
	testkit.Equal(t, often.Len(), 30, "often.Len")
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
	in, ok := l.Interval()
	_, want := s.Elo()
	if !ok || math.Abs(in.Low-want.Low) > 1.5 || math.Abs(in.High-want.High) > 1.5 {
		t.Errorf("%v by lines: want about %v", in, want)
	}
}

func TestFewLinesHaveNoInterval(t *testing.T) {
	var l Lines
	addLines(&l, minLines-1, 100)
	if in, ok := l.Interval(); ok {
		t.Errorf("%v of nine lines", in)
	}
}

// A match won outright is worth a bound by its lines: 0.05^(1/20) = 0.8609 of the points.
func TestWinsInAllLinesGiveABound(t *testing.T) {
	var won, lost Lines
	for i := range 20 {
		won.Add(fmt.Sprint(i), Outcome{Points: 2})
		lost.Add(fmt.Sprint(i), Outcome{})
	}
	bound := 400 * math.Log10(0.86089/0.13911)
	if in, _ := won.Interval(); math.Abs(in.Low-bound) > 0.01 || !math.IsInf(in.High, 1) {
		t.Errorf("%v: want more than %g", in, bound)
	}
	if in, _ := lost.Interval(); math.Abs(in.High+bound) > 0.01 || !math.IsInf(in.Low, -1) {
		t.Errorf("%v: want less than %g", in, -bound)
	}
}
