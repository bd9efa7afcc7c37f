package run

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"kroo/dropout"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/spec"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/match"
	"kroo/match/elo"
	"kroo/regress"
)

// State is how far a run is.
type State string

// States of runs.
const (
	stateFinished   State = "finished"
	stateInProgress State = "in progress" // a process works on it
	stateStopped    State = "stopped"     // can be resumed
	stateDamaged    State = "damaged"     // its configuration or its manifest cannot be read
)

// Entry is a run as its configuration and its manifest describe it. Figures are absent until their stage
// is finished.
type Entry struct {
	Name    string    `json:"name"` // of its folder
	Note    string    `json:"note,omitempty"`
	State   State     `json:"state"`
	Problem string    `json:"problem,omitempty"` // of a damaged run
	Written time.Time `json:"written,omitzero"`  // when its last stage finished
	// Seconds are from the start to the last finished stage, by the times of the files: pauses count.
	Seconds float64 `json:"seconds"`
	Stages  int     `json:"stages"` // finished ones
	Of      int     `json:"of"`     // all stages

	Preset  string   `json:"preset"`            // the one with the fewest other settings
	Changes []Change `json:"changes,omitempty"` // against the preset

	Rows        int      `json:"rows,omitempty"`         // that the weights were fitted to
	R           *float64 `json:"r,omitempty"`            // correlation on the validation rows
	Error       *float64 `json:"error,omitempty"`        // mean absolute error on them, in seeds of score
	ChanceError *float64 `json:"chance_error,omitempty"` // the same in winning chance, percent
	Captures    *Lead    `json:"captures,omitempty"`     // against captures-only
	Own         *Lead    `json:"own,omitempty"`          // against the program's own weights
	Book        *int     `json:"book,omitempty"`         // entries
}

// Change is a setting with its value in a preset and in a run. An absent section or setting is "none".
type Change struct {
	Name   string `json:"name"`
	Preset string `json:"preset"`
	Value  string `json:"value"`
}

// Lead is the result of a match.
type Lead struct {
	Elo      float64      `json:"elo"`
	Interval elo.Interval `json:"interval"` // 95 %
	Games    int          `json:"games"`
}

func (l Lead) String() string {
	return l.Interval.Text(l.Elo, elo.SignedFormat(0))
}

// noValue is the value of an absent setting.
const noValue = "none"

// List describes the runs in the folders of dir, the newest first.
func List(dir string) ([]Entry, error) {
	list, err := vfs.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var folders []string
	for _, e := range list {
		path := filepath.Join(dir, e.Name())
		if IsFolder(path) {
			folders = append(folders, path)
		}
	}
	return Describe(folders), nil
}

// Describe describes the runs in folders, the newest first.
func Describe(folders []string) []Entry {
	runs := make([]Entry, len(folders))
	parallel.For(0, len(folders), func(_, i int) { runs[i] = entryOf(folders[i]) })
	slices.SortStableFunc(runs, func(a, b Entry) int { return b.Written.Compare(a.Written) })
	return runs
}

// IsFolder reports whether a folder is that of a run.
func IsFolder(dir string) bool {
	info, err := vfs.Stat(filepath.Join(dir, ConfigFile))
	return err == nil && info.Mode().IsRegular()
}

// entryOf describes the run in a folder. It reads only the configuration, the manifest and the note.
func entryOf(dir string) Entry {
	e := Entry{Name: filepath.Base(dir), State: stateStopped}
	busy := Busy(dir) // before the manifest, which may be the last
	started := e.readTimes(dir)
	note, err := vfs.ReadStart(filepath.Join(dir, noteFile), maxNote)
	if err == nil {
		e.Note = wording.Short(string(note))
	}
	r, err := readRun(dir)
	if err != nil {
		e.readConfig(dir)
	} else {
		e.addConfig(r.Config)
		e.Stages = len(r.manifest.Stages)
		e.Of = len(r.stages())
		err = e.addFigures(r)
	}
	switch {
	case err != nil:
		e.State = stateDamaged
		e.Problem = strings.ReplaceAll(wording.Short(err.Error()), dir+string(filepath.Separator), "")
	case busy:
		e.State = stateInProgress
	case r.manifest.IsFinished():
		e.State = stateFinished
	}
	if e.Stages > 0 {
		e.Seconds = max(0, e.Written.Sub(started).Seconds())
	}
	return e
}

// maxNote is the most that is read of a note, in bytes.
const maxNote = 1 << 10

// readTimes sets when the run was written last, and returns when it started.
func (e *Entry) readTimes(dir string) (started time.Time) {
	config, err := vfs.Stat(filepath.Join(dir, ConfigFile))
	if err == nil {
		started = config.ModTime()
		e.Written = started
	}
	manifest, err := vfs.Stat(filepath.Join(dir, ManifestFile))
	if err == nil {
		e.Written = manifest.ModTime()
	}
	return started
}

