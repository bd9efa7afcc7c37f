package natspool

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strconv"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/wording"
)

const (
	ahead   = 1 << 14             // unanswered tasks
	maxTask = streamBytes / ahead // in bytes
)

type task struct {
	farm.Task
	number int       // from 0
	tries  int       // counted deliveries of its earlier messages
	answer *nats.Msg // nil before the answer

	failedOn map[string]bool // the workers that have failed at it, by name
}

// triesOf returns how often the task was delivered, up to a message about it. Deliveries to workers that returned
// it do not count, nor do repeated failures of one worker ([dispatcher.isRepeat]).
func (t *task) triesOf(m *nats.Msg) int {
	meta, err := m.Metadata()
	if err != nil {
		return maxTries // no metadata
	}
	return t.tries + int(meta.NumDelivered)
}

// dispatcher is the coordinator's side of a session: it publishes tasks and tracks the unanswered ones. If a worker
// dies, the server redelivers its tasks after ackWait; the dispatcher republishes only those that a worker returned or
// the server itself has lost.
type dispatcher struct {
	Session // counts are guarded by the lock
	net     *Network
	ctx     context.Context
	end     context.CancelFunc
	ended   sync.WaitGroup
	started time.Time

	slots chan struct{} // one per unanswered task
	ready chan *task    // answered; has room for all tasks

	mu         sync.Mutex
	unanswered map[int]*task // by number
	asked      int
	failing    map[string]bool // workers whose failures were reported
	workers    []string        // names of those alive
	threads    int             // of them, last reported; -1 at first
}

// Do implements [farm.Network].
func (n *Network) Do(ctx context.Context, w farm.Work, feed parallel.Feed[farm.Task]) error {
	d, err := n.begin(ctx, w)
	if err != nil {
		return err
	}
	defer d.close()
	return d.do(ctx, feed)
}

// begin starts a session: it uploads the files and announces the session to workers.
func (n *Network) begin(ctx context.Context, w farm.Work) (*dispatcher, error) {
	if n.config.Deadline.Duration > 0 {
		w.Deadline = n.config.Deadline.Duration
	}
	if n.living.Err() != nil {
		return nil, context.Cause(n.living)
	}
	host, _ := os.Hostname()
	d := &dispatcher{
		net: n, started: time.Now(), threads: -1, unanswered: map[int]*task{}, failing: map[string]bool{},
		slots: make(chan struct{}, ahead), ready: make(chan *task, ahead),
	}
	d.ctx, d.end = context.WithCancel(n.living)
	d.Session = Session{Work: w, ID: rand.Text(), Host: wording.Short(host), Tool: revision.Get()}
	if err := d.start(ctx); err != nil {
		d.end()
		d.ended.Wait()
		d.withdraw()
		return nil, err
	}
	n.mu.Lock()
	n.running[d.ID] = d
	n.mu.Unlock()
	d.ended.Go(d.keepFiles)
	n.noticeOf(n.census())
	return d, nil
}

// start subscribes to the answers until the session ends, uploads the files and announces the session.
func (d *dispatcher) start(ctx context.Context) error {
	answers, err := d.net.conn.Subscribe(answersSubject+d.ID, d.receive)
	if err != nil {
		return refusedError(err)
	}
	d.ended.Go(func() {
		<-d.ctx.Done()
		_ = answers.Unsubscribe() // fails if the connection is closed
	})
	if err := answers.SetPendingLimits(-1, -1); err != nil {
		return refusedError(err)
	}
	if err := d.putFiles(ctx); err != nil {
		return err
	}
	if err := d.announce(ctx); err != nil {
		return refusedError(err)
	}
	return nil
}

func refusedError(err error) error { return fmt.Errorf("the server refuses the session: %w", err) }

// announce creates the consumer of the session's tasks, and renews the session's key.
func (d *dispatcher) announce(ctx context.Context) error {
	_, err := d.net.js.CreateOrUpdateConsumer(ctx, tasksStream, jetstream.ConsumerConfig{
		Durable: d.ID, FilterSubject: d.subject(), AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait,
		MaxAckPending: -1, MaxWaiting: 1 << 14, InactiveThreshold: consumerAge,
	})
	if err == nil {
		_, err = d.net.keys.Put(ctx, sessionKeys+d.ID, encode(d.status()))
	}
	return err
}

func (d *dispatcher) subject() string { return tasksSubject + d.ID }

