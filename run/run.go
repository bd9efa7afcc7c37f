// Package run executes a training run, from random positions to a report, in one folder and as
// configured by a [Config].
//
// A run is a list of stages. Its manifest contains, for every finished stage, the hash of
// settings and inputs, the checksums of the outputs, and the results. An interrupted run resumes
// from its manifest: it verifies and skips finished stages, and the long stages (labels, match,
// book) resume from journals of their own.
//
// Caveats: a run is reproducible to the byte, with any number of workers, if every limit in its
// configuration is by nodes or depth. With time limits, labels, games and book depend on the
// machine.
package run

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path/filepath"
	"slices"
	"time"

	"kroo/datasets"
	"kroo/engine"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/journal"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/match"
)

// Observer is notified of the progress of a run. Its methods are called from one goroutine.
type Observer interface {
	// Stage is called at the start of a stage, with the unit of its progress. It returns a
	// progress function and a function to call at the end.
	Stage(title, unit string) (progress parallel.Progress, end func(error))
	// Skip is called for a stage that was already finished.
	Skip(title string)
}

// Run is a training run in its folder.
type Run struct {
	Dir      string
	Config   *Config
	Farm     farm.Network // nil for this machine
	manifest *Manifest
	rules    oware.Rules
	lock     *vfs.File
}

// New starts a run in a new or empty folder; config is the text of its configuration. The folder
// is locked until [Run.Close].
func New(dir, config, name string) (*Run, error) {
	c, err := ParseConfig(config, name)
	if err != nil {
		return nil, err
	}
	rules, err := oware.ParseRules(c.Rules)
	if err != nil {
		return nil, err
	}
	r := &Run{Dir: dir, Config: c, manifest: newManifest(config), rules: rules}
	if err := r.checkFiles(); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := vfs.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return lockRun(dir, func() (*Run, error) {
		// Remove temporary files of a run that was killed at its start.
		if err := atomicfile.RemoveTemps(dir); err != nil {
			return nil, err
		}
		list, err := vfs.ReadDir(dir)
		if err != nil {
			return nil, err
		}
		if len(list) > 1 { // 1 is the lock
			return nil, fmt.Errorf("%s is not empty: --resume continues the run in it, another --dir starts a new one", dir)
		}
		if err := atomicfile.WriteBytes(filepath.Join(dir, ConfigFile), []byte(config)); err != nil {
			return nil, err
		}
		return r, r.manifest.write(dir)
	})
}

// checkFiles checks the evaluations and the openings that the configuration of a new run names: once stages
// are done the configuration cannot change, and these are used after hours. What the run makes itself
// cannot be checked yet.
func (r *Run) checkFiles() error {
	finals := r.Config.finals()
	for i, f := range finals {
		if r.makes(f.Opponent) {
			continue
		}
		if _, err := engine.Oware().Serving(r.Config.Rules, f.Opponent); err != nil {
			return fmt.Errorf("%s: opponent: %w", finalTitle(finals, i), err)
		}
	}
	for _, s := range r.workStages() {
		if s.match == nil || s.match.Openings == "" || r.makes(s.match.Openings) {
			continue
		}
		c := *s.match
		c.Rules = r.Config.Rules
		varies := s.name == bookPlayStage && r.Config.BookPlay.BookPolicy.Margin() > 0
		if err := match.CheckOpenings(context.Background(), oware.Descriptor(), c, varies); err != nil {
			return fmt.Errorf("%s: openings: %w", s.title, err)
		}
	}
	return nil
}

// makes reports whether a stage of the run writes the file.
func (r *Run) makes(path string) bool {
	return slices.ContainsFunc(r.workStages(), func(s stage) bool {
		return slices.ContainsFunc(s.outputs(), func(name string) bool { return isSamePath(path, r.path(name)) })
	})
}

// isSamePath reports whether two paths, relative or not, are the same one.
func isSamePath(a, b string) bool {
	a, errA := filepath.Abs(a)
	b, errB := filepath.Abs(b)
	return errA == nil && errB == nil && a == b
}

// lockRun locks a folder and returns the run that open returns.
func lockRun(dir string, open func() (*Run, error)) (*Run, error) {
	if err := revision.Check(); err != nil {
		return nil, err
	}
	lock, err := lockFolder(dir)
	if err != nil {
		return nil, err
	}
	r, err := open()
	if err != nil {
		atomicfile.Unlock(lock)
		return nil, err
	}
	r.lock = lock
	return r, nil
}

// patience is how long to wait for a lock that [Busy] may have.
const patience = 200 * time.Millisecond

