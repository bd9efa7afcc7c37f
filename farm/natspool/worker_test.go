package natspool

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kroo/farm"
	"kroo/internal/testkit"
)

func oneThread(c *WorkerConfig) { c.Threads = 1 }

// joinWaiting joins a worker of one thread over a line. It signals when the worker starts a task,
// and no task ends before finish is closed.
func joinWaiting(t *testing.T, n *Network, line *slowLine) (leave func() (Summary, error), started, finish chan struct{}) {
	t.Helper()
	started, finish = make(chan struct{}, 100), make(chan struct{})
	leave = join(t, n, func(ctx context.Context, task []byte) ([]byte, error) {
		started <- struct{}{}
		<-finish
		return upper(ctx, task)
	}, oneThread, func(c *WorkerConfig) { c.URL = line.url() })
	return leave, started, finish
}

// A stopping worker finishes its current tasks, and waits until the server has its answers: no task
// is done twice, although the line is down for a moment meanwhile.
func TestLeavingWorkersFinishTheirBatch(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	line := newSlowLine(t, n, 0)
	leave, started, finish := joinWaiting(t, n, line)
	s := open(t, n, farm.Work{})
	var first, second Summary
	left := make(chan struct{})
	go func() {
		defer close(left)
		<-started
		line.down(400 * time.Millisecond)
		time.AfterFunc(50*time.Millisecond, func() { close(finish) })
		var err error
		if first, err = leave(); err != nil {
			t.Error(err)
		}
		leave = join(t, n, upper)
	}()
	do(t, s, 4)
	<-left
	second, err := leave()
	if err != nil || first.Done != 1 || second.Done != 3 {
		t.Errorf("%+v, then %+v, %v: want 1 task done by the worker that left, and 3 by the next", first, second, err)
	}
	if c := counts(s); c.Republished+c.Failed > 0 {
		t.Errorf("%+v: want no trouble", c)
	}
}

// stopWithTask joins a worker that takes a task and is stopped before it finishes it.
func stopWithTask(t *testing.T, n *Network) {
	t.Helper()
	started := make(chan struct{}, 100)
	leave := join(t, n, func(ctx context.Context, task []byte) ([]byte, error) {
		started <- struct{}{}
		<-ctx.Done()
		return nil, ctx.Err()
	}, oneThread)
	<-started
	if sum, err := leave(); err != nil || sum.Done+sum.Failed > 0 {
		t.Errorf("%+v, %v: want the task returned", sum, err)
	}
}

// A task is not given up however often workers are stopped while they do it.
func TestReturnsOfStoppingWorkersAreNotTries(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	s := open(t, n, farm.Work{})
	done := doAside(t, s, 1)
	for range maxTries + 2 {
		stopWithTask(t, n)
	}
	join(t, n, upper)
	<-done
	testkit.Equal(t, counts(s), Counts{Done: 1}, "counts")
}

// A task that waits for a slow one of its batch goes to another worker, as if it had not been taken.
func TestATaskBehindASlowOneIsReturned(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	s := open(t, n, farm.Work{})
	ended := make(chan error, 1)
	go func() { ended <- s.do(t.Context(), tasks(2, anything)) }()
	begun, finish := make(chan struct{}), make(chan struct{})
	slow := &executor{worker: &worker{hub: n.hub}, id: s.ID, session: s.Session}
	slow.doer = doing(func(ctx context.Context, task []byte) ([]byte, error) {
		close(begun)
		<-finish
		return upper(ctx, task)
	})
	var cancel context.CancelFunc
	slow.ctx, cancel = context.WithCancel(t.Context())
	defer cancel()
	slow.tasks = testkit.Must(n.js.Consumer(t.Context(), tasksStream, s.ID))(t)
	slow.taskTime.Store(1) // so it takes both at once
	waitFor(t, func() bool { return testkit.Must(slow.tasks.Info(t.Context()))(t).NumPending == 2 })
	var round sync.WaitGroup
	round.Go(func() { slow.round(slow.ctx, time.Second) })
	<-begun
	var tried atomic.Int32
	leave := join(t, n, func(context.Context, []byte) ([]byte, error) {
		tried.Add(1)
		return nil, errBroken
	}, oneThread)
	testkit.ErrorContains(t, <-ended, "task 1 failed 5 times, the last time on worker ", ": no such feature")
	close(finish)
	round.Wait()
	if _, err := leave(); err != nil || tried.Load() != maxTries {
		t.Errorf("%v after %d tries: want %d", err, tried.Load(), maxTries)
	}
}

