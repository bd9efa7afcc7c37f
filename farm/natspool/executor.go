package natspool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"iter"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/wording"
)

const (
	batchTime   = 100 * time.Millisecond // of work that a thread takes at a time
	maxBatch    = 512                    // in tasks
	longestTurn = 5 * time.Second        // at one session, while others may have tasks
	openPoll    = 20 * time.Millisecond  // until a thread looks again
	longestWait = 2 * time.Second        // of a task that a thread has taken; the server redelivers it after ackWait
)

// executor is the worker's side of a session: it takes tasks and answers them.
type executor struct {
	*worker
	id      string
	session Session
	seen    time.Time       // time of the last announcement; guarded by the worker's lock
	ctx     context.Context // of its searches
	cancel  context.CancelFunc

	use   sync.RWMutex // read-locked by threads at work
	doer  farm.Doer    // nil before opening and after the end
	tasks jetstream.Consumer

	taskTime atomic.Int64 // mean nanoseconds of a task, 0 before the first
	streak   atomic.Int64 // consecutive failures
}

// serve keeps the session open until its end, which cancels its searches. A session that cannot be
// served gets a doer that returns the reason.
func (e *executor) serve() {
	doer, err := e.open()
	for reported := false; errors.Is(err, errMissing) && e.ctx.Err() == nil; doer, err = e.open() {
		if !reported {
			e.notice("farm: %v: retrying", err)
			reported = true
		}
		pause(e.ctx, retryEvery)
	}
	if err != nil {
		doer = refusal{err}
	}
	if s := e.session; err == nil {
		e.notice("farm: session from %s (%s): %s", s.Host, s.Tool, s.Kind)
	} else if e.ctx.Err() == nil {
		e.notice("farm: cannot serve a session from %s (%s): %v", s.Host, s.Tool, err)
	}
	e.use.Lock()
	e.doer = doer
	e.use.Unlock()
	<-e.ctx.Done()
	e.use.Lock() // waits for its threads
	e.doer = nil
	e.use.Unlock()
	_ = doer.Close() // nothing was written
}

// open downloads the files of the session and opens its doer.
func (e *executor) open() (farm.Doer, error) {
	tasks, err := e.js.Consumer(e.ctx, tasksStream, e.id)
	if err != nil {
		return nil, fmt.Errorf("the session's tasks: %w: %w", errMissing, err)
	}
	e.tasks = tasks
	return e.Open(e.session.Work, func(hash string) (string, error) {
		for _, f := range e.session.Files {
			if f.Hash == hash {
				return e.getFile(e.ctx, f)
			}
		}
		return "", fmt.Errorf("the session has no file %.80q", hash)
	}, e.Threads)
}

// refusal is the doer of a session that cannot be served: it reports the reason to the coordinator.
type refusal struct{ err error }

func (r refusal) Do(context.Context, []byte) ([]byte, error) { return nil, r.err }
func (refusal) Close() error                                 { return nil }

// round does tasks while there are any, but not for long. It waits for the first one, and reports
// whether there was one.
func (e *executor) round(ctx context.Context, wait time.Duration) bool {
	if !e.use.TryRLock() { // starting or ending
		return false
	}
	defer e.use.RUnlock()
	if e.doer == nil {
		pause(ctx, openPoll)
		return false
	}
	started := time.Now()
	taken := e.fetch(ctx, wait)
	some := taken.size > 0
	for taken.size > 0 {
		next := make(chan *batch, 1)
		n := e.batchSize()
		stopped := ctx.Err() != nil || e.ctx.Err() != nil
		if n > 1 && taken.size >= n/2 && time.Since(started) < longestTurn && !stopped {
			go func() { next <- e.fetch(ctx, 0) }() // prefetched, since tasks are short
		} else {
			next <- &batch{}
		}
		for m := range taken.all() {
			if ctx.Err() != nil {
				e.giveBack(m)
				continue
			}
			e.do(ctx, m)
		}
		taken.overdue.Stop()
		taken = <-next
	}
	return some
}

// batch is tasks that a thread has taken. Those that it has not begun after longestWait, because another
// took longer than expected, are given back: otherwise the server would redeliver them and count a try.
type batch struct {
	size    int // when it was taken
	overdue *time.Timer

	mu      sync.Mutex
	waiting []jetstream.Msg
}

// newBatch returns a batch of tasks, which giveBack returns to their coordinator.
func newBatch(tasks []jetstream.Msg, giveBack func(jetstream.Msg)) *batch {
	b := &batch{size: len(tasks), waiting: tasks}
	b.overdue = time.AfterFunc(longestWait, func() {
		for m := range b.all() {
			giveBack(m)
		}
	})
	return b
}

// all yields each task that still waits when its turn comes.
func (b *batch) all() iter.Seq[jetstream.Msg] {
	return func(yield func(jetstream.Msg) bool) {
		for m := b.next(); m != nil; m = b.next() {
			if !yield(m) {
				return
			}
		}
	}
}

