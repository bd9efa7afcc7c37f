package run

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"kroo/internal/spec"
	"kroo/internal/testkit"
)

// TestARowHasTheFiguresOfTheManifest compares a row with figures that are read from the JSON of the manifest, without
// the types of this package.
func TestARowHasTheFiguresOfTheManifest(t *testing.T) {
	r, _ := finished(t, strings.Replace(tiny, "n = 400", "n = 300", 1))
	testkit.NoError(t, r.SetNote("fewer\nrows"))
	e := entryOf(r.Dir)
	var m struct {
		Stages []struct {
			Name    string
			Figures any
		}
	}
	testkit.NoError(t, json.Unmarshal(testkit.Read(t, filepath.Join(r.Dir, ManifestFile)), &m))
	at := func(stage string, path ...string) any {
		for _, s := range m.Stages {
			if s.Name == stage {
				v := s.Figures
				for _, name := range path {
					v = v.(map[string]any)[name]
				}
				return v
			}
		}
		t.Fatalf("no stage %s", stage)
		return nil
	}
	testkit.Equal(t, e.State, stateFinished, "state")
	testkit.Equal(t, e.Note, "fewer rows", "note")
	testkit.Equal(t, e.Stages, len(m.Stages), "stages")
	testkit.Equal(t, e.Of, len(m.Stages), "all stages")
	testkit.Equal(t, any(float64(e.Rows)), at("fit", "selected", "train", "rows"), "rows")
	testkit.Equal(t, any(*e.R), at("fit", "selected", "validation", "r"), "R")
	testkit.Equal(t, any(*e.Error*1000/24), at("fit", "selected", "validation", "mae"), "error in points")
	testkit.Equal(t, any(*e.ChanceError), at("report", "chance_error"), "error in chance")
	testkit.Equal(t, any(float64(*e.Book)), at("book", "entries"), "entries")
	testkit.Equal(t, any(e.Captures.Elo), at("match", "elo"), "Elo against captures")
	testkit.Equal(t, e.Captures.Games, 6, "games against captures")
	testkit.Equal(t, e.Own.Games, 4, "games against the program's own weights")
	p := testkit.Must(r.loadResults())(t)
	sum := 0.0
	for _, j := range p.validation {
		sum += j.chance
	}
	if mean := sum / float64(len(p.validation)); mean-*e.ChanceError > 1e-9 || *e.ChanceError-mean > 1e-9 {
		t.Errorf("error in chance %g: want %g", *e.ChanceError, mean)
	}
}

// Each setting that differs is one change; a section that a run lacks is one change.
func TestChangesAreTheSettingsThatDiffer(t *testing.T) {
	preset := testkit.Must(Preset("quick"))(t)
	text := strings.Replace(preset, "seed    = 1 ", "seed = 7 ", 1)
	text = strings.Replace(text, "workers = 0", "workers = 2", 1)
	from, _, _ := strings.Cut(text, "[patterns.fit]")
	_, to, _ := strings.Cut(text, "\n[book]")
	dir := t.TempDir()
	testkit.NoError(t, os.WriteFile(filepath.Join(dir, ConfigFile), []byte(from+"\n[book]"+to), 0o666))
	e := entryOf(dir)
	testkit.Equal(t, e.Preset, "quick", "preset")
	testkit.Equal(t, changesText(e.Changes), "no patterns, seed 7", "changes")
	testkit.Equal(t, e.State, stateStopped, "state")
	for _, name := range PresetNames {
		c := testkit.Must(ParseConfig(testkit.Must(Preset(name))(t), name))(t)
		if !slices.Equal(differences(spec.Values(c), presetValues()[name]), nil) || len(presetValues()[name]) == 0 {
			t.Errorf("%s differs from itself", name)
		}
	}
}

// Runs in progress, stopped and damaged have a row that says so, and other folders none.
func TestEveryRunHasARow(t *testing.T) {
	dir := t.TempDir()
	begin := func(name string) *Run { return testkit.Must(New(filepath.Join(dir, name), tiny, "text"))(t) }
	working := begin("working")
	defer working.Close()
	begin("stopped").Close()
	for name, file := range map[string]string{"no-manifest": ManifestFile, "no-config": ConfigFile} {
		begin(name).Close()
		testkit.NoError(t, os.WriteFile(filepath.Join(dir, name, file), []byte("{"), 0o666))
	}
	testkit.NoError(t, os.Mkdir(filepath.Join(dir, "other"), 0o777))
	runs := testkit.Must(List(dir))(t)
	got := map[string]State{}
	for _, e := range runs {
		got[e.Name] = e.State
		if (e.Problem != "") != (e.State == stateDamaged) || strings.Contains(e.Problem, dir) {
			t.Errorf("%s: problem %q", e.Name, e.Problem)
		}
	}
	want := map[string]State{"working": stateInProgress, "stopped": stateStopped, "no-manifest": stateDamaged, "no-config": stateDamaged}
	if !maps.Equal(got, want) {
		t.Errorf("states %v: want %v", got, want)
	}
	testkit.Contains(t, ListDoc(runs).Text(""), "running 0/12", "stopped 0/12", "damaged", "not a run's manifest")
}

