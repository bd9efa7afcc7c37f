package natspool

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"testing"
	"time"

	"kroo/farm"
	"kroo/internal/parallel"
	"kroo/internal/testkit"
)

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
