package engine

import (
	"bytes"
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kroo/engine/search"
	owarefeatures "kroo/features/oware"
	"kroo/games/gametest"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

var counting owarefeatures.Captures

var small = search.Options{HashMB: 1}

// searchers makes small searchers with an evaluation.
func searchers(eval search.Evaluator[oware.Position]) func() Searcher[oware.Position] {
	return func() Searcher[oware.Position] {
		return Own(search.NewSearcher(search.Knowledge[oware.Position]{Eval: eval}, small))
	}
}

func jobsOf(ps []oware.Position, lim search.Limits) []Job[oware.Position] {
	jobs := make([]Job[oware.Position], len(ps))
	for i, p := range ps {
		jobs[i] = Job[oware.Position]{Number: i, Position: p, Limits: lim}
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

// So they depend neither on the number of workers nor on the order of the jobs.
func TestAnswersAreThoseOfAFreshSearcher(t *testing.T) {
	jobs := jobsOf(gametest.Walk(oware.Start(oware.Abapa), 60), search.Limits{Nodes: 3000})
	want := make([]Answer, len(jobs))
	for i, j := range jobs {
		s := search.NewSearcher(search.Knowledge[oware.Position]{Eval: counting}, small)
		want[i] = AnswerOf(s.Search(context.Background(), j.Position, nil, j.Limits, search.Query{}))
		want[i].Time = 0
	}
	for _, workers := range []int{1, 2, 4} {
		if got := collect(t, newPool(searchers(counting), workers), jobs); !reflect.DeepEqual(got, want) {
			t.Errorf("%d workers: %+v; want %+v", workers, got, want)
		}
		rand.New(rand.NewPCG(1, 2)).Shuffle(len(jobs), func(i, j int) { jobs[i], jobs[j] = jobs[j], jobs[i] })
	}
}

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
	err := l.Search(ctx, parallel.List(jobsOf(gametest.Walk(oware.Start(oware.Abapa), 40), search.Limits{})), func(j Job[oware.Position], r Answer) error {
		if !r.Proven { // no limit ends a search before
			t.Errorf("job %d was cut short and reported", j.Number)
		}
		return nil
	})
	testkit.Equal(t, err, context.Canceled, "error")
	// The pool is as good as new.
	jobs := jobsOf(gametest.Walk(oware.Start(oware.Abapa), 5), search.Limits{Depth: 3})
	if got, want := collect(t, l, jobs), collect(t, newPool(searchers(counting), 1), jobs); !reflect.DeepEqual(got, want) {
		t.Error("answers changed after a cancelled run")
	}
}

func TestPanicOfASearchNamesThePosition(t *testing.T) {
	ps := gametest.Walk(oware.Start(oware.Abapa), 30)
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
	failed := 0
	for i, j := range jobs {
		r, err := pool.One(t.Context(), j)
		r.Time = 0
		if err == nil && !reflect.DeepEqual(r, good[i]) {
			t.Errorf("job %d answered otherwise after a panic", i)
		}
		if err == nil {
			continue
		}
		failed++
		if msg := err.Error(); !strings.Contains(msg, ps[i].String()) || !strings.Contains(msg, "no such feature") || strings.Contains(msg, "\n") {
			t.Errorf("error %q, want one line with position %s and the cause", msg, ps[i])
		}
	}
	if err := pool.Search(t.Context(), parallel.List(jobs), all); failed == 0 || err == nil {
		t.Errorf("%d jobs failed; error %v", failed, err)
	}
}

func TestRunsAtTheSameTimeShareTheWorkers(t *testing.T) {
	l := newPool(searchers(counting), 2)
	jobs := jobsOf(gametest.Walk(oware.Start(oware.Abapa), 30), search.Limits{Depth: 3})
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

var answers = []Answer{
	{},
	{HasMove: true, Book: true, Move: 3},
	{Score: -search.Win, Steady: -search.Win, Proven: true, Nodes: 1},
	{HasMove: true, Move: 1<<16 - 1, Score: -5, Steady: 7, Depth: 512, Nodes: search.MaxNodes, Time: 20 * time.Microsecond},
}

// Answers follow each other without anything between.
func TestAnswersComeBackAsTheyWere(t *testing.T) {
	var text []byte
	for _, a := range answers {
		text = a.Append(text)
	}
	for _, want := range answers {
		got, rest, err := ParseAnswer(text)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%+v comes back as %+v, %v", want, got, err)
		}
		text = rest
	}
	testkit.Equal(t, len(text), 0, "bytes left")
}

func TestDamagedAnswersAreRefused(t *testing.T) {
	good := answers[3].Append(nil)
	for n := range good {
		_, _, err := ParseAnswer(good[:n])
		testkit.ErrorContains(t, err, "not the answer of a search")
	}
	for name, spoil := range map[string]func(*Answer){
		"score":      func(a *Answer) { a.Score = search.Win + 1 },
		"steady":     func(a *Answer) { a.Steady = -search.Win - 1 },
		"depth":      func(a *Answer) { a.Depth = search.MaxPly + 1 },
		"nodes":      func(a *Answer) { a.Nodes = -1 },
		"more nodes": func(a *Answer) { a.Nodes = search.MaxNodes + 1 },
		"time":       func(a *Answer) { a.Time = -time.Second },
	} {
		bad := answers[3]
		spoil(&bad)
		if _, _, err := ParseAnswer(bad.Append(nil)); err == nil {
			t.Errorf("%s out of range: no error", name)
		}
	}
}

func FuzzParseAnswer(f *testing.F) {
	for _, a := range answers {
		f.Add(a.Append(nil))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		a, rest, err := ParseAnswer(text)
		if err != nil {
			return
		}
		back, none, err := ParseAnswer(a.Append(nil))
		if err != nil || len(none) > 0 || !reflect.DeepEqual(back, a) || !bytes.HasSuffix(text, rest) {
			t.Errorf("%+v comes back as %+v, %v", a, back, err)
		}
	})
}