// Failures before a return still count.
func TestFailuresBeforeAReturnCount(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	s := open(t, n, farm.Work{})
	ended := make(chan error, 1)
	go func() { ended <- s.do(t.Context(), tasks(1, anything)) }()
	var tried atomic.Int32
	leave := join(t, n, func(ctx context.Context, _ []byte) ([]byte, error) {
		if tried.Add(1) == maxTries {
			<-ctx.Done()
		}
		return nil, errBroken
	}, oneThread)
	waitFor(t, func() bool { return tried.Load() == maxTries })
	if sum, err := leave(); err != nil || sum.Failed != maxTries-1 {
		t.Errorf("%+v, %v: want %d failures, and the last try returned", sum, err, maxTries-1)
	}
	leave = join(t, n, func(context.Context, []byte) ([]byte, error) { return nil, errBroken }, oneThread)
	testkit.ErrorContains(t, <-ended, "task 0 failed 5 times, the last time on worker ")
	if sum, err := leave(); err != nil || sum.Failed != 1 {
		t.Errorf("%+v, %v: want 1 failure", sum, err)
	}
}

// A worker that leaves does not wait for long for a server that is gone.
func TestStoppingWorkersAbandonMissingServer(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	line := newSlowLine(t, n, 0)
	leave, started, finish := joinWaiting(t, n, line)
	s := open(t, n, farm.Work{})
	go s.do(t.Context(), tasks(1, nil)) // nobody answers it
	<-started
	line.down(time.Hour)
	close(finish)
	begin := time.Now()
	if sum, err := leave(); err != nil || sum.Done != 1 || time.Since(begin) > 2*time.Second {
		t.Errorf("%+v, %v after %s: want an end within two seconds", sum, err, time.Since(begin))
	}
}

// closing counts how often a doer is closed.
type closing struct {
	doing
	times atomic.Int32
}

func (c *closing) Close() error {
	c.times.Add(1)
	return nil
}

// Sessions end for several reasons at a time, also while they are opened, and are closed once.
func TestSessionsAreClosedOnce(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	s := open(t, n, farm.Work{})
	for i := range 300 {
		var doer closing
		opens := make(chan struct{})
		w := &worker{executors: map[string]*executor{}, hub: n.hub}
		w.Open = func(farm.Work, farm.Files, int) (farm.Doer, error) {
			close(opens)
			return &doer, nil
		}
		w.Engine = someEngine
		w.handleKey(s.ID, encode(s.status()))
		if i%2 == 0 {
			<-opens
		}
		var wait sync.WaitGroup
		for range 2 {
			wait.Go(func() { w.handleKey(s.ID, nil) })
			wait.Go(w.closeExecutors)
		}
		wait.Wait()
		w.closes.Wait()
		opened := int32(0)
		select {
		case <-opens:
			opened = 1
		default:
		}
		if times := doer.times.Load(); times != opened {
			t.Fatalf("the doer was opened %d times and closed %d times", opened, times)
		}
	}
}

// A worker that takes long to open a session blocks nothing.
func TestTasksDoNotWaitForLongForTheirSession(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	opens, opened := make(chan struct{}), make(chan struct{})
	leave := join(t, n, nil, func(c *WorkerConfig) {
		c.Open = func(farm.Work, farm.Files, int) (farm.Doer, error) {
			close(opens)
			<-opened
			return doing(upper), nil
		}
	})
	s := open(t, n, farm.Work{})
	go func() {
		<-opens
		join(t, n, upper)
	}()
	do(t, s, 4)
	close(opened)
	if sum, err := leave(); err != nil || sum.Done != 0 {
		t.Errorf("%+v, %v: want what others have done not done again", sum, err)
	}
}

var errBroken = errors.New("no such\nfeature")

