package search

import (
	"context"
	"testing"
	"time"

	evaluations "kroo/features/oware"
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
		want, _ := AlphaBeta(p, nil, depth, evaluations.Captures{})
		for threads := range 5 {
			s := NewSearcher(evaluations.Captures{}, Options{HashMB: 1, StrictDepth: true, Threads: threads})
			r := s.Search(context.Background(), p, nil, Limits{Depth: depth}, Query{})
			if r.Depth == depth && r.Score != want || r.Proven != Proven(want) {
				t.Errorf("%s, %d threads: %d at depth %d, want %d", p, threads, r.Score, r.Depth, want)
			}
		}
	}
}

func TestThreadsStopTogether(t *testing.T) {
	s := NewSearcher(evaluations.Captures{}, Options{HashMB: 1, Threads: 4})
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
	a := NewSearcher(evaluations.Captures{}, Options{HashMB: 1}).Search(context.Background(), p, nil, Limits{Depth: 12}, Query{})
	b := NewSearcher(evaluations.Captures{}, Options{HashMB: 1, Threads: 1}).Search(context.Background(), p, nil, Limits{Depth: 12}, Query{})
	if a.Nodes != b.Nodes || a.Score != b.Score {
		t.Errorf("%d nodes and %d nodes", a.Nodes, b.Nodes)
	}
}

// A move that another thread has announced is put off, but not a second time,
// and only at the depth it is searched to.
func TestAnnouncedMovesArePutOffOnce(t *testing.T) {
	s := NewSearcher(evaluations.Captures{}, Options{HashMB: 1, Threads: 2})
	child := oware.Start(oware.Abapa).Play(0)
	var first, second, deeper int32
	hash, putOff := s.helpers[0].announce(child, 8, &first)
	if putOff || hash == 0 {
		t.Fatalf("the first to announce gets %#x, put off %t", hash, putOff)
	}
	if _, putOff := s.announce(child, 9, &deeper); putOff || deeper != 0 {
		t.Error("put off, but it is searched to another depth")
	}
	if _, putOff := s.announce(child, 8, &second); !putOff || second != putOffPriority {
		t.Errorf("put off %t, priority %d", putOff, second)
	}
	if _, putOff := s.announce(child, 8, &second); putOff {
		t.Error("put off twice")
	}
	s.helpers[0].over(hash)
	if second = 0; s.announced.place(hash).Load() == hash {
		t.Error("announced still")
	}
	if _, putOff := s.announce(child, 8, &second); putOff {
		t.Error("put off, but the other is done")
	}
}

func TestOneThreadAnnouncesNothing(t *testing.T) {
	s := NewSearcher(evaluations.Captures{}, Options{HashMB: 1})
	var priority int32
	if hash, putOff := s.announce(oware.Start(oware.Abapa), 20, &priority); hash != 0 || putOff {
		t.Errorf("%#x, put off %t", hash, putOff)
	}
}
