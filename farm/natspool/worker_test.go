package natspool

import (
	"context"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"kroo/farm"
)

func oneThread(c *WorkerConfig) { c.Threads = 1 }

// joinWaiting joins a worker of one thread over a line. It tells when it begins a task,
// and ends none before finish is closed.
func joinWaiting(t *testing.T, n *Network, line *slowLine) (leave func() (Summary, error), begun, finish chan struct{}) {
	t.Helper()
	begun, finish = make(chan struct{}, 100), make(chan struct{})
	leave = join(t, n, func(ctx context.Context, task []byte) ([]byte, error) {
		begun <- struct{}{}
		<-finish
		return upper(ctx, task)
	}, oneThread, func(c *WorkerConfig) { c.URL = line.url() })
	return leave, begun, finish
}

// A worker that leaves finishes what it is at, and waits until the server has its
// answers: no task is done twice, though the line is down for a moment as it leaves.
func TestLeavingWorkersFinishTheirBatch(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	line := newSlowLine(t, n, 0)
	leave, begun, finish := joinWaiting(t, n, line)
	s := open(t, n, farm.Work{})
	var first, second Summary
	left := make(chan struct{})
	go func() {
		defer close(left)
		<-begun
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
	if c := counts(s); c.Doubled+c.Failed > 0 {
		t.Errorf("%+v: want no trouble", c)
	}
}

// A worker that leaves does not wait for long for a server that is gone.
func TestLeavingWorkersGiveUpAServerThatIsGone(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	line := newSlowLine(t, n, 0)
	leave, begun, finish := joinWaiting(t, n, line)
	s := open(t, n, farm.Work{})
	go s.do(t.Context(), tasks(1, nil)) // nobody answers it
	<-begun
	line.down(time.Hour)
	close(finish)
	begin := time.Now()
	if sum, err := leave(); err != nil || sum.Done != 1 || time.Since(begin) > sending/2 {
		t.Errorf("%+v, %v after %s: want an end after some %s", sum, err, time.Since(begin), lastAnswers)
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

// Sessions end for several reasons at a time, and are closed once.
func TestSessionsAreClosedOnce(t *testing.T) {
	for range 5000 {
		w := &worker{jobs: map[string]*job{}}
		var doers [openJobs + 1]closing
		for i := range doers {
			j, err := w.enter(fmt.Sprint(i), &announcement{})
			if err != nil {
				t.Fatal(err)
			}
			j.open.Do(func() { j.doer = &doers[i] })
			j.at.Done()
		}
		var wait sync.WaitGroup
		for range 2 {
			wait.Go(func() { w.over("1") })
			wait.Go(w.giveUp)
		}
		wait.Wait()
		w.closes.Wait()
		for i := range doers {
			if times := doers[i].times.Load(); times != 1 {
				t.Fatalf("doer %d was closed %d times", i, times)
			}
		}
	}
}

// Opening a session may take longer than the server waits for a word of a batch.
func TestBatchesWaitForTheirSession(t *testing.T) {
	t.Parallel()
	n, _ := dial(t, Config{})
	leave := join(t, n, nil, func(c *WorkerConfig) {
		c.Open = func(farm.Work, farm.Files, int) (farm.Doer, error) {
			time.Sleep(ackWait + opening/5)
			return doing(upper), nil
		}
	})
	s := open(t, n, farm.Work{})
	do(t, s, 1)
	sum, err := leave()
	if err != nil || sum.Done != 1 || counts(s).Doubled != 0 {
		t.Errorf("%+v, %v: want the task done once", sum, err)
	}
}

// A worker that takes long to open a session holds nothing up.
func TestBatchesDoNotWaitForLongForTheirSession(t *testing.T) {
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
