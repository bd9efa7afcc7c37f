package run

import (
	"os"
	"strings"
	"testing"
	"time"

	"kroo/internal/testkit"
	"kroo/run/page"
)

func TestTimesOfAStageAddUp(t *testing.T) {
	r := newRun(t)
	for _, s := range []page.StageTime{{Title: "fit", Seconds: 1.5}, {Title: "match", Seconds: 2}, {Title: "fit", Seconds: 0.5}} {
		testkit.NoError(t, r.addTime(s.Title, time.Duration(s.Seconds*float64(time.Second))))
	}
	testkit.EqualSlices(t, readTimes(r.Dir).Stages, []page.StageTime{{Title: "fit", Seconds: 2}, {Title: "match", Seconds: 2}}, "times")
}

// A run does not fail because of a damaged file of times.
func TestDamagedTimesAreIgnored(t *testing.T) {
	r := newRun(t)
	for _, bad := range []string{"", "{", `{"format":"kroo-times","version":9}`, `{"format":"x","version":1,"stages":[]}`,
		`{"format":"kroo-times","version":1,"stages":[{"title":"fit","seconds":-1}]}`, `{"format":"kroo-times","version":1,"stages":[{"title":"fit","seconds":1e308}]}`, strings.Repeat("[", 100_000)} {
		testkit.NoError(t, os.WriteFile(r.path(TimesFile), []byte(bad), 0o666))
		if got := readTimes(r.Dir); len(got.Stages) != 0 || got.Format != TimesFormat {
			t.Errorf("%.40q reads as %v", bad, got)
		}
	}
}

// Timeless removes times, and nothing else.
func TestTimelessRemovesOnlyTimes(t *testing.T) {
	r := newRun(t)
	testkit.NoError(t, new(watcher).start(t, r))
	raw := map[string][]byte{}
	for name, text := range tree(t, r.Dir) {
		raw[name] = []byte(text)
	}
	same := Timeless(raw)
	if len(same) != len(raw)-1 || same[TimesFile] != nil || len(raw[TimesFile]) == 0 {
		t.Errorf("%d files of %d are left", len(same), len(raw))
	}
	before, after := string(raw[reportFile]), string(same[reportFile])
	testkit.Contains(t, before, "What made this", "The opening book", "training positions</td>")
	if strings.Contains(after, "training positions</td>") || !strings.Contains(after, "What made this") || !strings.Contains(after, "The opening book") {
		t.Error("the report without times still contains them, or has lost more")
	}
	for name, data := range same {
		if name != reportFile && string(data) != string(raw[name]) {
			t.Errorf("%s has changed", name)
		}
	}
}