// lockFolder locks a run folder for the duration of the run.
func lockFolder(dir string) (*vfs.File, error) {
	for start := time.Now(); ; time.Sleep(patience / 10) {
		f, err := atomicfile.LockFolder(dir)
		if !errors.Is(err, vfs.ErrLocked) {
			return f, err
		}
		if time.Since(start) >= patience {
			return nil, fmt.Errorf("run folder %s: %w", dir, err)
		}
	}
}

// Close unlocks the folder of a run; [Run.Execute] calls it at its end.
func (r *Run) Close() {
	if r.lock != nil {
		atomicfile.Unlock(r.lock)
		r.lock = nil
	}
}

// Busy reports whether a process is working on the run in a folder.
func Busy(dir string) bool {
	f, err := vfs.Open(filepath.Join(dir, atomicfile.FolderLock))
	if err != nil {
		return false
	}
	defer f.Close()
	return errors.Is(f.Lock(), vfs.ErrLocked)
}

// SetNote records why the run is made, in the file [noteFile]: one line, which no hash includes.
func (r *Run) SetNote(text string) error {
	return atomicfile.WriteBytes(r.path(noteFile), []byte(wording.Short(text)+"\n"))
}

// Resume opens the run in a folder to resume it. The folder is locked until [Run.Close].
func Resume(dir string) (*Run, error) {
	info, err := vfs.Stat(dir)
	if err != nil {
		return nil, fmt.Errorf("no run to resume: %w", err)
	}
	if !info.IsDir() {
		return nil, fmt.Errorf("no run to resume: %s is a file: expected the folder of a run", dir)
	}
	if _, err := vfs.Stat(filepath.Join(dir, ConfigFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no run to resume in %s: it has no %s", dir, ConfigFile)
	}
	return lockRun(dir, func() (*Run, error) {
		r, err := readRun(dir)
		if err != nil {
			return nil, err
		}
		if started := r.manifest.Engine; started != engine.Signature() {
			return nil, fmt.Errorf("%s was started with engine %s, this one is %s: results would mix; start a new run",
				dir, started, engine.Signature())
		}
		return r, errors.Join(atomicfile.RemoveTemps(dir), atomicfile.RemoveTemps(r.path(plotsFolder)))
	})
}

// readRun returns the run in a folder, read-only.
func readRun(dir string) (*Run, error) {
	path := filepath.Join(dir, ConfigFile)
	text, err := strict.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := ReadManifest(filepath.Join(dir, ManifestFile))
	if errors.Is(err, fs.ErrNotExist) { // stopped between writing the two files
		m, err = newManifest(text), nil
	}
	if err != nil {
		return nil, err
	}
	if m.Config != hashText(text) {
		return nil, fmt.Errorf("%s was changed since the run began: restore it, or start another run with `train run --config %s`", path, wording.Path(path))
	}
	c, err := ParseConfig(text, path)
	if err != nil {
		return nil, err
	}
	r := &Run{Dir: dir, Config: c, manifest: m}
	r.rules, err = oware.ParseRules(c.Rules)
	return r, err
}

func hashText(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}

// Execute does all unfinished stages.
func (r *Run) Execute(ctx context.Context, o Observer) error {
	defer r.Close()
	if err := r.checkUnchanged(); err != nil {
		return err
	}
	for _, s := range r.stages() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := r.step(ctx, s, o); err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
	}
	return nil
}

// Titles returns the titles of all stages in order, as passed to the observer.
func (r *Run) Titles() (titles []string) {
	for _, s := range r.stages() {
		titles = append(titles, s.title)
	}
	return titles
}

func (r *Run) step(ctx context.Context, s stage, o Observer) error {
	inputs := map[string]string{}
	for _, name := range s.inputs {
		hash, err := datasets.FileHash(r.path(name))
		if err != nil {
			return err
		}
		inputs[name] = hash
	}
	key, err := keyOf(s, inputs)
	if err != nil {
		return err
	}
	outside, err := hashOutsideFiles(s.settings, r.rules)
	if err != nil {
		return err
	}
	before := r.manifest.stage(s.name)
	if err := before.checkOutsideFiles(outside); err != nil {
		return err
	}
	done, err := before.isCurrent(r.Dir, key)
	if err != nil {
		return err
	}
	if done {
		o.Skip(s.title)
		return journal.Remove(s.journal)
	}
	if err := r.reopen(s); err != nil {
		return err
	}
	progress, end := o.Stage(s.title, s.unit)
	result, err := s.do(ctx, progress)
	if err == nil {
		err = r.record(s, key, outside, result)
	}
	end(err)
	if err != nil {
		return err
	}
	return journal.Remove(s.journal)
}

