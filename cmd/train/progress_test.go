package main

import (
	"io"
	"strings"
	"testing"
	"time"
)

// testMeter steps one second at each look at the clock.
func testMeter(out io.Writer) *meter {
	at := time.Unix(1000, 0)
	return &meter{label: "labelling", unit: "positions", out: out, now: func() time.Time {
		at = at.Add(time.Second)
		return at
	}}
}

func TestProgressLinesGiveRateAndTimeToGo(t *testing.T) {
	var out strings.Builder
	m := testMeter(&out)
	// 500 of 1000 were in a journal: they must not count for the rate.
	for done := int64(500); done <= 600; done += 10 {
		m.update(done, 1000, "")
	}
	m.finish()
	want := "labelling: 550/1000 positions, 10.0 positions/s, 45s to go\n" +
		"labelling: 600/1000 positions, 10.0 positions/s, 40s to go\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestProgressLinesHaveTheNote(t *testing.T) {
	var out strings.Builder
	m := testMeter(&out)
	for done := range int64(6) {
		m.update(done, 10, "+1 =2 -3")
	}
	m.finish()
	if want := "labelling: +1 =2 -3, 5/10 positions, 1.0 positions/s, 5s to go\n"; out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestShortWorkSaysNothing(t *testing.T) {
	var out strings.Builder
	m := testMeter(&out)
	m.update(0, 2, "")
	m.update(2, 2, "")
	m.finish()
	if out.Len() > 0 {
		t.Errorf("got %q, want nothing", out.String())
	}
}

func TestProgressBarCountsTheWorkOfThisProgram(t *testing.T) {
	var out strings.Builder
	m := testMeter(&out)
	m.width = func() int { return 0 }
	for done := int64(7); done <= 10; done++ {
		m.update(done, 10, "")
	}
	m.finish()
	text := out.String()
	if !strings.Contains(text, "7 positions done before") || !strings.Contains(text, "(3/3, ") || !strings.HasSuffix(text, "\n") {
		t.Errorf("got %q: want what was done before, the count and a new line at the end", text)
	}
}

func TestProgressBarOfNothingToDo(t *testing.T) {
	var out strings.Builder
	m := testMeter(&out)
	m.width = func() int { return 0 }
	m.update(10, 10, "")
	m.finish()
	if text := out.String(); !strings.Contains(text, "10 positions done before") || !strings.HasSuffix(text, "\n") {
		t.Errorf("got %q", text)
	}
}

func TestProgressBarIsCutToTheTerminal(t *testing.T) {
	var out strings.Builder
	m := testMeter(&out)
	m.width = func() int { return statsWidth + 20 }
	m.update(2, 10, "+1 =2 -3, Elo +12 ± 34")
	m.update(3, 10, "+1 =2 -3, Elo +12 ± 34")
	m.finish()
	if text := out.String(); !strings.Contains(text, "labelling, +1 =2 -3, ") || strings.Contains(text, "Elo") {
		t.Errorf("got %q: want the first 20 letters of the description", text)
	}
}
