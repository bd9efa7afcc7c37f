package parallel

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"kroo/internal/testkit"
)

var errJob = errors.New("a job failed")

func TestWorkers(t *testing.T) {
	for n, want := range map[int]int{-1: runtime.GOMAXPROCS(0), 0: runtime.GOMAXPROCS(0), 1: 1, 7: 7} {
		testkit.Equal(t, Workers(n), want, "Workers(%d)", n)
	}
}

func TestEveryJobIsDoneOnce(t *testing.T) {
	for _, workers := range []int{0, 1, 3, 20} {
		for _, n := range []int{0, 1, 2, 100} {
			done := make([]atomic.Int32, n)
			once := func(how string) {
				t.Helper()
				for i := range done {
					testkit.Equal(t, done[i].Swap(0), 1, "%s, %d workers: job %d of %d not done once", how, workers, i, n)
				}
			}
			For(workers, n, func(_, i int) { done[i].Add(1) })
			once("For")
			if err := Do(t.Context(), workers, n, func(_ context.Context, _, i int) error { done[i].Add(1); return nil }); err != nil {
				t.Error(err)
			}
			once("Do")
			if err := Collect(t.Context(), workers, Numbers(n), func(_ context.Context, _, i int) (int, error) { return 3 * i, nil },
				func(i, triple int) error {
					testkit.Equal(t, triple, 3*i, "job %d has the result", i)
					done[i].Add(1)
					return nil
				}); err != nil {
				t.Error(err)
			}
			once("Collect")
		}
	}
}

// The counters have no locks: the race detector reports a worker number used by two goroutines.
func TestWorkerNumbersAreExclusive(t *testing.T) {
	counts := make([]int, 3)
	For(3, 1000, func(worker, _ int) { counts[worker]++ })
	testkit.Equal(t, counts[0]+counts[1]+counts[2], 1000, "counts %v: want a sum of 1000", counts)
	For(3, 2, func(worker, _ int) {
		if worker > 1 {
			t.Errorf("worker %d for two jobs", worker)
		}
	})
}

func TestNumberOfConcurrentJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var running atomic.Int32
		seen := make([]int32, 40)
		For(4, 40, func(_, i int) {
			seen[i] = running.Add(1)
			time.Sleep(time.Second)
			running.Add(-1)
		})
		testkit.Equal(t, slices.Max(seen), 4, "slices.Max")
	})
}

func TestFirstErrorStopsTheJobs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var started []int
		err := Do(t.Context(), 2, 100, func(ctx context.Context, worker, i int) error {
			if worker == 0 { // a single worker shows which jobs are started
				started = append(started, i)
			}
			switch {
			case i == 4:
				return errJob
			case i > 4: // queued when job 4 fails
				<-ctx.Done()
				return ctx.Err()
			}
			time.Sleep(time.Duration(1+i) * time.Second)
			return nil
		})
		testkit.Equal(t, err, errJob, "error")
		if len(started) > 4 {
			t.Errorf("jobs %v were started", started)
		}
	})
}

func TestContextStopsTheJobs(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var done atomic.Int32
	err := Do(ctx, 2, 100, func(_ context.Context, _, i int) error {
		if done.Add(1) == 5 {
			cancel()
		}
		return nil
	})
	if !errors.Is(err, context.Canceled) || done.Load() > 6 {
		t.Errorf("error %v after %d jobs", err, done.Load())
	}
	// A context that ends with the last job has not stopped any.
	ctx, cancel = context.WithCancel(t.Context())
	if err := Do(ctx, 1, 5, func(_ context.Context, _, i int) error {
		if i == 4 {
			cancel()
		}
		return nil
	}); err != nil {
		t.Errorf("all jobs are done: %v", err)
	}
	if err := Do(ctx, 1, 1, func(context.Context, int, int) error { t.Error("started"); return nil }); !errors.Is(err, context.Canceled) {
		t.Errorf("a context that is done: %v", err)
	}
}

func TestFinishedResultsAreTakenAfterAnError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var taken []int
		err := Collect(t.Context(), 3, Numbers(3), func(ctx context.Context, _, i int) (int, error) {
			if i == 0 {
				time.Sleep(time.Second)
				return 0, errJob
			}
			<-ctx.Done() // finishes although another job failed
			return i, nil
		}, func(i, _ int) error { taken = append(taken, i); return nil })
		slices.Sort(taken)
		if err != errJob || !slices.Equal(taken, []int{1, 2}) {
			t.Errorf("taken %v, error %v", taken, err)
		}
	})
}

func TestErrorOfTakeStopsAllJobs(t *testing.T) {
	var running atomic.Int32
	stop := errors.New("enough")
	takes := 0
	job := func(ctx context.Context, _, i int) (int, error) {
		running.Add(1)
		defer running.Add(-1)
		if i > 5 {
			<-ctx.Done()
		}
		return i, nil
	}
	err := Collect(t.Context(), 3, Numbers(100), job, func(int, int) error {
		takes++
		if takes == 3 {
			return stop
		}
		return nil
	})
	if err != stop || takes != 3 || running.Load() != 0 {
		t.Errorf("error %v after %d takes, %d jobs running", err, takes, running.Load())
	}
	defer func() {
		if recover() == nil || running.Load() != 0 {
			t.Errorf("no panic, or %d jobs running after it", running.Load())
		}
	}()
	Collect(t.Context(), 3, Numbers(100), job, func(int, int) error { panic("take") })
}

