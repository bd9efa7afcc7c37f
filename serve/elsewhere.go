package serve

import (
	"context"
	"time"

	"kroo/run"
)

// runElsewhere follows a run that another program works on, such as one in a terminal. A stage is timed
// from when it is first seen.
type runElsewhere struct {
	follower *run.Follower
	notes    []stageNote
}

// follow follows the run in a folder. Close it.
func follow(dir string) (*runElsewhere, error) {
	f, err := run.Follow(dir)
	if err != nil {
		return nil, err
	}
	o := &runElsewhere{follower: f}
	for _, title := range f.Titles() {
		o.notes = append(o.notes, stageNote{title: title, state: waiting})
	}
	return o, nil
}

// stages returns the progress of all stages.
func (o *runElsewhere) stages(ctx context.Context) ([]stageNote, error) {
	standing, err := o.follower.Standing(ctx)
	if err != nil {
		return nil, err
	}
	for i := range o.notes {
		n := &o.notes[i]
		switch {
		case standing.Finished[n.title]:
			n.state = finished
		case n.title == standing.Stage:
			o.update(n, standing)
		}
	}
	return o.notes, nil
}

// update notes how far the stage in work is.
func (o *runElsewhere) update(n *stageNote, s run.Standing) {
	now := time.Now()
	if n.state != working {
		n.state = working
		n.started = now
		n.first = s.Done
	}
	n.unit = s.Unit
	n.done = s.Done
	n.total = s.Total
	n.figures = s.Figures
	n.seconds = now.Sub(n.started).Seconds()
}

func (o *runElsewhere) close() error { return o.follower.Close() }
