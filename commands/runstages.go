package commands

import (
	"fmt"
	"os"
	"time"

	"kroo/internal/parallel"
	"kroo/internal/wording"
	"kroo/run"
)

// stages shows a run's stages, and how long the whole run still takes: the time that this
// program has worked, by the share of the work that it has done.
type stages struct {
	shares []run.StageShare
	now    func() time.Time
	begun  time.Time // zero before the first stage
	did    float64   // share of the run that this program has done, in stages that are finished
	before float64   // share that was done before
}

func newStages(r *run.Run) *stages { return &stages{shares: r.Shares(), now: time.Now} }

// place is the number of a stage, from 1, and its share of the run.
func (s *stages) place(title string) (number int, share float64) {
	for i, stage := range s.shares {
		if stage.Title == title {
			return i + 1, stage.Share
		}
	}
	return 0, 0
}

func (s *stages) label(title string) string {
	number, _ := s.place(title)
	return fmt.Sprintf("stage %d of %d, %s", number, len(s.shares), title)
}

// Stage is as run.Observer says.
func (s *stages) Stage(title, unit string) (parallel.Progress, func()) {
	if s.begun.IsZero() {
		s.begun = s.now()
	}
	_, share := s.place(title)
	m := newMeter(s.label(title), unit)
	m.toGo = func() string { return s.toGo(share, m) }
	return m.update, func() {
		m.finish()
		old := share * portion(m.first, m.total)
		s.did, s.before = s.did+share-old, s.before+old
	}
}

// toGo reports how long the run still takes, "" where too little is done to say.
func (s *stages) toGo(share float64, m *meter) string {
	did := s.did + share*portion(m.done-m.first, m.total)
	took := s.now().Sub(s.begun)
	if did < 0.005 || took < 2*time.Second {
		return ""
	}
	left := max(1-s.before-s.did-share*portion(m.done, m.total), 0)
	span := wording.Span(took.Seconds() * left / did)
	if span == "" {
		return ""
	}
	return span + " to go in all"
}

// portion is how much n is of all.
func portion(n, all int64) float64 { return float64(n) / float64(max(all, 1)) }

// Skip is as run.Observer says.
func (s *stages) Skip(title string) {
	_, share := s.place(title)
	s.before += share
	fmt.Fprintf(os.Stderr, "%s: finished before\n", s.label(title))
}
