package natspool

import (
	"context"
	"fmt"
	"os"
	"runtime"
	"slices"
	"strconv"
	"testing"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/farm"
	"kroo/games/oware"
	"kroo/internal/parallel"
)

// How many tasks a second a coordinator handles when they take no time, with so many
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
				if err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.N*all)/b.Elapsed().Seconds(), "tasks/s")
			b.ReportMetric(float64(most)/(1<<20), "MiB")
		})
	}
}

// heap is what the heap holds.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// searching makes a worker do real searches.
func searching(c *WorkerConfig) {
	c.Threads, c.Engine = 1, engine.Signature()
	c.Open = func(w farm.Work, files farm.Files, threads int) (farm.Doer, error) {
		spec, err := farm.DecodeEngineSpec(w.Spec)
		if err != nil {
			return nil, err
		}
		return farm.OpenSearches(engine.Oware(), spec, files, threads)
	}
}

// The rate of two workers over that of a local pool of two, in searches of some 5 ms
// (KROO_NODES changes their nodes), in turns.
func BenchmarkTwoWorkersAgainstLocal(b *testing.B) {
	nodes := int64(30_000)
	if text := os.Getenv("KROO_NODES"); text != "" {
		var err error
		if nodes, err = strconv.ParseInt(text, 10, 64); err != nil {
			b.Fatal(err)
		}
	}
	e, err := engine.Open(engine.Oware(), engine.DefaultName, "", engine.Config{Nodes: nodes, HashMB: 4}, "abapa")
	if err != nil {
		b.Fatal(err)
	}
	defer e.Close()
	n, _ := dial(b, Config{})
	for range 2 {
		join(b, n, nil, searching)
	}
	var pools [2]engine.Pool[oware.Position]
	if pools[0], err = e.Searchers(2); err != nil {
		b.Fatal(err)
	}
	if pools[1], err = farm.Searches(n, e, 0); err != nil {
		b.Fatal(err)
	}
	jobs := someJobs(300, search.Limits{Nodes: nodes})
	for i := range jobs {
		jobs[i].AllMoves = false
	}
	compareRates(b, len(jobs), func(i int) {
		if err := pools[i].Search(b.Context(), parallel.List(jobs), func(engine.Job[oware.Position], search.Result) error { return nil }); err != nil {
			b.Fatal(err)
		}
	})
}

// The same with tasks that wait for 5 ms and do nothing: what the farm itself costs, on
// a machine that has other work too.
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
	compareRates(b, all, func(i int) {
		if i == 0 {
			parallel.For(2, all, func(int, int) { wait() })
			return
		}
		if err := s.do(b.Context(), tasks(all, anything)); err != nil {
			b.Fatal(err)
		}
	})
}

// compareRates runs 0, the local pool of two, and 1, the farm, in turns, and reports the
// median of their ratios.
func compareRates(b *testing.B, tasks int, run func(i int)) {
	took := func(i int) time.Duration {
		begin := time.Now()
		run(i)
		return time.Since(begin)
	}
	took(1) // opens the sessions
	var ratios []float64
	var local time.Duration
	for b.Loop() {
		l, f := took(0), took(1)
		local += l
		ratios = append(ratios, l.Seconds()/f.Seconds())
	}
	slices.Sort(ratios)
	b.ReportMetric(ratios[len(ratios)/2], "rate/local")
	b.ReportMetric(2*local.Seconds()*1000/float64(b.N*tasks), "ms/job")
}