// presetValues are the settings of every preset.
var presetValues = sync.OnceValue(func() map[string]map[string]string {
	all := map[string]map[string]string{}
	for _, name := range PresetNames {
		text, err := Preset(name)
		if err != nil {
			continue // a test reads them all
		}
		c, err := ParseConfig(text, name)
		if err == nil {
			all[name] = spec.Values(c)
		}
	}
	return all
})

// readConfig sets the preset of a run whose manifest cannot be read, if its configuration can.
func (e *Entry) readConfig(dir string) {
	path := filepath.Join(dir, ConfigFile)
	text, err := strict.ReadFile(path)
	if err != nil {
		return // readRun returns the error
	}
	c, err := ParseConfig(text, path)
	if err == nil {
		e.addConfig(c)
	}
}

// addConfig sets the preset and what differs from it.
func (e *Entry) addConfig(c *Config) {
	values := spec.Values(c)
	for _, name := range PresetNames {
		changes := differences(presetValues()[name], values)
		if e.Preset == "" || len(changes) < len(e.Changes) {
			e.Preset = name
			e.Changes = changes
		}
	}
}

// differences returns the settings of which two configurations have other values, by name. Of a section
// that one of them lacks it has the section alone.
func differences(from, to map[string]string) (changes []Change) {
	add := func(name string) {
		a := textOf(from, name)
		b := textOf(to, name)
		if a != b && !lacksSection(from, to, name) && !lacksSection(to, from, name) {
			changes = append(changes, Change{Name: name, Preset: a, Value: b})
		}
	}
	for name := range from {
		add(name)
	}
	for name := range to {
		if _, both := from[name]; !both {
			add(name)
		}
	}
	slices.SortFunc(changes, func(a, b Change) int { return strings.Compare(a.Name, b.Name) })
	return changes
}

// lacksSection reports whether values lack a section around a setting that others have.
func lacksSection(values, others map[string]string, name string) bool {
	for i, c := range name {
		if c != '.' {
			continue
		}
		_, isHere := values[name[:i]]
		_, isThere := others[name[:i]]
		if isThere && !isHere {
			return true
		}
	}
	return false
}

func textOf(values map[string]string, name string) string { return cmp.Or(values[name], noValue) }

// addFigures adds the results of the finished stages.
func (e *Entry) addFigures(r *Run) error {
	m := r.manifest
	fit, err := resultOf[regress.Summary](m, mainFit(r.Config))
	if err != nil {
		return err
	}
	if fit != nil {
		e.addFit(fit)
	}
	reported, err := resultOf[reportResult](m, reportStageName)
	if err != nil {
		return err
	}
	if reported != nil {
		e.ChanceError = reported.ChanceError
	}
	grown, err := resultOf[dropout.Summary](m, "book")
	if err != nil {
		return err
	}
	if grown != nil {
		e.Book = &grown.Entries
	}
	e.Captures, err = leadOver(r, engine.CapturesName, "match")
	if err != nil {
		return err
	}
	e.Own, err = leadOver(r, engine.DefaultName, "champion-match")
	return err
}

// mainFit returns the stage that fits the weights of a run: those of the last round, or the seed counts.
func mainFit(c *Config) string {
	if n := len(c.Rounds); n > 0 {
		return ofRound(n, "-fit")
	}
	return "fit"
}

// mainWeights returns the file of the weights of a run.
func (r *Run) mainWeights() string {
	if n := len(r.Config.Rounds); n > 0 {
		return r.championFile(n)
	}
	return weightsFile
}

// addFit adds the size and the quality of a fit.
func (e *Entry) addFit(fit *regress.Summary) {
	switch selected := fit.Selected; {
	case fit.Set == "":
		e.Rows = selected.Train.Rows
		if selected.Validation != nil {
			e.addQuality(selected.Validation.R, selected.Validation.MAE)
		}
	case fit.Train != nil:
		e.Rows = fit.Train.Rows
		if fit.Validation != nil {
			e.addQuality(fit.Validation.R, fit.Validation.MAE)
		}
	}
}

func (e *Entry) addQuality(r, points float64) {
	seeds := oware.InSeeds(points)
	e.R = &r
	e.Error = &seeds
}

// leadOver returns the result of the match of the weights of a run against an opponent: the final match of
// the champion, or for seed counts the match of a stage. It is nil without such a match.
func leadOver(r *Run, opponent, stage string) (*Lead, error) {
	if len(r.Config.Rounds) > 0 {
		finals := r.Config.finals()
		i := slices.IndexFunc(finals, func(f Final) bool { return f.Opponent == opponent })
		if i < 0 {
			return nil, nil
		}
		stage = finalName(i)
	}
	m, err := resultOf[match.Summary](r.manifest, stage)
	if m == nil || err != nil {
		return nil, err
	}
	lead, in := m.Score.Elo()
	return &Lead{Elo: lead, Interval: in, Games: m.Score.Games()}, nil
}
