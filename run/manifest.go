package run

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/endgame"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/outline"
	"kroo/internal/revision"
	"kroo/internal/spec"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// Names of files in every run folder.
const (
	ConfigFile   = "config.toml"
	ManifestFile = "manifest.json"
	noteFile     = "note.txt" // why the run was made; may be absent
)

const (
	ManifestFormat  = "kroo-run"
	manifestVersion = 4
	maxManifest     = 16 << 20 // bytes
)

// Manifest is the record of the finished stages of a run, with the hash of their inputs and the
// checksums of their outputs. It contains no times, so equal runs have equal manifests.
type Manifest struct {
	Format  string        `json:"format"`
	Version int           `json:"version"`
	Tool    string        `json:"tool"`   // revision of the program that started the run
	Engine  string        `json:"engine"` // signature of its engine
	Config  string        `json:"config"` // SHA-256 of config.toml
	Stages  []StageRecord `json:"stages"` // finished, in order
	Seal    string        `json:"seal"`   // SHA-256 of all of the above
}

// StageRecord is one finished stage.
type StageRecord struct {
	Name         string            `json:"name"`
	Key          string            `json:"key"`             // SHA-256 of the settings and of the input files
	OutsideFiles map[string]string `json:"named,omitempty"` // SHA-256 by path of the files outside the run that the settings name
	Outputs      map[string]string `json:"outputs"`         // SHA-256 by file name
	Result       json.RawMessage   `json:"figures"`         // the stage's results, in its own type
}

// ReadManifest reads the manifest of a run folder.
func ReadManifest(path string) (*Manifest, error) {
	data, err := vfs.ReadStart(path, maxManifest+1) // parseManifest refuses a longer one
	if err != nil {
		return nil, err
	}
	return parseManifest(data, path)
}

