package main

import (
	"strings"
	"testing"
	"time"
)

// testMeter steps one second at each look at the clock.
func testMeter() *meter {
	at := time.Unix(1000, 0)
	return &meter{label: "labelling", unit: "positions", now: func() time.Time {
		at = at.Add(time.Second)
		return at
	}}
}

func TestProgressLinesGiveRateAndTimeToGo(t *testing.T) {
	var out strings.Builder
	update, finish := testMeter().lines(&out)
	// 500 of 1000 were in a journal: they must not count for the rate.
	for done := int64(500); done <= 600; done += 10 {
		update(done, 1000)
	}
	finish()
	want := "labelling: 550/1000 positions, 10.0 positions/s, 45s to go\n" +
		"labelling: 600/1000 positions, 10.0 positions/s, 40s to go\n"
	if out.String() != want {
		t.Errorf("got\n%swant\n%s", out.String(), want)
	}
}

func TestShortWorkSaysNothing(t *testing.T) {
	var out strings.Builder
	update, finish := testMeter().lines(&out)
	update(0, 2)
	update(2, 2)
	finish()
	if out.Len() > 0 {
		t.Errorf("got %q, want nothing", out.String())
	}
}

func TestProgressBarEndsWithALine(t *testing.T) {
	var out strings.Builder
	update, finish := testMeter().bar(&out)
	for done := range int64(4) {
		update(done, 3)
	}
	finish()
	if text := out.String(); !strings.Contains(text, "1.0 positions/s") || !strings.Contains(text, "3/3") || !strings.HasSuffix(text, "\n") {
		t.Errorf("got %q: want rate, count and a new line at the end", text)
	}
}
