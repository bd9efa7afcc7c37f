package run

import (
	"io"
	"path/filepath"
	"slices"
	"time"

	"kroo/internal/atomicfile"
	"kroo/internal/strict"
	"kroo/internal/vfs"
)

// TimesFile contains the time of each stage. All other files of equal runs are equal.
const TimesFile = "times.json"

// TimesFormat is the format of a times file.
const (
	TimesFormat  = "kroo-times"
	timesVersion = 1
	maxTimes     = 1 << 20 // bytes
	maxSeconds   = 1e12    // per stage: so that sums are finite
)

// stageTime is how long a stage took.
type stageTime struct {
	Title   string  `json:"title"`
	Seconds float64 `json:"seconds"`
}

// times are the seconds of work on each stage, in the order of their start, without work that
// was killed.
type times struct {
	Format  string      `json:"format"`
	Version int         `json:"version"`
	Begun   string      `json:"begun,omitempty"` // when the first stage ended
	Stages  []stageTime `json:"stages"`
}

// readTimes reads the times of a run. Missing or damaged files give no times.
func readTimes(dir string) times {
	if f, err := vfs.Open(filepath.Join(dir, TimesFile)); err == nil {
		defer f.Close()
		if t, ok := parseTimes(f); ok {
			return t
		}
	}
	return times{Format: TimesFormat, Version: timesVersion}
}

func parseTimes(r io.Reader) (t times, ok bool) {
	err := strict.ReadJSON(r, maxTimes, &t)
	return t, err == nil && t.Format == TimesFormat && t.Version == timesVersion &&
		!slices.ContainsFunc(t.Stages, func(s stageTime) bool { return !(s.Seconds >= 0 && s.Seconds <= maxSeconds) })
}

// addTime adds to the time of a stage: a resumed stage has the sum.
func (r *Run) addTime(title string, took time.Duration) error {
	t := readTimes(r.Dir)
	if t.Begun == "" {
		t.Begun = time.Now().UTC().Format("2006-01-02 15:04:05 UTC")
	}
	i := slices.IndexFunc(t.Stages, func(s stageTime) bool { return s.Title == title })
	if i < 0 {
		i, t.Stages = len(t.Stages), append(t.Stages, stageTime{Title: title})
	}
	t.Stages[i].Seconds += took.Seconds()
	return atomicfile.WriteJSON(r.path(TimesFile), t)
}
