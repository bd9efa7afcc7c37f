package engine

import (
	"context"
	"testing"
	"time"

	"kroo/games/oware"
)

// The exact answers do not depend on the number of threads, and with
// StrictDepth neither do scores.
func TestThreadsGiveTheSameExactAnswers(t *testing.T) {
	for _, p := range endingsOf(t, 60) {
		if _, over := p.Terminal(); over {
			continue
		}
		const depth = 8
		want, _ := AlphaBeta(p, nil, depth, Captures)
		for threads := range 5 {
			s := NewSearcher(Captures, Options{HashMB: 1, StrictDepth: true, Threads: threads})
			r := s.Search(context.Background(), p, nil, Limits{Depth: depth}, Query{})
			if r.Depth == depth && r.Score != want || r.Proven != Proven(want) {
				t.Errorf("%s, %d threads: %d at depth %d, want %d", p, threads, r.Score, r.Depth, want)
			}
		}
	}
}

func TestThreadsStopTogether(t *testing.T) {
	s := NewSearcher(Captures, Options{HashMB: 1, Threads: 4})
	p := oware.Start(oware.Abapa)
	for range 20 {
		r := s.Search(context.Background(), p, nil, Limits{Nodes: 20_000}, Query{})
		if r.Depth < 5 || !p.IsLegal(r.Best) {
			t.Errorf("%+v", r)
		}
	}
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(time.Millisecond, cancel)
	if r := s.Search(ctx, p, nil, Limits{}, Query{}); !r.Stopped {
		t.Errorf("%+v", r)
	}
}

func TestOneThreadIsReproducible(t *testing.T) {
	p := oware.Start(oware.Abapa)
	a := NewSearcher(Captures, Options{HashMB: 1}).Search(context.Background(), p, nil, Limits{Depth: 12}, Query{})
	b := NewSearcher(Captures, Options{HashMB: 1, Threads: 1}).Search(context.Background(), p, nil, Limits{Depth: 12}, Query{})
	if a.Nodes != b.Nodes || a.Score != b.Score {
		t.Errorf("%d nodes and %d nodes", a.Nodes, b.Nodes)
	}
}
