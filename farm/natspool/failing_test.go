package natspool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"kroo/farm"
)

var errBroken = errors.New("no such\nfeature")

// A call ends when three workers have failed at a task, each once, or all if there are
// fewer.
func TestATaskThatAllFailAtEndsTheCall(t *testing.T) {
	t.Parallel()
	for workers, tried := range map[int][]int32{1: {3}, 2: {1, 2}, 3: {1, 1, 1}, 5: {0, 0, 1, 1, 1}} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			t.Parallel()
			n, _ := dial(t, Config{})
			times := make([]atomic.Int32, workers)
			for i := range workers {
				join(t, n, func(ctx context.Context, task []byte) ([]byte, error) {
					if string(task) == "task 7" {
						times[i].Add(1)
						return nil, errBroken
					}
					return upper(ctx, task)
				})
			}
			waitFor(t, func() bool { _, w := n.threads(someEngine); return w == workers })
			s := open(t, n, farm.Work{})
			err := s.do(t.Context(), tasks(20, anything))
			if err == nil || !strings.Contains(err.Error(), "task 7 failed 3 times, on ") || !strings.Contains(err.Error(), ": no such feature") {
				t.Errorf("error %v", err)
			}
			var got []int32
			for i := range times {
				got = append(got, times[i].Load())
			}
			if slices.Sort(got); !slices.Equal(got, tried) {
				t.Errorf("the workers tried it %v times, want %v", got, tried)
			}
			do(t, open(t, n, farm.Work{}), 5) // the next session goes on
		})
	}
}

// A worker that fails at everything has nothing more to do than to fail, while the other
// is busy. It is sent away in the end.
func TestABrokenWorkerDoesNotEndTheCall(t *testing.T) {
	t.Parallel()
	n, told := dial(t, Config{})
	broken := join(t, n, func(context.Context, []byte) ([]byte, error) { return nil, errBroken })
	waitFor(t, func() bool { _, w := n.threads(someEngine); return w == 1 })
	busy := time.Now().Add(6 * time.Second)
	join(t, n, func(ctx context.Context, task []byte) ([]byte, error) {
		time.Sleep(time.Until(busy))
		return upper(ctx, task)
	}, func(c *WorkerConfig) { c.Threads = 1 })
	waitFor(t, func() bool { _, w := n.threads(someEngine); return w == 2 })
	s := open(t, n, farm.Work{})
	do(t, s, 8)
	if c := counts(s); c.Failed == 0 || c.Failed > 8 {
		t.Errorf("%+v: want each task failed once at most", c)
	}
	waitFor(t, func() bool { do(t, s, 8); return told.has("is sent away") })
	if _, err := broken(); err == nil || !strings.Contains(err.Error(), "it failed where others did not") {
		t.Errorf("the broken worker ends with %v", err)
	}
}

// A task that two workers are to do waits for the second one as long as there is one.
func TestComparingWaitsForAnotherWorker(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	join(t, n, upper)
	other := Beat{ID: "other", Threads: 1, Engine: someEngine} // it takes nothing
	n.hears(other)
	waitFor(t, func() bool { _, w := n.threads(someEngine); return w == 2 })
	s := open(t, n, farm.Work{Compare: true})
	done := doAside(t, s, 20)
	waitFor(t, func() bool { return counts(s).Done == 19 })
	select {
	case <-done:
		t.Error("the first answer was believed: want it compared with that of another")
	case <-time.After(4 * time.Second): // it was left to the other, came back, and was left again
	}
	other.Leaving = true
	n.hears(other)
	<-done
	if c := counts(s); c.Compared != 0 || c.Reissued != 0 {
		t.Errorf("%+v: want nothing compared", c)
	}
	do(t, s, 90) // a single worker is believed at once
}

// What a liar has answered is no longer compared once it was sent away: the next worker,
// alone then, is believed.
func TestAWorkerThatWasSentAwayIsNotCompared(t *testing.T) {
	t.Parallel()
	n, told := dial(t, Config{})
	other := Beat{ID: "other", Threads: 1, Engine: someEngine} // it takes nothing, and the first task waits for it
	n.hears(other)
	join(t, n, func(context.Context, []byte) ([]byte, error) { return []byte("a lie"), nil })
	waitFor(t, func() bool { _, w := n.threads(someEngine); return w == 2 })
	s := open(t, n, farm.Work{Compare: true})
	done := doAside(t, s, 20)
	waitFor(t, func() bool { return told.has("is sent away") })
	other.Leaving = true
	n.hears(other)
	join(t, n, upper)
	<-done
	if c := counts(s); c.Done != 20 || c.Differed != 0 || c.Refused < mostRefused {
		t.Errorf("%+v: want 20 done, and the lies refused", c)
	}
}

// Two workers that differ wait some seconds for a third, which decides. If none comes,
// the call ends.
func TestTwoThatDifferWaitForAThird(t *testing.T) {
	t.Parallel()
	for third, want := range map[bool]string{true: "", false: "no two agree"} {
		t.Run(fmt.Sprint(third), func(t *testing.T) {
			t.Parallel()
			n, told := dial(t, Config{})
			join(t, n, func(context.Context, []byte) ([]byte, error) { return []byte("wrong"), nil })
			join(t, n, upper)
			waitFor(t, func() bool { _, w := n.threads(someEngine); return w == 2 })
			s := open(t, n, farm.Work{Compare: true})
			ended := make(chan error)
			go func() {
				ended <- s.do(t.Context(), tasks(1, func(_ int, text []byte) error {
					if string(text) != "TASK 0" {
						t.Errorf("got %q", text)
					}
					return nil
				}))
			}()
			waitFor(t, func() bool { return told.has("differ: another is asked") })
			if third {
				join(t, n, upper)
			}
			if err := <-ended; (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
				t.Errorf("error %v: want %q", err, want)
			}
		})
	}
}