// checkUnchanged returns an error if an output of a recorded stage was changed. It is called before any work:
// later [Run.dropOutdated] may remove the record, and with it the knowledge of how the file was.
func (r *Run) checkUnchanged() error {
	for _, s := range r.stages() {
		rec := r.manifest.stage(s.name)
		if rec == nil {
			continue
		}
		if _, err := rec.isComplete(r.Dir); err != nil {
			return fmt.Errorf("%s: %w", s.title, err)
		}
	}
	return nil
}

// reopen writes the manifest without the records of a stage that is to be done again and of the report, so
// that the run is unfinished if it is killed in the stage. In memory the records remain until
// [Run.record]: those of later stages stay valid if the outputs turn out the same.
func (r *Run) reopen(s stage) error {
	m := *r.manifest
	m.Stages = slices.DeleteFunc(slices.Clone(m.Stages), func(rec StageRecord) bool {
		return rec.Name == s.name || rec.Name == reportStageName
	})
	if len(m.Stages) == len(r.manifest.Stages) {
		return nil
	}
	return m.write(r.Dir)
}

// record adds a finished stage to the manifest, and removes the stages that were made from other outputs of it.
func (r *Run) record(s stage, key string, outside map[string]string, result any) error {
	rec := StageRecord{Name: s.name, Key: key, OutsideFiles: outside, Outputs: map[string]string{}}
	for _, name := range s.outputs() {
		hash, err := datasets.FileHash(r.path(name))
		if err != nil {
			return err
		}
		rec.Outputs[name] = hash
	}
	var err error
	rec.Result, err = json.Marshal(result)
	if err != nil {
		return err
	}
	if old := r.manifest.stage(s.name); old != nil {
		*old = rec
	} else {
		r.manifest.Stages = append(r.manifest.Stages, rec)
	}
	if err := r.dropOutdated(); err != nil {
		return err
	}
	return r.manifest.write(r.Dir)
}

// dropOutdated puts the records in the order of the stages and removes those whose inputs are not the outputs of
// the records before them, which a stage that was done again may have written with other contents.
func (r *Run) dropOutdated() error {
	config, err := datasets.FileHash(r.path(ConfigFile))
	if err != nil {
		return err
	}
	hashes := map[string]string{ConfigFile: config}
	var kept []StageRecord
	for _, s := range r.stages() {
		rec := r.manifest.stage(s.name)
		if rec == nil {
			continue
		}
		inputs := map[string]string{}
		for _, name := range s.inputs {
			if hash, ok := hashes[name]; ok { // else its record is gone, and the key differs
				inputs[name] = hash
			}
		}
		key, err := keyOf(s, inputs)
		if err != nil {
			return err
		}
		if key == rec.Key {
			maps.Copy(hashes, rec.Outputs)
			kept = append(kept, *rec)
		}
	}
	r.manifest.Stages = kept
	return nil
}

func (r *Run) path(name string) string { return filepath.Join(r.Dir, name) }

// LastUnfinished returns the folder of the unfinished run in dir that was written last. It may have no
// manifest yet. If the manifest of a later run is damaged, that is an error: it may be the one that is meant.
func LastUnfinished(dir string) (last string, err error) {
	list, err := vfs.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	var when time.Time
	var damaged error
	for _, e := range list {
		run := filepath.Join(dir, e.Name())
		if !IsFolder(run) {
			continue
		}
		info, err := vfs.Stat(run)
		if err != nil {
			return "", err
		}
		m, err := ReadManifest(filepath.Join(run, ManifestFile))
		if errors.Is(err, fs.ErrNotExist) {
			m, err = new(Manifest), nil
		}
		if info.ModTime().After(when) && (err != nil || !m.IsFinished()) {
			last = run
			when = info.ModTime()
			damaged = err
		}
	}
	if damaged != nil {
		return "", fmt.Errorf("the run to resume in %s cannot be read: %w; or choose another run with --dir", dir, damaged)
	}
	if last == "" {
		return "", fmt.Errorf("no unfinished run in %s: choose one with --dir", dir)
	}
	return last, nil
}

// seed derives the seed of a stage from the run's.
func (r *Run) seed(stage string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", r.Config.Seed, stage))
	var n uint64
	for _, b := range sum[:6] { // 48 bits: exact in JSON readers that use doubles
		n = n<<8 | uint64(b)
	}
	return n
}
