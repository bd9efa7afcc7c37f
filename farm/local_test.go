package farm

import (
	"context"
	"errors"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kroo/engine/search"
	evaluations "kroo/features/oware"
	"kroo/games/oware"
)

var captures evaluations.Captures

var small = search.Options{HashMB: 1}

// searchers makes small searchers with an evaluation.
func searchers(eval search.Evaluator[oware.Position]) func() *search.Searcher[oware.Position] {
	return func() *search.Searcher[oware.Position] {
		return search.NewSearcher(search.Knowledge[oware.Position]{Eval: eval}, small)
	}
}

// walk gives n positions from random games, so that jobs differ.
func walk(n int) []oware.Position {
	r := rand.New(rand.NewPCG(7, 7))
	var ps []oware.Position
	for p := oware.Start(oware.Abapa); len(ps) < n; {
		if _, over := p.Terminal(); over {
			p = oware.Start(oware.Abapa)
		}
		moves := p.AppendMoves(nil)
		p = p.Play(moves[r.IntN(len(moves))])
		ps = append(ps, p)
	}
	return ps
}

func jobsOf(ps []oware.Position, lim search.Limits) []Job[oware.Position] {
	jobs := make([]Job[oware.Position], len(ps))
	for i, p := range ps {
		jobs[i] = Job[oware.Position]{Position: p, Limits: lim, AllMoves: i%3 == 0}
	}
	return jobs
}

// collect runs the jobs and files the results by index, without their clock.
func collect(t *testing.T, l Pool[oware.Position], jobs []Job[oware.Position]) []Result {
	t.Helper()
	out := make([]Result, len(jobs))
	seen := make([]bool, len(jobs))
	err := l.Run(context.Background(), jobs, func(r Result) error {
		if seen[r.Index] {
			t.Errorf("job %d answered twice", r.Index)
		}
		seen[r.Index] = true
		r.Search.Time = 0
		out[r.Index] = r
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for i, s := range seen {
		if !s {
			t.Errorf("job %d not answered", i)
		}
	}
	return out
}

func TestResultsDoNotDependOnWorkers(t *testing.T) {
	jobs := jobsOf(walk(60), search.Limits{Nodes: 3000})
	want := collect(t, NewLocal(searchers(captures), 1), jobs)
	for _, workers := range []int{2, 4} {
		if got := collect(t, NewLocal(searchers(captures), workers), jobs); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers answer otherwise than one", workers)
		}
	}
}

func TestResultsDoNotDependOnOrder(t *testing.T) {
	jobs := jobsOf(walk(60), search.Limits{Nodes: 3000})
	want := collect(t, NewLocal(searchers(captures), 1), jobs)
	order := rand.New(rand.NewPCG(1, 2)).Perm(len(jobs))
	shuffled := make([]Job[oware.Position], len(jobs))
	for i, j := range order {
		shuffled[i] = jobs[j]
	}
	for i, r := range collect(t, NewLocal(searchers(captures), 2), shuffled) {
		r.Index = order[i]
		if !reflect.DeepEqual(r, want[order[i]]) {
			t.Fatalf("job %d: %+v after others, %+v in order", order[i], r, want[order[i]])
		}
	}
}

func TestAnswersAreThoseOfAFreshSearcher(t *testing.T) {
	jobs := jobsOf(walk(10), search.Limits{Depth: 5})
	for i, r := range collect(t, NewLocal(searchers(captures), 2), jobs) {
		s := search.NewSearcher(search.Knowledge[oware.Position]{Eval: captures}, small)
		want := s.Search(context.Background(), jobs[i].Position, nil, jobs[i].Limits, search.Query{AllMoves: jobs[i].AllMoves})
		want.Time = 0
		if r.Err != nil || !reflect.DeepEqual(r.Search, want) {
			t.Errorf("job %d: %+v, %v; want %+v", i, r.Search, r.Err, want)
		}
	}
}

// slowly is captures that takes long enough for a worker to hand over each result,
// by the clock of a bubble.
var slowly = search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
	time.Sleep(handOver)
	return captures.Evaluate(p)
})

func TestCancelledRunReportsNothingCutShort(t *testing.T) { synctest.Test(t, cancelledRun) }

func cancelledRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var evaluations atomic.Int64
	eval := search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
		if evaluations.Add(1) == 20_000 {
			cancel()
		}
		return captures.Evaluate(p)
	})
	l := NewLocal(searchers(eval), 3)
	err := l.Run(ctx, jobsOf(walk(40), search.Limits{}), func(r Result) error {
		if r.Search.Stopped {
			t.Errorf("job %d was cut short and reported", r.Index)
		}
		return nil
	})
	if err != context.Canceled {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
	// The pool is as good as new.
	jobs := jobsOf(walk(5), search.Limits{Depth: 3})
	if got, want := collect(t, l, jobs), collect(t, NewLocal(searchers(captures), 1), jobs); !reflect.DeepEqual(got, want) {
		t.Error("answers changed after a cancelled run")
	}
}

