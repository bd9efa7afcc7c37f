package serve

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/internal/outline"
	"kroo/internal/wording"
	"kroo/report"
)

// live shows the progress of a run in work: a bar for the stage in work with its results so far, and all
// stages as a table.
func live(notes []stageNote) g.Node {
	if len(notes) == 0 {
		return g.Group{}
	}
	t := outline.NewTable("stage", "done", "rate", "to go")
	var bar, soFar g.Node
	for _, n := range notes {
		done := n.state
		rate, toGo := "", ""
		switch n.state {
		case working:
			done = n.count()
			perSecond := float64(n.done-n.first) / n.seconds
			rate = wording.Rate(perSecond, "")
			if n.total > 0 {
				toGo = wording.Span(float64(max(n.total-n.done, 0)) / perSecond)
			}
			bar = n.bar()
			if n.figures != "" {
				soFar = h.P(report.Text(fmt.Sprintf("So far, %s: %s.", n.title, n.figures)))
			}
		case finished:
			if n.seconds > 0 {
				done += " in " + wording.Span(n.seconds)
			}
		case stopped:
			done = "stopped at " + n.count() + "; Resume continues it"
		}
		t.Add(n.title, done, rate, toGo)
	}
	return g.Group{h.H2(g.Text("Stages")), bar, soFar, report.Table(t, "Stages of the run")}
}

// count is how much of a stage is done.
func (n stageNote) count() string {
	switch {
	case n.unit == "" || n.done+n.total == 0:
		return n.state
	case n.total == 0:
		return fmt.Sprintf("%s %s", report.Integer(n.done), n.unit)
	}
	return fmt.Sprintf("%s of %s %s", report.Integer(n.done), report.Integer(n.total), n.unit)
}

// bar is the progress of a stage, without a value if its end is unknown.
func (n stageNote) bar() g.Node {
	label := h.Aria("label", n.title)
	if n.total == 0 {
		return h.Progress(label)
	}
	return h.Progress(h.Max(strconv.FormatInt(n.total, 10)), h.Value(strconv.FormatInt(n.done, 10)), label)
}

// runState is the progress of a run.
type runState struct {
	Stages int    `json:"stages"` // finished ones
	Text   string `json:"text"`   // the state as a sentence
	HTML   string `json:"html"`   // the stages as part of the page
}

// watchEvery is the interval at which the progress of a run is checked.
const watchEvery = 400 * time.Millisecond

// watchRun streams the progress of a run, when it changes, until the run is no longer in progress.
func (s *Server) watchRun(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	dir, err := s.runDir(name)
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	stream(s, w, r, func(ctx context.Context, post poster) (result any, err error) {
		watch := runWatch{server: s, name: name, dir: dir}
		defer func() { err = cmp.Or(err, watch.close()) }()
		return watch.follow(ctx, post)
	})
}

// runWatch watches the progress of a run.
type runWatch struct {
	server    *Server
	name, dir string
	elsewhere *runElsewhere // nil unless another program works on the run
}

// follow posts the state of the run when it changes, and returns it when the run is no longer in progress.
func (w *runWatch) follow(ctx context.Context, post poster) (any, error) {
	tick := time.NewTicker(watchEvery)
	defer tick.Stop()
	var last runState
	for {
		state, inProgress, err := w.state(ctx)
		if err != nil {
			return nil, err
		}
		if !inProgress {
			// A page that has a result loads itself again, which it must not do from a server that ends.
			return state, context.Cause(w.server.done)
		}
		if state != last {
			last = state
			post("state", state)
		}
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
	}
}

// state returns the state of the run, and whether it is in progress.
func (w *runWatch) state(ctx context.Context) (state runState, inProgress bool, err error) {
	notes, _ := w.server.worker.notes(w.name)
	e := w.server.entry(w.name, w.dir)
	if e.working == workingElsewhere {
		notes, err = w.notesElsewhere(ctx)
		if err != nil {
			return runState{}, false, err
		}
	}
	html, err := report.Markup(live(notes))
	return runState{e.stages, e.text(), html}, e.working != "", err
}

// notesElsewhere returns the progress of a run that another program works on.
func (w *runWatch) notesElsewhere(ctx context.Context) ([]stageNote, error) {
	if w.elsewhere == nil {
		elsewhere, err := follow(w.dir)
		if err != nil {
			return nil, err
		}
		w.elsewhere = elsewhere
	}
	return w.elsewhere.stages(ctx)
}

func (w *runWatch) close() error {
	if w.elsewhere == nil {
		return nil
	}
	return w.elsewhere.close()
}
