package engine

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
	patterns "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

var counting patterns.Captures

var small = search.Options{HashMB: 1}

// searchers makes small searchers with an evaluation.
func searchers(eval search.Evaluator[oware.Position]) func() Searcher[oware.Position] {
	return func() Searcher[oware.Position] {
		return Own(search.NewSearcher(search.Knowledge[oware.Position]{Eval: eval}, small))
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
		jobs[i] = Job[oware.Position]{Number: i, Position: p, Limits: lim, AllMoves: i%3 == 0}
	}
	return jobs
}

// collect searches the jobs and files the results by number, without their clock.
func collect(t *testing.T, pool Pool[oware.Position], jobs []Job[oware.Position]) []Answer {
	t.Helper()
	out := make([]Answer, len(jobs))
	seen := make([]bool, len(jobs))
	err := pool.Search(context.Background(), parallel.List(jobs), func(j Job[oware.Position], r Answer) error {
		if seen[j.Number] {
			t.Errorf("job %d answered twice", j.Number)
		}
		seen[j.Number] = true
		r.Time = 0
		out[j.Number] = r
		return nil
	})
	testkit.NoError(t, err)
	for i, s := range seen {
		if !s {
			t.Errorf("job %d not answered", i)
		}
	}
	return out
}

// all takes any result.
func all(Job[oware.Position], Answer) error { return nil }

func TestResultsDoNotDependOnWorkers(t *testing.T) {
	jobs := jobsOf(walk(60), search.Limits{Nodes: 3000})
	want := collect(t, newPool(searchers(counting), 1), jobs)
	for _, workers := range []int{2, 4} {
		if got := collect(t, newPool(searchers(counting), workers), jobs); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers answer otherwise than one", workers)
		}
	}
}

func TestResultsDoNotDependOnOrder(t *testing.T) {
	jobs := jobsOf(walk(60), search.Limits{Nodes: 3000})
	want := collect(t, newPool(searchers(counting), 1), jobs)
	rand.New(rand.NewPCG(1, 2)).Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	for i, r := range collect(t, newPool(searchers(counting), 2), jobs) {
		if !reflect.DeepEqual(r, want[i]) {
			t.Fatalf("job %d: %+v after others, %+v in order", i, r, want[i])
		}
	}
}

func TestAnswersAreThoseOfAFreshSearcher(t *testing.T) {
	jobs := jobsOf(walk(10), search.Limits{Depth: 5})
	for i, r := range collect(t, newPool(searchers(counting), 2), jobs) {
		s := search.NewSearcher(search.Knowledge[oware.Position]{Eval: counting}, small)
		want := AnswerOf(s.Search(context.Background(), jobs[i].Position, nil, jobs[i].Limits, search.Query{AllMoves: jobs[i].AllMoves}), jobs[i].AllMoves)
		want.Time = 0
		if !reflect.DeepEqual(r, want) {
			t.Errorf("job %d: %+v; want %+v", i, r, want)
		}
	}
}

// slowly is captures that takes a while, by the clock of a bubble.
var slowly = search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
	time.Sleep(time.Millisecond)
	return counting.Evaluate(p)
})

func TestCancelledRunReportsNothingCutShort(t *testing.T) { synctest.Test(t, cancelledRun) }

func cancelledRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var evaluations atomic.Int64
	eval := search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
		if evaluations.Add(1) == 20_000 {
			cancel()
		}
		return counting.Evaluate(p)
	})
	l := newPool(searchers(eval), 3)
	err := l.Search(ctx, parallel.List(jobsOf(walk(40), search.Limits{})), func(j Job[oware.Position], r Answer) error {
		if !r.Proven { // no limit ends a search before
			t.Errorf("job %d was cut short and reported", j.Number)
		}
		return nil
	})
	testkit.Equal(t, err, context.Canceled, "error")
	// The pool is as good as new.
	jobs := jobsOf(walk(5), search.Limits{Depth: 3})
	if got, want := collect(t, l, jobs), collect(t, newPool(searchers(counting), 1), jobs); !reflect.DeepEqual(got, want) {
		t.Error("answers changed after a cancelled run")
	}
}