// A call ends when a task has failed at five tries, at whatever workers. A worker that is faster than the
// others may fail at it more often.
func TestATaskThatAllFailAtEndsTheCall(t *testing.T) {
	t.Parallel()
	for _, workers := range []int{1, 3} {
		t.Run(fmt.Sprint(workers), func(t *testing.T) {
			t.Parallel()
			n, _ := dial(t, Config{})
			var tried atomic.Int32
			for range workers {
				join(t, n, func(ctx context.Context, task []byte) ([]byte, error) {
					if string(task) == "task 7" {
						tried.Add(1)
						return nil, errBroken
					}
					return upper(ctx, task)
				})
			}
			s := open(t, n, farm.Work{})
			err := s.do(t.Context(), tasks(20, anything))
			testkit.ErrorContains(t, err, "task 7 failed 5 times, the last time on worker ", ": no such feature")
			if got := tried.Load(); got < maxTries || workers == 1 && got > maxTries {
				t.Errorf("it was tried %d times, want %d", got, maxTries)
			}
			do(t, open(t, n, farm.Work{}), 5) // the next session continues
		})
	}
}

// A task that kills its workers also ends the call, as soon as a worker is left to report it.
func TestATaskThatIsNeverAnsweredEndsTheCall(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	s := open(t, n, farm.Work{})
	ended := make(chan error, 1)
	go func() { ended <- s.do(t.Context(), tasks(1, anything)) }()
	c := testkit.Must(n.js.Consumer(t.Context(), tasksStream, s.ID))(t)
	for range maxTries {
		m := testkit.Must(c.Next())(t)
		testkit.NoError(t, m.Nak())
	}
	join(t, n, upper)
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "task 0 failed 6 times, the last time on worker ") || !strings.Contains(err.Error(), "no worker that took it has answered") {
		t.Errorf("error %v", err)
	}
}

// An impossible answer is requested again; if a worker gives no other, the call ends.
func TestImpossibleAnswersAreRefused(t *testing.T) {
	t.Parallel()
	n, notes := dial(t, Config{})
	liar := join(t, n, func(context.Context, []byte) ([]byte, error) { return []byte("nonsense"), nil }, oneThread)
	s := open(t, n, farm.Work{})
	err := s.do(t.Context(), tasks(5, func(int, []byte) error { return farm.Refuse(errBroken) }))
	if err == nil || !strings.Contains(err.Error(), "failed 5 times, the last time on worker ") || !notes.has("answer refused: no such feature") {
		t.Errorf("error %v, notices %q", err, notes.list)
	}
	if _, err := liar(); err != nil {
		t.Errorf("the worker ends with %v", err)
	}
	join(t, n, upper)
	do(t, open(t, n, farm.Work{}), 50)
}

// A worker that fails at everything, and at once again, does not end the call while the other is busy: tasks
// are tried there too.
func TestABrokenWorkerDoesNotEndTheCall(t *testing.T) {
	t.Parallel()
	n, notes := dial(t, Config{})
	var failures atomic.Int64
	join(t, n, func(context.Context, []byte) ([]byte, error) {
		failures.Add(1)
		return nil, errBroken
	}, func(c *WorkerConfig) { c.longestPause = 20 * time.Millisecond })
	const most = 8
	join(t, n, func(ctx context.Context, task []byte) ([]byte, error) {
		waitFor(t, func() bool { return failures.Load() > most*maxTries })
		return upper(ctx, task)
	}, oneThread)
	waitFor(t, func() bool { return workers(n) == 2 })
	do(t, open(t, n, farm.Work{}), most)
	if !notes.has("failed: no such feature") {
		t.Errorf("notices %q: want failures", notes.list)
	}
}

// If all workers fail at a task, each of them counts, and the call ends.
func TestATaskAtWhichTwoWorkersFailEndsTheCall(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	for range 2 {
		join(t, n, func(context.Context, []byte) ([]byte, error) { return nil, errBroken }, oneThread)
	}
	waitFor(t, func() bool { return workers(n) == 2 })
	s := open(t, n, farm.Work{})
	testkit.ErrorContains(t, s.do(t.Context(), tasks(3, nil)), " failed 5 times, the last time on worker ")
}
