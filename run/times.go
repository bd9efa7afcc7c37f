package run

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"time"

	"kroo/internal/atomicfile"
	"kroo/internal/strictjson"
	"kroo/internal/vfs"
	"kroo/report"
)

// TimesFile tells how long each stage took. It is apart from the manifest, which is
// equal for equal runs.
const TimesFile = "times.json"

const (
	timesFormat  = "kroo-times"
	timesVersion = 1
	maxTimes     = 1 << 20 // bytes
	timesHeading = "Time"
)

// times are the seconds of work on each stage, in the order in which they began. Work
// that was killed is not in them.
type times struct {
	Format  string      `json:"format"`
	Version int         `json:"version"`
	Stages  []StageTime `json:"stages"`
}

// StageTime is how long a stage took.
type StageTime struct {
	Title   string  `json:"title"`
	Seconds float64 `json:"seconds"`
}

// readTimes reads the times of a run; a file that is missing or damaged tells none:
// nothing but the report hangs on it.
func readTimes(dir string) times {
	t := times{Format: timesFormat, Version: timesVersion}
	f, err := vfs.Open(filepath.Join(dir, TimesFile))
	if err != nil {
		return t
	}
	defer f.Close()
	var read times
	if strictjson.Read(f, maxTimes, &read) != nil || read.Format != timesFormat || read.Version != timesVersion {
		return t
	}
	return read
}

// Times are how long the stages of the run in a folder took; none if it does not tell.
func Times(dir string) []StageTime { return readTimes(dir).Stages }

// addTime adds to the time of a stage. That of a stage that was stopped and resumed is
// the sum.
func (r *Run) addTime(title string, took time.Duration) error {
	t := readTimes(r.Dir)
	for i := range t.Stages {
		if t.Stages[i].Title == title {
			t.Stages[i].Seconds += took.Seconds()
			return t.write(r.Dir)
		}
	}
	t.Stages = append(t.Stages, StageTime{title, took.Seconds()})
	return t.write(r.Dir)
}

func (t times) write(dir string) error {
	data, err := json.MarshalIndent(t, "", "  ")
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(filepath.Join(dir, TimesFile), append(data, '\n'))
}

// section is the table of times.
func (t times) section() report.Section {
	table := &report.Table{
		Header:  []string{"stage", "seconds", "share, %"},
		Caption: "Wall-clock time on this machine; work that was killed, and this report, are not counted.",
	}
	total := 0.0
	for _, s := range t.Stages {
		total += s.Seconds
	}
	row := func(title string, seconds float64) {
		table.Rows = append(table.Rows, []string{title, report.Number(seconds, 1), report.Number(100*seconds/max(total, 1e-9), 1)})
	}
	for _, s := range t.Stages {
		row(s.Title, s.Seconds)
	}
	row("all", total)
	return report.Section{Heading: timesHeading, Table: table}
}

// timesSection is the part of the report that tells times.
var timesSection = regexp.MustCompile(`(?s)>` + timesHeading + `</h2>.*?</section>`)

// Timeless returns the files of a run folder without what tells times, and so differs
// from one making of a run to the next: equal runs have equal files but for these.
func Timeless(files map[string][]byte) map[string][]byte {
	same := map[string][]byte{}
	for path, data := range files {
		switch filepath.Base(path) {
		case TimesFile:
			continue
		case reportFile:
			data = timesSection.ReplaceAll(data, nil)
		}
		same[path] = data
	}
	return same
}
