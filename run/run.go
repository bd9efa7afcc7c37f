package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"
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
)

// Observer is told how a run continues. Its methods are called from one
// goroutine.
type Observer interface {
	// Stage begins a stage, counted in units, and returns its progress
	// function and a function to be called at its end.
	Stage(title, unit string) (progress parallel.Progress, end func())
	// Skip says that a stage was finished before.
	Skip(title string)
}

// stage is one step of a run.
type stage struct {
	name, title, unit string
	settings, also    []any           // all that its result depends on, structs and others, but for
	inputs            []string        // these files of earlier stages
	outputs           func() []string // files it makes, in the run folder; after do
	journal           string          // file of finished pieces, kept until the manifest has the stage
	nodes             float64         // to be searched, roughly; 0 for what takes seconds
	do                func(ctx context.Context, progress parallel.Progress) (figures any, err error)
}

// journalName is where a long stage keeps its finished pieces until the
// output is written.
func journalName(out string) string { return out + ".journal" }

// Run is a training run in its folder.
type Run struct {
	Dir      string
	Config   *Config
	Farm     farm.Network // of the workers that search and play; nil for this machine
	Warn     func(string) // hears of a limit that the program of [engine] does not obey
	manifest *Manifest
	rules    oware.Rules
	lock     *vfs.File
}

// New begins a run in a new or empty folder, with the configuration as its
// text. The folder is the run's until [Run.Close].
func New(dir, config, name string) (*Run, error) {
	c, err := ParseConfig(config, name)
	if err != nil {
		return nil, err
	}
	if _, err := c.Engine.signature(); err != nil { // before there is a folder
		return nil, err
	}
	if err := vfs.MkdirAll(dir, 0o777); err != nil {
		return nil, err
	}
	return locked(dir, func() (*Run, error) { return begin(dir, config, c) })
}

// locked returns the run in a folder, as open makes it of a folder that nobody else works in.
func locked(dir string, open func() (*Run, error)) (*Run, error) {
	if err := revision.Check(); err != nil {
		return nil, err
	}
	lock, err := take(dir)
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

func begin(dir, config string, c *Config) (*Run, error) {
	// What a run has left that was killed at its very beginning is no run.
	if err := atomicfile.RemoveTemps(dir); err != nil {
		return nil, err
	}
	list, err := vfs.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	if len(list) > 1 { // the lock
		return nil, fmt.Errorf("%s is not empty: --resume continues the run in it, another --dir starts a new one", dir)
	}
	if err := atomicfile.WriteBytes(filepath.Join(dir, ConfigFile), []byte(config)); err != nil {
		return nil, err
	}
	m := newManifest(config)
	r := &Run{Dir: dir, Config: c, manifest: m}
	if r.rules, err = oware.ParseRules(c.Rules); err != nil {
		return nil, err
	}
	return r, cmp.Or(r.takeEngine(), m.write(dir))
}

// Resume continues with the run in a folder, which is this run's until [Run.Close].
func Resume(dir string) (*Run, error) {
	if _, err := vfs.Stat(filepath.Join(dir, ConfigFile)); errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("no run to resume in %s: it has no %s", dir, ConfigFile)
	}
	return locked(dir, func() (*Run, error) { return goOnWith(dir) })
}

func goOnWith(dir string) (*Run, error) {
	r, err := readRun(dir)
	if err != nil {
		return nil, err
	}
	if m := r.manifest; m.Engine != engine.Signature() {
		return nil, fmt.Errorf("%s was begun with engine %s, this one is %s: results would mix; start a new run", dir, m.Engine, engine.Signature())
	}
	if m := r.manifest; m.Version < manifestVersion {
		return nil, fmt.Errorf("%s was begun by an older build, whose manifest this one cannot continue: use that build, or start a new run", dir)
	}
	if err := r.takeEngine(); err != nil {
		return nil, err
	}
	return r, errors.Join(atomicfile.RemoveTemps(dir), atomicfile.RemoveTemps(r.path(plotsFolder)))
}