// parseManifest reads the text of a manifest and checks its seal.
func parseManifest(data []byte, path string) (*Manifest, error) {
	var m Manifest
	if err := strict.JSON(data, maxManifest, &m); err != nil {
		if _, newer := errors.AsType[strict.Newer](err); newer {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		return nil, fmt.Errorf("%s: not a run's manifest: %s", path, wording.Short(err.Error()))
	}
	if m.Format != ManifestFormat || m.Version != manifestVersion {
		return nil, fmt.Errorf("%s: format %q version %d: expected %q version %d",
			path, m.Format, m.Version, ManifestFormat, manifestVersion)
	}
	seal, err := m.seal()
	if err != nil {
		return nil, err
	}
	if m.Seal != seal {
		return nil, fmt.Errorf("%s: damaged: it does not match its seal: restore a copy, or delete it to repeat all stages", path)
	}
	return &m, nil
}

// newManifest returns the empty manifest of a run with this configuration.
func newManifest(config string) *Manifest {
	return &Manifest{
		Format:  ManifestFormat,
		Version: manifestVersion,
		Tool:    revision.Get(),
		Engine:  engine.Signature(),
		Config:  hashText(config),
	}
}

// seal returns a hash of all fields but Seal. No other checksum covers the results, so a flipped
// bit would go unnoticed.
func (m *Manifest) seal() (string, error) {
	bare := *m
	bare.Seal = ""
	data, err := json.Marshal(bare)
	return hashText(string(data)), err
}

func (m *Manifest) write(dir string) (err error) {
	m.Version = manifestVersion
	m.Seal, err = m.seal()
	if err != nil {
		return err
	}
	return atomicfile.WriteJSON(filepath.Join(dir, ManifestFile), m)
}

// IsFinished reports whether all stages of the run are done: the report is the last.
func (m *Manifest) IsFinished() bool { return m.stage(reportStageName) != nil }

func (m *Manifest) stage(name string) *StageRecord {
	for i := range m.Stages {
		if m.Stages[i].Name == name {
			return &m.Stages[i]
		}
	}
	return nil
}

// isCurrent reports whether the stage was done with this key and its outputs exist. A changed
// output is an error whatever the key.
func (r *StageRecord) isCurrent(dir, key string) (bool, error) {
	if r == nil {
		return false, nil
	}
	complete, err := r.isComplete(dir)
	return complete && r.Key == key, err
}

// isComplete reports whether all outputs of the stage exist. A changed one is an error: the run does not
// overwrite a file that may have been changed on purpose.
func (r *StageRecord) isComplete(dir string) (bool, error) {
	missing, changed, err := r.compare(dir)
	if err != nil {
		return false, err
	}
	if len(changed) > 0 {
		name := changed[0]
		return false, fmt.Errorf("%s: changed since the run wrote it with SHA-256 %s: delete it to make it again",
			filepath.Join(dir, name), r.Outputs[name])
	}
	return len(missing) == 0, nil
}

// compare returns the missing and the changed outputs of a stage.
func (r *StageRecord) compare(dir string) (missing, changed []string, err error) {
	for _, name := range slices.Sorted(maps.Keys(r.Outputs)) {
		switch hash, err := datasets.FileHash(filepath.Join(dir, name)); {
		case errors.Is(err, fs.ErrNotExist):
			missing = append(missing, name)
		case err != nil:
			return nil, nil, err
		case hash != r.Outputs[name]:
			changed = append(changed, name)
		}
	}
	return missing, changed, nil
}

// keyOf returns the key of a stage: a hash of its settings other than the defaults, its other
// dependencies, and its inputs.
func keyOf(s stage, inputs map[string]string) (string, error) {
	var settings []any
	for _, of := range s.settings {
		settings = append(settings, spec.Record(of))
	}
	data, err := json.Marshal(struct {
		Settings, Also []any
		Inputs         map[string]string
	}{settings, s.otherSettings, inputs})
	return hashText(string(data)), err
}

// hashOutsideFiles returns the SHA-256 of the files named in settings, by path: of the endgame table in a folder.
// They are not inputs of a stage, which are files of the run. Names of other things, such as evaluations,
// are ignored.
func hashOutsideFiles(settings []any, rules oware.Rules) (map[string]string, error) {
	found := map[string]string{}
	for _, s := range settings {
		for _, path := range spec.Files(s) {
			if info, err := vfs.Stat(path); err == nil && info.IsDir() {
				path = endgame.File(path, rules)
			}
			hash, err := datasets.FileHash(path)
			if err == nil {
				found[path] = hash
			} else if !errors.Is(err, fs.ErrNotExist) {
				return nil, err
			}
		}
	}
	return found, nil
}

// checkOutsideFiles returns an error if files that the stage used have changed.
func (r *StageRecord) checkOutsideFiles(now map[string]string) error {
	if r == nil {
		return nil
	}
	for path, then := range r.OutsideFiles {
		if got := now[path]; got != then {
			return fmt.Errorf("%s, which the configuration names, was changed or removed since it was used (SHA-256 %s, in the manifest %s): restore it, or start a new run", path, cmp.Or(got, "none"), then)
		}
	}
	return nil
}

// folder is a run for programs.
type folder struct {
	*Manifest
	Finished bool           `json:"finished"`
	Missing  []string       `json:"missing,omitempty"` // missing outputs of finished stages
	Changed  []string       `json:"changed,omitempty"` // outputs changed since they were written
	Results  []outline.Fact `json:"results,omitempty"` // results so far
}

// DescribeFolder describes the run in a folder: stages, files and results.
func DescribeFolder(dir string) (*outline.Doc, error) {
	if !IsFolder(dir) {
		runs, err := List(dir)
		if err != nil {
			return nil, err
		}
		if len(runs) > 0 {
			return ListDoc(runs), nil
		}
	}
	busy := Busy(dir) // before the manifest, which may be the last
	r, err := readRun(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: not the folder of a run or of runs: expected %s in it or in its folders, or a file",
			dir, ConfigFile)
	}
	if err != nil {
		return nil, err
	}
	p, err := r.results()
	if err != nil {
		return nil, err
	}
	f := folder{Manifest: r.manifest, Finished: r.manifest.IsFinished(), Results: p.summary()}
	f.Missing, f.Changed, err = r.compareOutputs()
	if err != nil {
		return nil, err
	}
	stages := r.stageTable()
	d := &outline.Doc{
		Value: f,
		Title: fmt.Sprintf("run under %s rules, %d of %s finished",
			r.Config.Rules, len(f.Stages), wording.Count(len(stages.Rows), "stage")),
		Sections: []outline.Section{{Heading: "stages", Table: stages}},
	}
	if len(f.Missing)+len(f.Changed) > 0 {
		d.Add(outline.Section{Facts: outline.Facts("missing", strings.Join(f.Missing, ", "), "changed since",
			strings.Join(f.Changed, ", "))})
	}
	if f.Results != nil {
		d.Add(outline.Section{Heading: "results", Facts: f.Results})
	}
	switch {
	case busy:
		d.Title += ", " + string(stateInProgress)
	case !f.Finished:
		d.Add(outline.Section{Commands: outline.Facts("to resume",
			fmt.Sprintf("%s run --resume --dir %s", wording.Program(), wording.Path(dir)))})
	}
	return d, nil
}

// compareOutputs returns the outputs of finished stages that are missing, and those that were changed.
func (r *Run) compareOutputs() (missing, changed []string, err error) {
	for _, s := range r.stages() {
		rec := r.manifest.stage(s.name)
		if rec == nil {
			continue
		}
		gone, other, err := rec.compare(r.Dir)
		if err != nil {
			return nil, nil, err
		}
		missing = append(missing, gone...)
		changed = append(changed, other...)
	}
	return missing, changed, nil
}

// stageTable lists the stages with their files.
func (r *Run) stageTable() *outline.Table {
	t := outline.NewTable("stage", "files")
	for _, s := range r.stages() {
		rec := r.manifest.stage(s.name)
		if rec == nil {
			t.Add(s.title, "to be done")
			continue
		}
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(rec.Outputs)), secondary)
		t.Add(s.title, strings.Join(names, ", "))
	}
	return t
}

// secondary reports whether a file is a figure, or the manifest of a dataset.
func secondary(name string) bool {
	return strings.HasPrefix(name, plotsFolder+"/") || strings.HasSuffix(name, datasets.ManifestPath(""))
}
