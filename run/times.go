package run

import (
	"bytes"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"kroo/internal/atomicfile"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/report"
	"kroo/run/page"
)

// TimesFile contains the time of each stage. It is separate from the manifest, which is equal
// for equal runs.
const TimesFile = "times.json"

// TimesFormat is the format of a times file.
const (
	TimesFormat  = "kroo-times"
	timesVersion = 1
	maxTimes     = 1 << 20 // bytes
	maxSeconds   = 1e12    // per stage: so that sums are finite
)

// times are the seconds of work on each stage, in the order of their start, without work that
// was killed.
type times struct {
	Format  string           `json:"format"`
	Version int              `json:"version"`
	Begun   string           `json:"begun,omitempty"` // when the first stage ended
	Stages  []page.StageTime `json:"stages"`
}

// readTimes reads the times of a run. Missing or damaged files give no times: only the report
// uses them.
func readTimes(dir string) times {
	f, err := vfs.Open(filepath.Join(dir, TimesFile))
	if err != nil {
		return decodeTimes(strings.NewReader(""))
	}
	defer f.Close()
	return decodeTimes(f)
}

func decodeTimes(r io.Reader) times {
	t, err := parseTimes(r)
	if err != nil {
		return times{Format: TimesFormat, Version: timesVersion}
	}
	return t
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
	i := slices.IndexFunc(t.Stages, func(s page.StageTime) bool { return s.Title == title })
	if i < 0 {
		i, t.Stages = len(t.Stages), append(t.Stages, page.StageTime{Title: title})
	}
	t.Stages[i].Seconds += took.Seconds()
	return t.write(r.Dir)
}

func (t times) write(dir string) error {
	return atomicfile.WriteJSON(filepath.Join(dir, TimesFile), t)
}

// Timeless returns the files of a run folder without times, which differ between repetitions:
// otherwise equal runs have equal files. If the report's times differ from the times file, they
// are not removed.
func Timeless(files map[string][]byte) map[string][]byte {
	same := map[string][]byte{}
	for path, data := range files {
		switch filepath.Base(path) {
		case TimesFile:
			continue
		case reportFile:
			t := decodeTimes(bytes.NewReader(files[filepath.Join(filepath.Dir(path), TimesFile)]))
			table := page.TimesTable(t.Stages)
			if text, err := report.Markup(report.Table(table, table.Caption)); err == nil {
				data = bytes.Replace(data, []byte(text), nil, 1)
			}
			if t.Begun != "" {
				data = bytes.Replace(data, []byte(t.Begun), nil, 1)
			}
		}
		same[path] = data
	}
	return same
}
