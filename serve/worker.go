package serve

import (
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"kroo/internal/parallel"
	"kroo/run"
)

// worker executes one run at a time, in the server. Watchers read its notes and do not delay it.
type worker struct {
	folder  folder // of all runs
	mu      sync.Mutex
	name    string // of the run in progress; "" if there is none
	cancel  context.CancelFunc
	running sync.WaitGroup
	stages  []stageNote
	failed  string // why the last run did not finish
	lastRun string // the run of the notes
}

// stageNote is the progress of a stage.
type stageNote struct {
	title, unit, state string
	done, total        int64
	first              int64 // done before the stage was resumed; -1 if not yet known
	started            time.Time
	seconds            float64 // since then
	figures            string  // results so far, such as the score of a match
}

// The states of a stage.
const (
	waiting    = "waiting"
	working    = "working"
	finished   = "done"
	doneBefore = "done before"
	stopped    = "stopped"
)

// errWorking is the error for a second run.
var errWorking = errors.New("another run is in progress here: stop it first")

// start starts or resumes the run that open returns. open is not called while another run is in
// progress, nor under the lock, which pages need.
func (w *worker) start(name string, open func() (*run.Run, error)) error {
	ctx, err := w.reserve(name)
	if err != nil {
		return err
	}
	var r *run.Run
	defer func() {
		if r == nil {
			w.release()
		}
	}()
	r, err = open()
	if err != nil {
		return err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.lastRun = name
	w.failed = ""
	w.stages = nil
	for _, title := range r.Titles() {
		w.stages = append(w.stages, stageNote{title: title, state: waiting})
	}
	w.running.Go(func() { w.work(ctx, r) })
	return nil
}

// reserve takes the place of the run in progress, and returns its context.
func (w *worker) reserve(name string) (context.Context, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.name != "" {
		return nil, errWorking
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.name = name
	w.cancel = cancel
	return ctx, nil
}

// release frees the place of the run in progress.
func (w *worker) release() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancel()
	w.name = ""
}

// work executes a run until it ends or is stopped.
func (w *worker) work(ctx context.Context, r *run.Run) {
	err := func() (err error) {
		defer catch(&err)
		return r.Execute(ctx, w)
	}()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancel()
	w.name = ""
	for i := range w.stages {
		if s := &w.stages[i]; s.state == working {
			s.state = stopped
		}
	}
	switch {
	case errors.Is(err, context.Canceled):
		w.failed = "stopped; finished work is kept"
	case err != nil:
		w.failed = w.folder.plain(err)
	}
}

// stop stops a run, and reports whether it was in progress.
func (w *worker) stop(name string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.name == "" || name != w.name {
		return false
	}
	w.cancel()
	return true
}

// stopAny stops the run in progress, if any.
func (w *worker) stopAny() { w.stop(w.current()) }

// change changes the note of a stage.
func (w *worker) change(title string, to func(s *stageNote)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	to(&w.stages[slices.IndexFunc(w.stages, func(s stageNote) bool { return s.title == title })])
}

// Stage implements [run.Observer].
func (w *worker) Stage(title, unit string) (parallel.Progress, func(error)) {
	w.change(title, func(s *stageNote) {
		s.state = working
		s.unit = unit
		s.started = time.Now()
		s.first = -1
	})
	progress := func(done, total int64, figures string) {
		w.change(title, func(s *stageNote) {
			s.done = done
			s.total = total
			s.figures = figures
			s.seconds = time.Since(s.started).Seconds()
			if s.first < 0 {
				s.first = done
			}
		})
	}
	return progress, func(err error) {
		if err == nil {
			w.change(title, func(s *stageNote) { s.state, s.seconds = finished, time.Since(s.started).Seconds() })
		}
	}
}

// Skip implements [run.Observer].
func (w *worker) Skip(title string) {
	w.change(title, func(s *stageNote) { s.state = doneBefore })
}

// notes returns a copy of the notes of a run.
func (w *worker) notes(name string) (stages []stageNote, failed string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lastRun != name {
		return nil, ""
	}
	return slices.Clone(w.stages), w.failed
}

// current returns the run in progress; "" if there is none.
func (w *worker) current() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.name
}
