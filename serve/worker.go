package serve

import (
	"context"
	"errors"
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
	done    chan struct{} // closed when the run has ended
	stages  []stageNote
	failed  string // why the last run did not finish
	lastRun string // the run of the notes
}

// stageNote is the progress of a stage.
type stageNote struct {
	Title   string   `json:"title"`
	Unit    string   `json:"unit,omitempty"`
	State   string   `json:"state"` // waiting, working, done, done before, or stopped
	Done    int64    `json:"done"`
	Total   int64    `json:"total"`
	Seconds float64  `json:"seconds"`
	Rate    float64  `json:"rate"`  // units/s
	ToGo    float64  `json:"to_go"` // seconds; 0 if unknown
	Points  []sample `json:"points,omitempty"`

	started time.Time
	first   int64 // done before the stage was resumed; -1 if not yet known
}

// sample is a point in the chart of a stage: seconds since its start, units done.
type sample [2]float64

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
// progress.
func (w *worker) start(name string, open func() (*run.Run, error)) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.name != "" {
		return errWorking
	}
	r, err := open()
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(context.Background())
	w.name, w.lastRun, w.cancel, w.done, w.failed, w.stages = name, name, cancel, make(chan struct{}), "", nil
	for _, title := range r.Titles() {
		w.stages = append(w.stages, stageNote{Title: title, State: waiting})
	}
	go w.work(ctx, r)
	return nil
}

// work executes a run until it ends or is stopped.
func (w *worker) work(ctx context.Context, r *run.Run) {
	err := func() (err error) {
		defer catch(&err)
		return r.Go(ctx, w)
	}()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.cancel()
	w.name = ""
	if err != nil { // the stage that ended last did not finish
		for i := len(w.stages) - 1; i >= 0; i-- {
			if s := &w.stages[i]; s.State == finished || s.State == working {
				s.State = stopped
				break
			}
		}
	}
	switch {
	case errors.Is(err, context.Canceled):
		w.failed = "stopped; finished work is kept"
	case err != nil:
		w.failed = w.folder.plain(err)
	}
	close(w.done)
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

// wait returns when no run is in progress.
func (w *worker) wait() {
	w.mu.Lock()
	done := w.done
	w.mu.Unlock()
	if done != nil {
		<-done
	}
}

// at returns the note of a stage.
func (w *worker) at(title string) *stageNote {
	for i := range w.stages {
		if w.stages[i].Title == title {
			return &w.stages[i]
		}
	}
	w.stages = append(w.stages, stageNote{Title: title})
	return &w.stages[len(w.stages)-1]
}

// Stage implements [run.Observer].
func (w *worker) Stage(title, unit string) (parallel.Progress, func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	s := w.at(title)
	s.State, s.Unit, s.started, s.first = working, unit, time.Now(), -1
	progress := func(done, total int64, _ string) {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.at(title).note(done, total)
	}
	end := func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		s := w.at(title)
		s.State, s.ToGo, s.Seconds = finished, 0, time.Since(s.started).Seconds()
	}
	return progress, end
}

// Skip implements [run.Observer].
func (w *worker) Skip(title string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.at(title).State = doneBefore
}

// The smallest distance in time between the points of a chart: in seconds, and as a share of the time
// since the start, which limits a stage of hours to a few hundred points.
const (
	secondsApart = 0.2
	shareApart   = 1.0 / 50
)

// note records the progress of a stage.
func (s *stageNote) note(done, total int64) {
	s.Seconds = time.Since(s.started).Seconds()
	if s.first < 0 {
		s.first = done
	}
	s.Done, s.Total = done, total
	if s.Seconds > 0 {
		s.Rate = float64(done-s.first) / s.Seconds
	}
	if s.ToGo = 0; s.Rate > 0 && total > done {
		s.ToGo = float64(total-done) / s.Rate
	}
	if n := len(s.Points); n == 0 || done == total || s.Seconds-s.Points[n-1][0] >= max(secondsApart, shareApart*s.Seconds) {
		s.Points = append(s.Points, sample{s.Seconds, float64(done)})
	}
}

// notes returns a copy of the notes of a run.
func (w *worker) notes(name string) (stages []stageNote, failed string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.lastRun != name {
		return nil, ""
	}
	for _, s := range w.stages {
		s.Points = append([]sample(nil), s.Points...)
		stages = append(stages, s)
	}
	return stages, w.failed
}

// current returns the run in progress; "" if there is none.
func (w *worker) current() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.name
}
