package search

import (
	"context"
	"testing"
	"time"

	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

// With StrictDepth, scores and proofs do not depend on the number of threads.
func TestThreadsGiveTheSameExactAnswers(t *testing.T) {
	for _, p := range endingsOf(t, 60) {
		if _, over := p.Terminal(); over {
			continue
		}
		const depth = 8
		want, _ := AlphaBeta(p, nil, depth, evaluations.Captures{})
		for threads := range 5 {
			s := NewSearcher(captures, Options{HashMB: 1, StrictDepth: true, Threads: threads})
			r := s.Search(context.Background(), p, nil, Limits{Depth: depth}, Query{})
			if r.Depth == depth && r.Score != want || r.Proven != Proven(want) {
				t.Errorf("%s, %d threads: %d at depth %d, want %d", p, threads, r.Score, r.Depth, want)
			}
		}
	}
}

func TestThreadsStopTogether(t *testing.T) {
	s := NewSearcher(captures, Options{HashMB: 1, Threads: 4})
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

// A move that another thread has marked is deferred once, and only if the depth is the same.
func TestMarkedMovesAreDeferredOnce(t *testing.T) {
	s := NewSearcher(captures, Options{HashMB: 1, Threads: 2})
	child := oware.Start(oware.Abapa).Play(0)
	hash, later := s.helpers[0].mark(child, 8, 0)
	if later || hash == 0 {
		t.Fatalf("the first mark: %#x, deferred %t", hash, later)
	}
	if _, later := s.mark(child, 9, 0); later {
		t.Error("deferred despite a different depth")
	}
	if _, later := s.mark(child, 8, 0); !later {
		t.Error("not deferred")
	}
	if _, later := s.mark(child, 8, -deferral); later {
		t.Error("deferred twice")
	}
	s.helpers[0].unmark(hash)
	if s.marks.place(hash).Load() == hash {
		t.Error("still marked")
	}
	if _, later := s.mark(child, 8, 0); later {
		t.Error("deferred after unmark")
	}
}

func TestOneThreadMarksNothing(t *testing.T) {
	s := NewSearcher(captures, Options{HashMB: 1})
	if hash, later := s.mark(oware.Start(oware.Abapa), 20, 0); hash != 0 || later {
		t.Errorf("%#x, deferred %t", hash, later)
	}
}

func TestDeferredMovesStayQuietOrTactical(t *testing.T) {
	for p, want := range map[int32]bool{-maxHint: true, -3: true, 0: true, 1: false, 15: false, maxHint: false} {
		if deferred(p) || quiet(p) != want || !deferred(p-deferral) || quiet(p-deferral) != want || p >= hashPriority {
			t.Errorf("priority %d, quiet %t; deferred %d, quiet %t", p, quiet(p), p-deferral, quiet(p-deferral))
		}
	}
}
