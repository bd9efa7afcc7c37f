package run

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path/filepath"

	"kroo/datasets"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/journal"
	"kroo/match"
)

// Standing is how far a run is.
type Standing struct {
	Finished map[string]bool // by the title of a stage
	Stage    string          // the title of the stage in work; "" if the run is finished
	Unit     string          // of the numbers below
	Done     int64           // the finished part of the stage
	Total    int64           // 0 if unknown
	Figures  string          // results so far, such as the score of a match
}

// Follower reads the progress of a run that another process executes: from its manifest, and from the
// journal of the stage in work.
type Follower struct {
	run   *Run
	stage stage                           // in work
	count *journal.Follower[[]byte]       // of any stage; not read for a match
	match *match.Follower[oware.Position] // of a match
	done  int64                           // pieces in the journal
	total int64
}

// Follow follows the run in a folder. Close the follower.
func Follow(dir string) (*Follower, error) {
	r, err := readRun(dir)
	if err != nil {
		return nil, err
	}
	return &Follower{run: r}, nil
}

// Titles returns the titles of all stages in order.
func (f *Follower) Titles() []string { return f.run.Titles() }

// Standing returns how far the run is.
func (f *Follower) Standing(ctx context.Context) (s Standing, err error) {
	m, err := ReadManifest(filepath.Join(f.run.Dir, ManifestFile))
	if errors.Is(err, fs.ErrNotExist) { // the run has just begun
		m, err = f.run.manifest, nil
	}
	if err != nil {
		return s, err
	}
	f.run.manifest = m
	s.Finished = map[string]bool{}
	var next stage
	for _, stage := range f.run.stages() {
		switch {
		case m.stage(stage.name) != nil:
			s.Finished[stage.title] = true
		case next.name == "":
			next = stage
		}
	}
	if next.name != f.stage.name {
		if err := f.begin(next); err != nil {
			return s, err
		}
	}
	s.Stage = next.title
	if next.journal == "" {
		return s, nil
	}
	s.Unit = next.unit
	if next.pieces.unit != "" {
		s.Unit = next.pieces.unit
	}
	s.Done, s.Figures, err = f.read(ctx)
	if errors.Is(err, fs.ErrNotExist) { // not begun, or just finished
		err = nil
	}
	s.Total = f.total
	return s, err
}

// begin follows another stage, with a journal or without.
func (f *Follower) begin(next stage) (err error) {
	if err := f.Close(); err != nil {
		return err
	}
	f.stage = next
	f.done = 0
	f.total = 0
	f.count = journal.NewFollower(next.journal, journal.Raw())
	if next.pieces.total != nil {
		f.total, err = next.pieces.total()
	}
	return err
}

// read reads what was added to the journal of the stage.
func (f *Follower) read(ctx context.Context) (done int64, figures string, err error) {
	if f.stage.pieces.match != nil {
		if f.match == nil {
			f.match, err = f.stage.pieces.match(ctx)
		}
		if err != nil {
			return 0, "", err
		}
		return f.match.Score()
	}
	for _, err := range f.count.Pieces() {
		if err != nil {
			return f.done, "", err
		}
		f.done++
	}
	return f.done, "", nil
}

// Close frees the files of a match.
func (f *Follower) Close() error {
	if f.match == nil {
		return nil
	}
	followed := f.match
	f.match = nil
	return followed.Close()
}

// pieces describes the journal of a stage to those that follow it.
type pieces struct {
	unit  string                // of the records in the journal, if not that of the stage
	total func() (int64, error) // number of records at the end; nil if unknown
	match func(ctx context.Context) (*match.Follower[oware.Position], error)
}

// rowsOf is the number of rows of the dataset in a file of the run.
func (r *Run) rowsOf(name string) func() (int64, error) {
	return func() (int64, error) {
		m, err := datasets.ReadManifest(r.path(name))
		if err != nil {
			return 0, fmt.Errorf("rows of %s: %w", name, err)
		}
		return m.Rows, nil
	}
}

// matchPieces describes the journal of a match.
func matchPieces(c match.Config, a, b engine.Spec) pieces {
	return pieces{
		total: func() (int64, error) { return 2 * int64(c.Pairs), nil },
		match: func(ctx context.Context) (*match.Follower[oware.Position], error) {
			return match.Follow(ctx, engine.Oware(), c, a, b)
		},
	}
}
