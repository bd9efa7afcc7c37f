package run

import (
	"os"
	"strings"
	"testing"
	"time"

	"kroo/internal/testkit"
)

func TestTimesOfAStageAddUp(t *testing.T) {
	r := newRun(t)
	for _, s := range []stageTime{{Title: "fit", Seconds: 1.5}, {Title: "match", Seconds: 2}, {Title: "fit", Seconds: 0.5}} {
		testkit.NoError(t, r.addTime(s.Title, time.Duration(s.Seconds*float64(time.Second))))
	}
	testkit.EqualSlices(t, readTimes(r.Dir).Stages, []stageTime{{Title: "fit", Seconds: 2}, {Title: "match", Seconds: 2}}, "times")
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