// listed are runs with and without figures.
func listed() []Entry {
	number := func(v float64) *float64 { return &v }
	long := strings.Repeat("x", 60)
	return []Entry{
		{Name: "b", Written: time.Unix(2, 0), R: number(0.5), Rows: 7, State: stateFinished, Preset: "evening", Own: &Lead{Elo: -1000, Games: 3}},
		{Name: "c", Written: time.Unix(3, 0), Note: `a "note", long`, State: stateInProgress, Stages: 11, Of: 12, Seconds: 36000},
		{Name: "a", Written: time.Unix(1, 0), R: number(0.7), Rows: 5},
		{Name: long, Written: time.Unix(1, 0), Changes: []Change{{Name: long, Value: "1"}, {Name: "second", Value: noValue}}},
	}
}

// Numbers are sorted with the largest first, texts from A to Z; runs without a value come last both ways.
func TestRunsAreSorted(t *testing.T) {
	for by, want := range map[string]string{"run": "abcx", "-run": "xcba", "r": "abcx", "R": "abcx", "-r": "bacx", "Elo, own weights": "bcax", "rows": "bacx", "date": "cbax", "-date": "axbc", "own": "bcax", "note": "cbax"} {
		runs := listed()
		testkit.NoError(t, Sort(runs, by))
		got := ""
		for _, e := range runs {
			got += e.Name[:1]
		}
		testkit.Equal(t, got, want, "order by %s", by)
	}
	testkit.ErrorContains(t, Sort(nil, "elo"), "elo", "captures", "own")
}

// The table for other programs has every column, in rows of one length; a reader gets the values back.
func TestTableOfRunsIsCSV(t *testing.T) {
	var b bytes.Buffer
	testkit.NoError(t, WriteCSV(&b, listed()))
	rows := testkit.Must(csv.NewReader(&b).ReadAll())(t)
	testkit.EqualSlices(t, rows[0], columnNames(), "columns")
	at := func(row int, name string) string { return rows[row][slices.Index(rows[0], name)] }
	testkit.Equal(t, len(rows), 5, "rows")
	testkit.Equal(t, at(1, "r"), "0.5", "R")
	testkit.Equal(t, at(2, "r"), "", "no R")
	testkit.Equal(t, at(2, "note"), `a "note", long`, "note")
	elo := testkit.Must(strconv.ParseFloat(at(1, "own"), 64))(t)
	testkit.Equal(t, elo, -1000, "Elo")
}

// Changes of all runs are listed once, also next to a run whose configuration cannot be read.
func TestSharedChangesAreListedOnce(t *testing.T) {
	both := Change{Name: "seed", Preset: "1", Value: "2"}
	runs := []Entry{
		{Name: "a", Preset: "quick", Changes: []Change{both}},
		{Name: "b", State: stateDamaged, Problem: "no permission"},
		{Name: "c", Preset: "quick", Changes: []Change{both, {Name: "fit.ridge", Preset: "0", Value: "1"}}},
	}
	text := ListDoc(runs).Text("")
	testkit.Contains(t, text, "In all runs: seed 2.", "a:  quick\n", "c:  quick; fit.ridge 1\n")
}

func TestListsFitOnATerminal(t *testing.T) {
	lead := &Lead{Elo: -1234, Games: 1000}
	lead.Interval.Low = -1500
	lead.Interval.High = -1000
	wide := Entry{Name: "a-name-of-forty-letters-is-the-longest-1", State: stateInProgress, Stages: 10, Of: 12, Preset: "evening", Rows: 1_000_000, Seconds: 359999, Captures: lead, Own: lead}
	entries := 1_000_000
	wide.Book = &entries
	for line := range strings.Lines(ListDoc([]Entry{wide, wide}).Text("runs")) {
		if n := utf8.RuneCountInString(strings.TrimRight(line, "\n")); n > 80 {
			t.Errorf("%d columns: %s", n, line)
		}
	}
}
