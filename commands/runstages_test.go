package commands

import (
	"strings"
	"testing"
	"time"

	"kroo/internal/testkit"
	"kroo/run"
)

// The first stage and a quarter of the second were done before; another quarter of the second is done
// now: 10 % of the run in 30 s, with 50 % left.
func TestTheTimeToGoIsOfTheWholeRun(t *testing.T) {
	at := time.Unix(1000, 0)
	s := &stages{shares: []run.StageShare{{Title: "a", Share: 0.3}, {Title: "b", Share: 0.4}, {Title: "c", Share: 0.3}}, now: func() time.Time { return at }}
	s.start, s.before = at, 0.3
	testkit.Equal(t, s.label("b"), "stage 2 of 3, b", "label")
	m := &meter{first: 25, done: 25, total: 100}
	at = at.Add(30 * time.Second)
	testkit.Equal(t, s.toGo(0.4, m), "", "nothing is done")
	m.done = 50
	testkit.Equal(t, s.toGo(0.4, m), "2m30s to go in all", "got")
}

func TestLinesOfARunHaveItsTimeToGo(t *testing.T) {
	var out strings.Builder
	m := testMeter(&out)
	m.toGo = func() string { return "3m0s to go in all" }
	for done := range int64(6) {
		m.update(done, 10, "")
	}
	m.finish()
	want := "labelling: 3m0s to go in all, 2/10 positions, 1.0/s\n" + // after two seconds
		"labelling: 3m0s to go in all, 5/10 positions, 1.0/s\n"
	if out.String() != want {
		t.Errorf("got %q, want %q", out.String(), want)
	}
}

func TestTheBarOfARunHasItsTimeToGo(t *testing.T) {
	var out strings.Builder
	m := testMeter(&out)
	m.width = func() int { return 60 }
	m.label, m.toGo = "stage 3 of 14, training labels", func() string { return "2m10s to go in all" }
	for done := range int64(4) {
		m.update(done, 10000, "")
	}
	m.finish()
	if lines, wraps := screen(out.String(), 60); wraps > 0 || len(lines) != 1 || lines[0] != "stage 3 of 14, training labels, 2m10s to go in all   0%" {
		t.Errorf("got %q, wrapped %d times", lines, wraps)
	}
}