// The caller can recover from a panic of another goroutine when no job is running any more.
func TestPanicsReachTheCaller(t *testing.T) {
	var running atomic.Int32
	job := func(_ context.Context, _, i int) (int, error) {
		running.Add(1)
		defer running.Add(-1)
		if i == 5 {
			panic("job five")
		}
		return i, nil
	}
	for want, feed := range map[string]Feed[int]{
		"job five": Numbers(100),
		"the feed": func(context.Context, func(int) error) error { panic("the feed") },
	} {
		func() {
			defer func() {
				if p := fmt.Sprint(recover()); !strings.Contains(p, want) || !strings.Contains(p, "parallel_test.go") || running.Load() != 0 {
					t.Errorf("%s: the caller catches %s, %d jobs running", want, p, running.Load())
				}
			}()
			Collect(t.Context(), 3, feed, job, func(int, int) error { return nil })
		}()
	}
}

func TestWorkerWaitsForTake(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var started atomic.Int32
		first := true
		Collect(t.Context(), 2, Numbers(50), func(_ context.Context, _, i int) (int, error) { started.Add(1); return i, nil },
			func(int, int) error {
				if first {
					first = false
					synctest.Wait()
					if n := started.Load(); n > 2 {
						t.Errorf("%d jobs started before a result was taken", n)
					}
				}
				return nil
			})
	})
}

// Results come in order regardless of the duration of jobs, and no worker gets too far ahead.
func TestOrderedIsInOrder(t *testing.T) {
	for _, workers := range []int{1, 3, 8} {
		synctest.Test(t, func(t *testing.T) {
			var started atomic.Int64
			took := func(i int) time.Duration {
				return time.Duration(rand.New(rand.NewPCG(uint64(i), 1)).IntN(1000)) * time.Millisecond
			}
			next := 5
			for got := range RunInOrder(t.Context(), workers, 5, func(_ context.Context, _, i int) int {
				started.Add(1)
				time.Sleep(took(i))
				return 10 * i
			}) {
				if got != 10*next {
					t.Fatalf("%d workers: result %d: want %d", workers, got, 10*next)
				}
				next++
				if ahead := int(started.Load()) - (next - 5); ahead > workers*lookAhead {
					t.Fatalf("%d workers: %d jobs ahead", workers, ahead)
				}
				if next == 300 {
					break
				}
			}
		})
	}
}

// The counters have no locks: the race detector reports a worker number used by two goroutines.
func TestOrderedWorkerNumbersAreExclusive(t *testing.T) {
	counts, sum := make([]int, 3), 0
	for range RunInOrder(t.Context(), 3, 0, func(_ context.Context, worker, _ int) int { counts[worker]++; return 0 }) {
		sum++
		if sum == 1000 {
			break
		}
	}
	if all := counts[0] + counts[1] + counts[2]; all < 1000 || all > 1000+3*lookAhead {
		t.Errorf("%d jobs for 1000 results", all)
	}
}

// When Ordered returns, no job is running; results of aborted jobs are not yielded.
func TestOrderedStopsWithItsContext(t *testing.T) { synctest.Test(t, orderedStops) }

// A goroutine left running fails the synctest bubble.
func orderedStops(t *testing.T) {
	var running atomic.Int64
	ctx, cancel := context.WithCancel(t.Context())
	yielded := 0
	for r := range RunInOrder(ctx, 2, 0, func(ctx context.Context, _, i int) bool {
		running.Add(1)
		defer running.Add(-1)
		if i == 20 {
			cancel()
		}
		return ctx.Err() != nil
	}) {
		yielded++
		if r {
			t.Error("the result of an aborted job was yielded")
		}
	}
	if yielded > 20 {
		t.Errorf("%d results after the context ended at job 20", yielded)
	}
	testkit.Equal(t, running.Load(), 0, "running.Load")
}

func told(to *[]string) Progress {
	return func(done, total int64, note string) { *to = append(*to, fmt.Sprint(done, "/", total, note)) }
}

// A nil Progress does nothing, and so does everything derived from it.
func TestNilProgressDoesNothing(t *testing.T) {
	var p Progress
	p.At(1, 2)
	p.Note(1, 2, "so far")
	p.Part(1, 2).At(1, 2)
	tally := p.Tally(1, 2)
	tally.Pass().At(1, 1)
	tally.End()
}

// Parts, goroutines and passes add up to one count, whose total is never less than the work
// done.
func TestProgressAddsUp(t *testing.T) {
	var got []string
	told(&got).Part(1, 3).Note(2, 10, " so far")
	tally := told(&got).Tally(2, 8)
	pass := tally.Pass()
	for _, done := range []int64{0, 3, 4} {
		pass.At(done, 4)
	}
	tally.Pass().At(4, 4)
	tally.Pass().At(1, 1)
	tally.End()
	want := []string{"12/30 so far", "2/8", "2/8", "5/8", "6/8", "10/10", "11/11", "11/11"}
	if !slices.Equal(got, want) {
		t.Errorf("reported %q, want %q", got, want)
	}
	got = nil
	tally = told(&got).Tally(0, 200)
	For(4, 100, func(_, _ int) { tally.Add(1) })
	tally.End()
	if len(got) != 102 || got[100] != "100/200" || got[101] != "200/200" {
		t.Errorf("reported %d times, at the end %q", len(got), got[max(len(got)-2, 0):])
	}
}