// readRun returns the run in a folder, only to be read.
func readRun(dir string) (*Run, error) {
	path := filepath.Join(dir, ConfigFile)
	text, err := strict.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := ReadManifest(filepath.Join(dir, ManifestFile))
	if errors.Is(err, fs.ErrNotExist) { // stopped between the first two files
		m, err = newManifest(text), nil
	}
	if err != nil {
		return nil, err
	}
	if m.Config != hashText(text) {
		return nil, fmt.Errorf("%s was changed since the run began: put it back, or start a run of its own with `train run --config %s`", path, wording.Path(path))
	}
	c, err := parseOwn(text, path)
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

// Go does every stage that is not finished.
func (r *Run) Go(ctx context.Context, o Observer) error {
	defer r.Close()
	if err := r.Config.CheckFarm(r.Farm != nil); err != nil {
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

// Titles returns those of all stages, in order, as the observer is told them.
func (r *Run) Titles() (titles []string) {
	for _, s := range r.stages() {
		titles = append(titles, s.title)
	}
	return titles
}

// Shares returns the stages with what each takes of the whole run's work, roughly.
func (r *Run) Shares() (shares []StageShare) {
	all := 0.0
	for _, s := range r.stages() {
		nodes := max(s.nodes, leastNodes)
		all += nodes
		shares = append(shares, StageShare{s.title, nodes})
	}
	for i := range shares {
		shares[i].Share /= all
	}
	return shares
}

// StageShare is what a stage takes of the work of a run.
type StageShare struct {
	Title string
	Share float64
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
	outside, err := hashesOf(s.settings, r.rules)
	if err != nil {
		return err
	}
	before := r.manifest.stage(s.name)
	if err := before.checkNamed(outside); err != nil {
		return err
	}
	done, err := before.finished(r.Dir, key)
	if err != nil {
		return err
	}
	if done {
		o.Skip(s.title)
		return r.removeJournal(s)
	}
	progress, end := o.Stage(s.title, s.unit)
	begun := time.Now()
	figures, err := s.do(ctx, progress)
	end()
	if s.name != reportStageName { // which has written them down
		err = errors.Join(err, r.addTime(s.title, time.Since(begun)))
	}
	if err != nil {
		return err
	}
	if err := r.record(s, key, outside, figures); err != nil {
		return err
	}
	return r.removeJournal(s)
}

// removeJournal clears away the journal of a stage that is in the manifest.
func (r *Run) removeJournal(s stage) error {
	if s.journal == "" {
		return nil
	}
	return journal.Remove(r.path(s.journal))
}

// record adds a finished stage to the manifest.
func (r *Run) record(s stage, key string, outside map[string]string, figures any) error {
	rec := StageRecord{Name: s.name, Key: key, Named: outside, Outputs: map[string]string{}}
	for _, name := range s.outputs() {
		hash, err := datasets.FileHash(r.path(name))
		if err != nil {
			return err
		}
		if name == reportFile { // it tells times: its hash would make equal runs differ
			hash = ""
		}
		rec.Outputs[name] = hash
	}
	var err error
	if rec.Figures, err = json.Marshal(figures); err != nil {
		return err
	}
	if old := r.manifest.stage(s.name); old != nil {
		*old = rec
	} else {
		r.manifest.Stages = append(r.manifest.Stages, rec)
	}
	return r.manifest.write(r.Dir)
}

func (r *Run) path(name string) string { return filepath.Join(r.Dir, name) }

// LastUnfinished returns the folder of the run in dir that was touched last and is
// not finished.
func LastUnfinished(dir string) (string, error) {
	list, err := vfs.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return "", err
	}
	last, when := "", time.Time{}
	for _, e := range list {
		run := filepath.Join(dir, e.Name())
		if touched, ok := unfinished(run); ok && touched.After(when) {
			last, when = run, touched
		}
	}
	if last == "" {
		return "", fmt.Errorf("no unfinished run in %s: name one with --dir", dir)
	}
	return last, nil
}

// unfinished reports whether a folder has a run that is not finished, and when it was
// touched. A run may have been stopped before it had a manifest.
func unfinished(dir string) (touched time.Time, ok bool) {
	m, err := ReadManifest(filepath.Join(dir, ManifestFile))
	name := ManifestFile
	if errors.Is(err, fs.ErrNotExist) {
		m, err, name = &Manifest{}, nil, ConfigFile
	}
	if err != nil || m.Finished() {
		return time.Time{}, false
	}
	info, err := vfs.Stat(filepath.Join(dir, name))
	if err != nil {
		return time.Time{}, false
	}
	return info.ModTime(), true
}

// figures reads back what a finished stage has recorded.
func (r *Run) figures(name string, into any) error {
	rec := r.manifest.stage(name)
	if rec == nil {
		return fmt.Errorf("stage %s is not finished", name)
	}
	return json.Unmarshal(rec.Figures, into)
}

// seed derives the seed of one stage from the run's.
func (r *Run) seed(stage string) uint64 {
	sum := sha256.Sum256(fmt.Appendf(nil, "%d %s", r.Config.Seed, stage))
	var n uint64
	for _, b := range sum[:6] { // 48 bits: exact in JSON readers that use doubles
		n = n<<8 | uint64(b)
	}
	return n
}
