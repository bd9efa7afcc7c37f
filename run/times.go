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

// TimesFile reports how long each stage took. It is apart from the manifest, which is
// equal for equal runs.
const TimesFile = "times.json"

// TimesFormat is what its file begins with.
const (
	TimesFormat  = "kroo-times"
	timesVersion = 1
	maxTimes     = 1 << 20 // bytes
	maxSeconds   = 1e12    // of a stage: sums of them stay numbers
)

// times are the seconds of work on each stage, in the order in which they began. Work
// that was killed is not in them.
type times struct {
	Format  string           `json:"format"`
	Version int              `json:"version"`
	Begun   string           `json:"begun,omitempty"` // when the first stage had ended
	Stages  []page.StageTime `json:"stages"`
}

// readTimes reads the times of a run; a file that is missing or damaged tells none:
// nothing but the report hangs on it.
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

// addTime adds to the time of a stage. That of a stage that was stopped and resumed is
// the sum.
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

// Timeless returns the files of a run folder without what tells times, and so differs
// from one making of a run to the next: equal runs have equal files but for these. A
// report that tells other times than the file of times keeps them.
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