func TestContextAlreadyDone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := NewLocal(searchers(captures), 2).Run(ctx, jobsOf(walk(3), search.Limits{Depth: 1}), func(Result) error {
		t.Error("reported a result")
		return nil
	})
	if err != context.Canceled {
		t.Errorf("error %v, want %v", err, context.Canceled)
	}
}

func TestErrorOfDoneStopsTheRun(t *testing.T) { synctest.Test(t, errorOfDone) }

// In a bubble, a goroutine that the run leaves behind fails the test.
func errorOfDone(t *testing.T) {
	stop := errors.New("enough")
	calls := 0
	err := NewLocal(searchers(slowly), 2).Run(context.Background(), jobsOf(walk(100), search.Limits{Depth: 2}), func(Result) error {
		if calls++; calls == 5 {
			return stop
		}
		return nil
	})
	if err != stop || calls != 5 {
		t.Errorf("error %v after %d calls, want %v after 5", err, calls, stop)
	}
}

func TestPanicOfDoneReachesTheCaller(t *testing.T) { synctest.Test(t, panicOfDone) }

func panicOfDone(t *testing.T) {
	defer func() {
		if p := recover(); p != "mine" {
			t.Errorf("recovered %v", p)
		}
	}()
	NewLocal(searchers(slowly), 2).Run(context.Background(), jobsOf(walk(20), search.Limits{Depth: 2}),
		func(Result) error { panic("mine") })
}

func TestDoneIsNeverCalledTwiceAtATime(t *testing.T) {
	var inside atomic.Int32
	err := NewLocal(searchers(captures), 4).Run(context.Background(), jobsOf(walk(200), search.Limits{Depth: 1}), func(Result) error {
		if inside.Add(1) != 1 {
			t.Error("two calls at a time")
		}
		runtime.Gosched()
		inside.Add(-1)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestPanicOfASearchNamesThePosition(t *testing.T) {
	ps := walk(30)
	bad := ps[11]
	eval := search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
		if p == bad.Play(bad.AppendMoves(nil)[0]) {
			panic("no such\nfeature")
		}
		return captures.Evaluate(p)
	})
	good := collect(t, NewLocal(searchers(captures), 1), jobsOf(ps, search.Limits{Depth: 1}))
	failed := 0
	for i, r := range collect(t, NewLocal(searchers(eval), 2), jobsOf(ps, search.Limits{Depth: 1})) {
		if r.Err == nil {
			if !reflect.DeepEqual(r, good[i]) {
				t.Errorf("job %d answered otherwise after a panic", i)
			}
			continue
		}
		failed++
		msg := r.Err.Error()
		if !strings.Contains(msg, ps[i].String()) || !strings.Contains(msg, "no such feature") || strings.Contains(msg, "\n") {
			t.Errorf("error %q, want one line with position %s and the cause", msg, ps[i])
		}
		if !reflect.DeepEqual(r.Search, search.Result{}) {
			t.Errorf("a failed job has a search result: %+v", r.Search)
		}
	}
	if failed == 0 {
		t.Error("no job failed")
	}
}

func TestEmptyBatch(t *testing.T) {
	for _, ctx := range []context.Context{context.Background(), cancelled()} {
		err := NewLocal(searchers(captures), 2).Run(ctx, nil, func(Result) error { return errors.New("called") })
		if err != nil {
			t.Error(err)
		}
	}
}

func cancelled() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return ctx
}

func TestNoWorkersMeansOneAProcessor(t *testing.T) {
	for _, n := range []int{0, -3} {
		if got := NewLocal(searchers(captures), n).Workers(); got != runtime.GOMAXPROCS(0) {
			t.Errorf("%d workers asked for: %d, want %d", n, got, runtime.GOMAXPROCS(0))
		}
	}
	if got := NewLocal(searchers(captures), 3).Workers(); got != 3 {
		t.Errorf("%d workers, want 3", got)
	}
}

func TestRunsAtTheSameTimeShareTheWorkers(t *testing.T) {
	l := NewLocal(searchers(captures), 2)
	jobs := jobsOf(walk(30), search.Limits{Depth: 3})
	want := collect(t, l, jobs)
	got := make(chan []Result)
	for range 3 {
		go func() { got <- collect(t, l, jobs) }()
	}
	for range 3 {
		if !reflect.DeepEqual(<-got, want) {
			t.Error("a run beside others answers otherwise")
		}
	}
}

func TestClosedPoolRefusesWork(t *testing.T) {
	l := NewLocal(searchers(captures), 2)
	for range 2 {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	}
	if err := l.Run(context.Background(), jobsOf(walk(1), search.Limits{Depth: 1}), func(Result) error { return nil }); err == nil {
		t.Error("a closed pool ran")
	}
}

// The pool's own cost: jobs of one node.
func BenchmarkLocal(b *testing.B) {
	l := NewLocal(searchers(captures), 0)
	jobs := jobsOf(walk(1000), search.Limits{Nodes: 1})
	b.ReportAllocs()
	for b.Loop() {
		if err := l.Run(context.Background(), jobs, func(Result) error { return nil }); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*len(jobs)), "ns/job")
}
