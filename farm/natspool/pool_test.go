package natspool

import (
	"context"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
	owarefeatures "kroo/features/oware"
	"kroo/games/oware"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

// someJobs are searches of positions of random games.
func someJobs(n int, lim search.Limits) (jobs []engine.Job[oware.Position]) {
	r := rand.New(rand.NewPCG(3, 3))
	for p := oware.Start(oware.Abapa); len(jobs) < n; {
		if _, over := p.Terminal(); over {
			p = oware.Start(oware.Abapa)
		}
		moves := p.AppendMoves(nil)
		p = p.Play(moves[r.IntN(len(moves))])
		jobs = append(jobs, engine.Job[oware.Position]{Number: len(jobs), Position: p, Limits: lim})
	}
	return jobs
}

// results searches jobs and files the results by number, without their clock.
func results(t *testing.T, p engine.Pool[oware.Position], jobs []engine.Job[oware.Position]) []engine.Answer {
	t.Helper()
	list := make([]engine.Answer, len(jobs))
	err := p.Search(t.Context(), parallel.List(jobs), func(j engine.Job[oware.Position], r engine.Answer) error {
		if list[j.Number].Nodes > 0 {
			t.Errorf("job %d answered twice", j.Number)
		}
		r.Time = 0
		list[j.Number] = r
		return nil
	})
	testkit.NoError(t, err)
	return list
}

// searcher makes a worker do searches, whose answers are spoiled.
func searcher(spoil func(answer []byte) []byte) func(*WorkerConfig) {
	return func(c *WorkerConfig) {
		c.Engine = engine.Signature()
		c.Open = func(w farm.Work, files farm.Files, threads int) (farm.Doer, error) {
			spec, err := farm.DecodeEngineSpec(w.Spec)
			if err != nil {
				return nil, err
			}
			honest, err := farm.OpenSearches(engine.Oware(), spec, files, threads)
			return doing(func(ctx context.Context, task []byte) ([]byte, error) {
				answer, err := honest.Do(ctx, task)
				return spoil(answer), err
			}), err
		}
	}
}

// A worker that answers what cannot be ends the call, which names it.
func TestLyingWorkersAreRefused(t *testing.T) {
	t.Parallel()
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{Nodes: 500, HashMB: 1}}, "abapa"))(t)
	for want, spoil := range map[string]func([]byte) []byte{
		"not the answer of a search": func(b []byte) []byte { return b[:len(b)/2] },
		"expected a legal one": func(b []byte) []byte {
			a, _, _ := engine.ParseAnswer(b)
			a.Move = 6
			return a.Append(nil)
		},
	} {
		n, _ := dial(t, Config{})
		join(t, n, nil, searcher(spoil))
		remote := testkit.Must(farm.Searches(n, e, 0))(t)
		err := remote.Search(t.Context(), parallel.List(someJobs(5, e.Spec.Search.Limits())), nil)
		testkit.ErrorContains(t, err, "failed 5 times, the last time on worker ", want)
	}
}

// Searches on workers elsewhere are those on this machine: with the program's own
// evaluation and tables, and with weights from a file.
func TestResultsAreThoseOfTheLocalPool(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	for range 2 {
		join(t, n, nil, searcher(func(answer []byte) []byte { return answer }))
	}
	jobs := someJobs(150, search.Limits{Nodes: 500})
	model, _ := owarefeatures.FindByName("thesis4")
	file := filepath.Join(t.TempDir(), "weights")
	testkit.NoError(t, model.Save(file))
	for step, weights := range []string{engine.CapturesName, engine.DefaultName, file} {
		e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: weights, Search: engine.Config{Nodes: 500, HashMB: 1, Step: step}}, "abapa"))(t)
		local := testkit.Must(e.Searchers(2))(t)
		remote := testkit.Must(farm.Searches(n, e, 0))(t)
		if want, got := results(t, local, jobs), results(t, remote, jobs); !reflect.DeepEqual(got, want) {
			t.Errorf("weights %s: workers elsewhere answer otherwise", weights)
		}
		testkit.NoError(t, e.Close())
	}
}

// How many tasks per second a coordinator handles when they take no time, with n
// workers in this process, each with a connection of its own, and what memory all of it
// takes.
func BenchmarkInstantTasks(b *testing.B) {
	for _, count := range []int{2, 500} {
		b.Run(fmt.Sprintf("workers=%d", count), func(b *testing.B) {
			n, _ := dial(b, Config{})
			for range count {
				join(b, n, func(_ context.Context, task []byte) ([]byte, error) { return task, nil }, func(c *WorkerConfig) { c.Threads = 1 })
			}
			waitFor(b, func() bool { return workers(n) == count })
			s := open(b, n, farm.Work{})
			const all = 100_000
			var most uint64
			for b.Loop() {
				taken := 0
				err := s.do(b.Context(), tasks(all, func(int, []byte) error {
					if taken++; taken%(all/4) == 0 {
						most = max(most, heap())
					}
					return nil
				}))
				testkit.NoError(b, err)
			}
			b.ReportMetric(float64(b.N*all)/b.Elapsed().Seconds(), "tasks/s")
			b.ReportMetric(float64(most)/(1<<20), "MiB")
		})
	}
}

// heap returns the size of the heap.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// The rate of two workers over that of a local pool of two, in turns, in tasks that wait for 5 ms
// and do nothing: what the farm itself costs, on a machine that has other work too.
func BenchmarkTwoWaitingWorkersAgainstLocal(b *testing.B) {
	const all = 2000
	wait := func() { time.Sleep(5 * time.Millisecond) }
	n, _ := dial(b, Config{})
	for range 2 {
		join(b, n, func(_ context.Context, task []byte) ([]byte, error) {
			wait()
			return task, nil
		}, func(c *WorkerConfig) { c.Threads = 1 })
	}
	s := open(b, n, farm.Work{})
	took := func(run func()) float64 {
		begin := time.Now()
		run()
		return time.Since(begin).Seconds()
	}
	local := func() { parallel.For(2, all, func(int, int) { wait() }) }
	far := func() {
		testkit.NoError(b, s.do(b.Context(), tasks(all, anything)))
	}
	far() // opens the session
	var ratios []float64
	for b.Loop() {
		ratios = append(ratios, took(local)/took(far))
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "rate/local")
}