func (d *dispatcher) status() Session {
	d.mu.Lock()
	defer d.mu.Unlock()
	st := d.Session
	st.Queue = len(d.unanswered)
	st.Seconds = time.Since(d.started).Seconds()
	st.Rate = float64(st.Done) / st.Seconds
	if st.Rate > 0 && st.Tasks > 0 {
		st.ToGo = float64(max(st.Tasks-st.Done, 0)) / st.Rate
	}
	return st
}

// setWorkers records the living workers, and returns the number of their threads.
func (d *dispatcher) setWorkers(beats []Beat) (threads int, changed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.workers = nil
	for _, b := range beats {
		d.workers = append(d.workers, b.name())
		threads += b.Threads
	}
	changed = threads != d.threads
	d.threads = threads
	return threads, changed
}

// renew announces the session again, and republishes its tasks if the server has lost some.
func (d *dispatcher) renew() error {
	ctx, cancel := context.WithTimeout(d.ctx, 5*time.Second)
	defer cancel()
	if err := d.announce(ctx); err != nil {
		return err
	}
	d.extendAnswered()
	return d.republishLost(ctx)
}

// extendAnswered extends the deadlines of tasks whose answers wait for deliver, so that the server does not
// redeliver them.
func (d *dispatcher) extendAnswered() {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, t := range d.unanswered {
		if t.answer != nil {
			_ = t.answer.InProgress() // on failure a repeated answer is dropped
		}
	}
}

// republishLost republishes all unanswered tasks if the server has lost some of them. It cannot know which; of those
// that were not lost, receive drops the repeated answers.
//
// While the server counts, tasks are added, answered and returned. One that was added, or published again after its
// return, need not be in the count yet, and an answered one is acknowledged, so that it may have left the stream. Only
// those that are the same both before and after the count must be in it, or on their way to the server.
func (d *dispatcher) republishLost(ctx context.Context) error {
	d.mu.Lock()
	before := maps.Clone(d.unanswered)
	d.mu.Unlock()
	sending := d.net.js.PublishAsyncPending() // counted first: later they may be in the stream
	stream, err := d.net.js.Stream(ctx, tasksStream)
	if err != nil {
		return err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(d.subject()))
	if err != nil {
		return err
	}
	onServer := int(info.State.Subjects[d.subject()])
	d.mu.Lock()
	defer d.mu.Unlock()
	stillUnanswered := 0
	for number, t := range before {
		if d.unanswered[number] == t {
			stillUnanswered++
		}
	}
	if stillUnanswered <= onServer+sending {
		return nil
	}
	d.net.config.notice("farm: the server has lost tasks: republishing %d", len(d.unanswered))
	if err := stream.Purge(ctx, jetstream.WithPurgeSubject(d.subject())); err != nil {
		return err
	}
	for _, t := range d.unanswered {
		if err := d.publish(t); err != nil {
			return err // the next renewal finds the others
		}
		d.Republished++
	}
	return nil
}

// publish sends a task to the server. If it is lost, republishLost republishes it. The caller has the lock.
func (d *dispatcher) publish(t *task) error {
	m := nats.NewMsg(d.subject())
	m.Header.Set(headerTask, strconv.Itoa(t.number))
	m.Data = t.Data
	d.unanswered[t.number] = t
	_, err := d.net.js.PublishMsgAsync(m)
	if err != nil {
		d.net.publishFailed(nil, m, err)
	}
	return err
}

// receive records the answer to a task. A task that a worker failed at is redelivered; one that a worker returned is
// published again.
func (d *dispatcher) receive(m *nats.Msg) {
	m.Reply = m.Header.Get(headerAck)
	number, err := strconv.Atoi(m.Header.Get(headerTask))
	d.mu.Lock()
	defer d.mu.Unlock()
	t := d.unanswered[number]
	switch {
	case err != nil || t == nil: // a repeated answer
		_ = m.Ack() // on failure a repeated answer is dropped
	case t.answer != nil:
	case m.Header.Get(headerReturned) != "":
		d.publishUncounted(t, m)
	case m.Header.Get(headerFailed) == "" || d.isLastTry(t, m):
		t.answer = m
		d.ready <- t // never blocks: each task is sent once
	default:
		d.retry(t, m, m.Header.Get(headerFailed))
	}
}

// isRepeat reports whether a worker has failed at the task before while another one, which may be busy, has not:
// then the worker may be broken, and nothing wrong with the task. The caller has the lock.
func (d *dispatcher) isRepeat(t *task, m *nats.Msg) bool {
	isUntried := func(worker string) bool { return !t.failedOn[worker] }
	return t.failedOn[m.Header.Get(headerWorker)] && slices.ContainsFunc(d.workers, isUntried)
}