func TestContextAlreadyDone(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	err := newPool(searchers(counting), 2).Search(ctx, parallel.List(jobsOf(walk(3), search.Limits{Depth: 1})), func(j Job[oware.Position], r Answer) error {
		t.Error("reported a result")
		return nil
	})
	testkit.Equal(t, err, context.Canceled, "error")
}

func TestErrorOfDoneStopsTheRun(t *testing.T) { synctest.Test(t, errorOfDone) }

// In a bubble, a goroutine that the run leaves behind fails the test.
func errorOfDone(t *testing.T) {
	stop := errors.New("enough")
	calls := 0
	err := newPool(searchers(slowly), 2).Search(context.Background(), parallel.List(jobsOf(walk(100), search.Limits{Depth: 2})), func(j Job[oware.Position], r Answer) error {
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
		testkit.Equal(t, recover(), "mine", "recovered")
	}()
	newPool(searchers(slowly), 2).Search(context.Background(), parallel.List(jobsOf(walk(20), search.Limits{Depth: 2})),
		func(Job[oware.Position], Answer) error { panic("mine") })
}

func TestDoneIsNeverCalledTwiceAtATime(t *testing.T) {
	var inside atomic.Int32
	err := newPool(searchers(counting), 4).Search(context.Background(), parallel.List(jobsOf(walk(200), search.Limits{Depth: 1})), func(j Job[oware.Position], r Answer) error {
		testkit.Equal(t, inside.Add(1), 1, "two calls at a time")
		runtime.Gosched()
		inside.Add(-1)
		return nil
	})
	testkit.NoError(t, err)
}

func TestPanicOfASearchNamesThePosition(t *testing.T) {
	ps := walk(30)
	bad := ps[11]
	eval := search.EvaluatorFunc[oware.Position](func(p oware.Position) int {
		if p == bad.Play(bad.AppendMoves(nil)[0]) {
			panic("no such\nfeature")
		}
		return counting.Evaluate(p)
	})
	jobs := jobsOf(ps, search.Limits{Depth: 1})
	good := collect(t, newPool(searchers(counting), 1), jobs)
	pool := newPool(searchers(eval), 2)
	named := func(i int, err error) {
		if msg := err.Error(); !strings.Contains(msg, ps[i].String()) || !strings.Contains(msg, "no such feature") || strings.Contains(msg, "\n") {
			t.Errorf("error %q, want one line with position %s and the cause", msg, ps[i])
		}
	}
	first := -1
	for i, j := range jobs {
		r, err := pool.One(t.Context(), j)
		if err == nil {
			r.Time = 0
			if !reflect.DeepEqual(r, good[i]) {
				t.Errorf("job %d answered otherwise after a panic", i)
			}
			continue
		}
		if first < 0 {
			first = i
		}
		named(i, err)
		if !reflect.DeepEqual(r, Answer{}) {
			t.Errorf("a failed job has a search result: %+v", r)
		}
	}
	if first < 0 {
		t.Fatal("no job failed")
	}
	err := pool.Search(t.Context(), parallel.List(jobs[:first+1]), all)
	if err == nil {
		t.Fatal("a search panicked: no error")
	}
	named(first, err)
}

func TestEmptyBatch(t *testing.T) {
	for _, ctx := range []context.Context{context.Background(), cancelled()} {
		err := newPool(searchers(counting), 2).Search(ctx, parallel.List[Job[oware.Position]](nil), func(Job[oware.Position], Answer) error {
			return errors.New("called")
		})
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
		testkit.Equal(t, cap(newPool(searchers(counting), n).idle), runtime.GOMAXPROCS(0), "%d workers asked for", n)
	}
	testkit.Equal(t, cap(newPool(searchers(counting), 3).idle), 3, "cap")
}

func TestRunsAtTheSameTimeShareTheWorkers(t *testing.T) {
	l := newPool(searchers(counting), 2)
	jobs := jobsOf(walk(30), search.Limits{Depth: 3})
	want := collect(t, l, jobs)
	got := make(chan []Answer)
	for range 3 {
		go func() { got <- collect(t, l, jobs) }()
	}
	for range 3 {
		if !reflect.DeepEqual(<-got, want) {
			t.Error("a concurrent run gives other answers")
		}
	}
}
