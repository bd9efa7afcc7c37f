package run

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"time"

	"kroo/internal/atomicfile"
	"kroo/internal/doc"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/report"
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
		if t, err := parseTimes(f); err == nil {
			return t
		}
	}
	return times{Format: TimesFormat, Version: timesVersion}
}

func parseTimes(r io.Reader) (t times, err error) {
	if err := strict.ReadJSON(r, maxTimes, &t); err != nil {
		return t, err
	}
	if t.Format != TimesFormat || t.Version != timesVersion {
		return t, fmt.Errorf("format %q version %d: expected %q version %d", t.Format, t.Version, TimesFormat, timesVersion)
	}
	for _, s := range t.Stages {
		if !(s.Seconds >= 0 && s.Seconds <= maxSeconds) {
			return t, fmt.Errorf("stage %.40q of %g seconds: expected 0 to %g", s.Title, s.Seconds, maxSeconds)
		}
	}
	return t, nil
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

// timesTable has the time of each stage, and its share.
func timesTable(times []stageTime) *doc.Table {
	t := doc.NewTable("stage", "seconds", "share, %")
	t.Caption = "Wall-clock time on this machine, without work that was killed."
	all := stageTime{Title: "all"}
	for _, s := range times {
		all.Seconds += s.Seconds
	}
	for _, s := range append(times[:len(times):len(times)], all) {
		t.Add(s.Title, report.Number(s.Seconds, 1), report.Number(100*s.Seconds/max(all.Seconds, 1e-9), 1))
	}
	return t
}