// isLastTry reports whether the task is not tried again after a failure. The caller has the lock.
func (d *dispatcher) isLastTry(t *task, m *nats.Msg) bool {
	return t.triesOf(m) >= maxTries && !d.isRepeat(t, m)
}

// publishUncounted publishes a task again whose last delivery does not count: the worker has returned it, or may
// be broken. The server counts every delivery of a message, so a new message is needed. The caller has the lock.
func (d *dispatcher) publishUncounted(t *task, m *nats.Msg) {
	again := &task{Task: t.Task, number: t.number, tries: t.triesOf(m) - 1, failedOn: t.failedOn}
	_ = d.publish(again) // on failure republishLost republishes it
	_ = m.Ack()          // on failure the server has the task twice: a repeated answer is dropped
}

// retry has a failed task done again, by the next worker that takes one. The caller has the lock.
func (d *dispatcher) retry(t *task, m *nats.Msg, why string) {
	worker := m.Header.Get(headerWorker)
	d.Failed++
	if !d.failing[worker] {
		d.failing[worker] = true
		d.net.config.notice("farm: worker %s failed: %s: its task is redelivered", worker, why)
	}
	if d.isRepeat(t, m) {
		d.publishUncounted(t, m)
		return
	}
	if t.failedOn == nil {
		t.failedOn = map[string]bool{}
	}
	t.failedOn[worker] = true
	_ = m.NakWithDelay(time.Duration(t.triesOf(m)) * 200 * time.Millisecond) // on failure it is redelivered after ackWait
}

func (d *dispatcher) do(ctx context.Context, feed parallel.Feed[farm.Task]) error {
	ctx, cancel := context.WithCancel(ctx)
	ends := make(chan error, 1)
	go func() {
		defer close(ends)
		ends <- feed(ctx, func(t farm.Task) error { return d.ask(ctx, t) })
	}()
	defer func() {
		cancel()
		for range ends {
		}
	}()
	for feeds := ends; feeds != nil || len(d.slots) > 0; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-d.ctx.Done():
			return d.why()
		case err := <-feeds:
			if err != nil {
				return err
			}
			feeds = nil
		case t := <-d.ready:
			if err := d.deliver(t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (d *dispatcher) why() error { return cmp.Or(context.Cause(d.net.living), errClosed) }

// ask publishes a task when a slot is free.
func (d *dispatcher) ask(ctx context.Context, t farm.Task) error {
	if len(t.Data) > maxTask {
		return fmt.Errorf("a task of %d bytes: expected at most %d", len(t.Data), maxTask)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-d.ctx.Done():
		return d.why()
	case d.slots <- struct{}{}:
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	_ = d.publish(&task{Task: t, number: d.asked}) // on failure republishLost republishes it
	d.asked++
	return nil
}

// deliver passes an answer to the caller, and acknowledges the task, which the server keeps until then.
// A failed task, or one with a refused answer, is tried a limited number of times.
func (d *dispatcher) deliver(t *task) error {
	m := t.answer
	why := m.Header.Get(headerFailed)
	if why == "" {
		err := t.Take(m.Data)
		if _, refused := errors.AsType[farm.Refused](err); err != nil && !refused {
			return err
		}
		if err != nil {
			why = "answer refused: " + err.Error()
		}
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if why != "" && d.isLastTry(t, m) {
		worker := wording.Short(m.Header.Get(headerWorker))
		return fmt.Errorf("task %d failed %d times, the last time on worker %s: %s", t.number, t.triesOf(m), worker, wording.Short(why))
	}
	t.answer = nil
	if why != "" {
		d.retry(t, m, why)
		return nil
	}
	<-d.slots
	d.Done++
	delete(d.unanswered, t.number)
	_ = m.Ack() // on failure a repeated answer is dropped
	return nil
}

// close ends the session, removes it from the server and drops its unanswered tasks.
func (d *dispatcher) close() {
	d.end()
	d.net.mu.Lock()
	delete(d.net.running, d.ID)
	d.net.mu.Unlock()
	d.ended.Wait()
	d.withdraw()
	took := time.Since(d.started).Round(100 * time.Millisecond)
	d.net.config.notice("farm: %s done in %s", wording.Count(int(d.Done), "task"), took)
}

// withdraw removes the session from the server. What it cannot remove expires.
func (d *dispatcher) withdraw() {
	if !d.net.conn.IsConnected() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	_ = d.net.keys.Delete(ctx, sessionKeys+d.ID)
	_ = d.net.js.DeleteConsumer(ctx, tasksStream, d.ID)
	if stream, err := d.net.js.Stream(ctx, tasksStream); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(d.subject()))
	}
}