// next removes and returns the next task, nil after the last.
func (b *batch) next() jetstream.Msg {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.waiting) == 0 {
		return nil
	}
	m := b.waiting[0]
	b.waiting = b.waiting[1:]
	return m
}

func (e *executor) batchSize() int {
	took := e.taskTime.Load()
	if took == 0 || e.streak.Load() > 0 {
		return 1
	}
	return int(min(max(int64(batchTime)/took, 1), maxBatch))
}

// fetch takes the available tasks, or else waits for one.
func (e *executor) fetch(ctx context.Context, wait time.Duration) *batch {
	var tasks []jetstream.Msg
	fetched, err := e.tasks.FetchNoWait(e.batchSize())
	if err == nil {
		for m := range fetched.Messages() {
			tasks = append(tasks, m)
		}
		err = fetched.Error()
	}
	if err == nil && len(tasks) == 0 && wait > 0 && ctx.Err() == nil {
		inner, cancel := context.WithTimeout(e.ctx, wait)
		defer cancel()
		defer context.AfterFunc(ctx, cancel)()
		m, _ := e.tasks.Next(jetstream.FetchContext(inner))
		if m != nil {
			tasks = append(tasks, m)
		}
	}
	if err != nil { // the server is away, or has lost the consumer, which the coordinator restores
		pause(ctx, retryEvery)
	}
	if len(tasks) == 0 {
		return &batch{}
	}
	return newBatch(tasks, e.giveBack)
}

// do does a task and sends the answer to the coordinator, which acknowledges the task.
func (e *executor) do(stop context.Context, m jetstream.Msg) {
	e.busy.Add(1)
	defer e.busy.Add(-1)
	ctx, cancel := context.WithTimeout(e.ctx, e.session.Deadline)
	defer cancel()
	go keep(ctx, m)
	started := time.Now()
	text, err := e.result(ctx, m)
	if e.ctx.Err() != nil { // the session or the worker has ended
		e.giveBack(m)
		return
	}
	e.measure(time.Since(started))
	if err == nil {
		if err = e.answer(m, text); err == nil {
			e.done.Add(1)
			e.streak.Store(0)
			return
		}
		err = fmt.Errorf("an answer of %d bytes: %w", len(text), err)
	} else if ctx.Err() != nil {
		err = fmt.Errorf("not done in %s", e.session.Deadline)
	}

	e.failed.Add(1)
	// If this message is lost, the server redelivers the task after ackWait. The pause leaves the next tasks to
	// other workers, too.
	_ = e.reply(m, headerFailed, cmp.Or(wording.Short(err.Error()), "an error without a text"))
	pause(stop, min(100*time.Millisecond<<min(e.streak.Add(1), 10), e.longestPause))
}

// result does a task, unless it has been delivered too often: it may have killed the workers that took it.
func (e *executor) result(ctx context.Context, m jetstream.Msg) ([]byte, error) {
	meta, err := m.Metadata()
	if err == nil && meta.NumDelivered > maxTries {
		return nil, errUnanswered
	}
	return e.doer.Do(ctx, m.Data())
}

// errUnanswered is the failure of a task that every worker has left without an answer.
var errUnanswered = errors.New("no worker that took it has answered")

// giveBack returns a task undone, because the worker stops, the session ends or the task has waited too long. The
// coordinator, if it still runs, publishes it again: that this worker took it does not count as a try.
func (e *executor) giveBack(m jetstream.Msg) {
	_ = e.reply(m, headerReturned, "1") // if it is lost, the server redelivers the task after ackWait
}

// answer sends the answer to a task to the coordinator.
func (e *executor) answer(m jetstream.Msg, text []byte) error {
	a := e.about(m)
	a.Data = text
	return e.conn.PublishMsg(a)
}

// reply sends a message about a task without an answer: a header says why.
func (e *executor) reply(m jetstream.Msg, header, value string) error {
	a := e.about(m)
	a.Header.Set(header, value)
	return e.conn.PublishMsg(a)
}

// about returns a message to the coordinator about a task.
func (e *executor) about(m jetstream.Msg) *nats.Msg {
	a := nats.NewMsg(answersSubject + e.id)
	a.Header.Set(headerAck, m.Reply())
	a.Header.Set(headerTask, m.Headers().Get(headerTask))
	a.Header.Set(headerWorker, e.name)
	return a
}

// measure updates a running mean of the time per task.
func (e *executor) measure(d time.Duration) {
	mean := e.taskTime.Load()
	if mean == 0 {
		mean = int64(d)
	}
	e.taskTime.Store(max(mean+(int64(d)-mean)/8, 1))
}

// keep renews the acknowledgement deadline of a task until the context ends. The task may have waited in this
// worker for most of its first deadline.
func keep(ctx context.Context, m jetstream.Msg) {
	_ = m.InProgress() // on failure the server redelivers the task
	tick := time.NewTicker(ackWait / 3)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			_ = m.InProgress()
		}
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}
