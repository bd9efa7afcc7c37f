package natspool

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"maps"
	"os"
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
}

// triesOf returns how often the task was delivered, up to a message about it. Deliveries to workers that returned
// it do not count.
func (t *task) triesOf(m *nats.Msg) int {
	meta, err := m.Metadata()
	if err != nil {
		return maxTries // no metadata
	}
	return t.tries + int(meta.NumDelivered)
}

// session is the coordinator's side of a session: it tracks unanswered tasks. If a worker dies, the server redelivers
// its tasks after ackWait; only tasks that the server itself has lost are republished, by the session.
type session struct {
	Session // counts are guarded by the lock
	net     *Network
	ctx     context.Context
	end     context.CancelFunc
	ended   sync.WaitGroup
	started time.Time
	threads int // of its workers, last reported; -1 at first

	slots chan struct{} // one per unanswered task
	ready chan *task    // answered; has room for all tasks

	mu         sync.Mutex
	unanswered map[int]*task // by number
	asked      int
	failing    map[string]bool // workers whose failures were reported
}

// Do implements [farm.Network].
func (n *Network) Do(ctx context.Context, w farm.Work, feed parallel.Feed[farm.Task]) error {
	s, err := n.begin(ctx, w)
	if err != nil {
		return err
	}
	defer s.close()
	return s.do(ctx, feed)
}

// begin starts a session: it uploads the files and announces the session to workers.
func (n *Network) begin(ctx context.Context, w farm.Work) (*session, error) {
	if n.config.Deadline.Duration > 0 {
		w.Deadline = n.config.Deadline.Duration
	}
	if n.living.Err() != nil {
		return nil, context.Cause(n.living)
	}
	host, _ := os.Hostname()
	s := &session{
		net: n, started: time.Now(), threads: -1, unanswered: map[int]*task{}, failing: map[string]bool{},
		slots: make(chan struct{}, ahead), ready: make(chan *task, ahead),
	}
	s.ctx, s.end = context.WithCancel(n.living)
	s.Session = Session{Work: w, ID: rand.Text(), Host: wording.Short(host), Tool: revision.Get()}
	if err := s.start(ctx); err != nil {
		s.end()
		s.ended.Wait()
		s.withdraw()
		return nil, err
	}
	n.mu.Lock()
	n.running[s.ID] = s
	n.mu.Unlock()
	s.ended.Go(s.keepFiles)
	return s, nil
}

// start subscribes to the answers until the session ends, uploads the files and announces the session.
func (s *session) start(ctx context.Context) error {
	answers, err := s.net.conn.Subscribe(answersSubject+s.ID, s.receive)
	if err != nil {
		return refusedError(err)
	}
	s.ended.Go(func() {
		<-s.ctx.Done()
		_ = answers.Unsubscribe() // fails if the connection is closed
	})
	if err := answers.SetPendingLimits(-1, -1); err != nil {
		return refusedError(err)
	}
	if err := s.putFiles(ctx); err != nil {
		return err
	}
	if err := s.announce(ctx); err != nil {
		return refusedError(err)
	}
	return nil
}

func refusedError(err error) error { return fmt.Errorf("the server refuses the session: %w", err) }

// announce creates the consumer of the session's tasks, and renews the session's key.
func (s *session) announce(ctx context.Context) error {
	_, err := s.net.js.CreateOrUpdateConsumer(ctx, tasksStream, jetstream.ConsumerConfig{
		Durable: s.ID, FilterSubject: s.subject(), AckPolicy: jetstream.AckExplicitPolicy, AckWait: ackWait,
		MaxAckPending: -1, MaxWaiting: 1 << 14, InactiveThreshold: consumerAge,
	})
	if err == nil {
		_, err = s.net.keys.Put(ctx, sessionKeys+s.ID, encode(s.status()))
	}
	return err
}

func (s *session) subject() string { return tasksSubject + s.ID }

func (s *session) status() Session {
	s.mu.Lock()
	defer s.mu.Unlock()
	st := s.Session
	st.Queue = len(s.unanswered)
	st.Seconds = time.Since(s.started).Seconds()
	st.Rate = float64(st.Done) / st.Seconds
	if st.Rate > 0 && st.Tasks > 0 {
		st.ToGo = float64(max(st.Tasks-st.Done, 0)) / st.Rate
	}
	return st
}

// renew announces the session again, and republishes its tasks if the server has lost some.
func (s *session) renew() error {
	ctx, cancel := context.WithTimeout(s.ctx, 5*time.Second)
	defer cancel()
	if err := s.announce(ctx); err != nil {
		return err
	}
	s.extendAnswered()
	return s.republishLost(ctx)
}

// extendAnswered extends the deadlines of tasks whose answers wait for deliver, so that the server does not
// redeliver them.
func (s *session) extendAnswered() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, t := range s.unanswered {
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
func (s *session) republishLost(ctx context.Context) error {
	s.mu.Lock()
	before := maps.Clone(s.unanswered)
	s.mu.Unlock()
	sending := s.net.js.PublishAsyncPending() // counted first: later they may be in the stream
	stream, err := s.net.js.Stream(ctx, tasksStream)
	if err != nil {
		return err
	}
	info, err := stream.Info(ctx, jetstream.WithSubjectFilter(s.subject()))
	if err != nil {
		return err
	}
	onServer := int(info.State.Subjects[s.subject()])
	s.mu.Lock()
	defer s.mu.Unlock()
	stillUnanswered := 0
	for number, t := range before {
		if s.unanswered[number] == t {
			stillUnanswered++
		}
	}
	if stillUnanswered <= onServer+sending {
		return nil
	}
	s.net.config.notice("farm: the server has lost tasks: republishing %d", len(s.unanswered))
	if err := stream.Purge(ctx, jetstream.WithPurgeSubject(s.subject())); err != nil {
		return err
	}
	for _, t := range s.unanswered {
		if err := s.publish(t); err != nil {
			return err // the next renewal finds the others
		}
		s.Republished++
	}
	return nil
}

// publish sends a task to the server. If it is lost, republishLost republishes it. The caller has the lock.
func (s *session) publish(t *task) error {
	m := nats.NewMsg(s.subject())
	m.Header.Set(headerTask, strconv.Itoa(t.number))
	m.Data = t.Data
	s.unanswered[t.number] = t
	_, err := s.net.js.PublishMsgAsync(m)
	if err != nil {
		s.net.publishFailed(nil, m, err)
	}
	return err
}

// receive records the answer to a task. A task that a worker failed at is redelivered; one that a worker returned is
// published again.
func (s *session) receive(m *nats.Msg) {
	m.Reply = m.Header.Get(headerAck)
	number, err := strconv.Atoi(m.Header.Get(headerTask))
	s.mu.Lock()
	defer s.mu.Unlock()
	t := s.unanswered[number]
	switch {
	case err != nil || t == nil: // a repeated answer
		_ = m.Ack() // on failure a repeated answer is dropped
	case t.answer != nil:
	case m.Header.Get(headerReturned) != "":
		s.publishReturned(t, m)
	case m.Header.Get(headerFailed) == "" || t.triesOf(m) >= maxTries:
		t.answer = m
		s.ready <- t // never blocks: each task is sent once
	default:
		s.nak(t, m, m.Header.Get(headerFailed))
	}
}

// publishReturned publishes a task again that a stopping worker returned. The server counts every delivery of a
// message, so a new message is needed for one that does not count. The caller has the lock.
func (s *session) publishReturned(t *task, m *nats.Msg) {
	again := &task{Task: t.Task, number: t.number, tries: t.triesOf(m) - 1}
	_ = s.publish(again) // on failure republishLost republishes it
	_ = m.Ack()          // on failure the server has the task twice: a repeated answer is dropped
}

// nak acknowledges a failed task negatively, so that the server redelivers it. The caller has the lock.
func (s *session) nak(t *task, m *nats.Msg, why string) {
	worker := m.Header.Get(headerWorker)
	s.Failed++
	if !s.failing[worker] {
		s.failing[worker] = true
		s.net.config.notice("farm: worker %s failed: %s: its task is redelivered", worker, why)
	}
	_ = m.NakWithDelay(time.Duration(t.triesOf(m)) * 200 * time.Millisecond) // on failure it is redelivered after ackWait
}

func (s *session) do(ctx context.Context, feed parallel.Feed[farm.Task]) error {
	ctx, cancel := context.WithCancel(ctx)
	ends := make(chan error, 1)
	go func() {
		defer close(ends)
		ends <- feed(ctx, func(t farm.Task) error { return s.ask(ctx, t) })
	}()
	defer func() {
		cancel()
		for range ends {
		}
	}()
	for feeds := ends; feeds != nil || len(s.slots) > 0; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.ctx.Done():
			return s.why()
		case err := <-feeds:
			if err != nil {
				return err
			}
			feeds = nil
		case t := <-s.ready:
			if err := s.deliver(t); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *session) why() error { return cmp.Or(context.Cause(s.net.living), errClosed) }

// ask publishes a task when a slot is free.
func (s *session) ask(ctx context.Context, t farm.Task) error {
	if len(t.Data) > maxTask {
		return fmt.Errorf("a task of %d bytes: expected at most %d", len(t.Data), maxTask)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ctx.Done():
		return s.why()
	case s.slots <- struct{}{}:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	_ = s.publish(&task{Task: t, number: s.asked}) // on failure republishLost republishes it
	s.asked++
	return nil
}

// deliver passes an answer to the caller, and acknowledges the task, which the server keeps until then.
// A failed task, or one with a refused answer, is redelivered a limited number of times.
func (s *session) deliver(t *task) error {
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
	if n := t.triesOf(m); why != "" && n >= maxTries {
		worker := wording.Short(m.Header.Get(headerWorker))
		return fmt.Errorf("task %d failed %d times, the last time on worker %s: %s", t.number, n, worker, wording.Short(why))
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	t.answer = nil
	if why != "" {
		s.nak(t, m, why)
		return nil
	}
	<-s.slots
	s.Done++
	delete(s.unanswered, t.number)
	_ = m.Ack() // on failure a repeated answer is dropped
	return nil
}

// close ends the session, removes it from the server and drops its unanswered tasks.
func (s *session) close() {
	s.end()
	s.net.mu.Lock()
	delete(s.net.running, s.ID)
	s.net.mu.Unlock()
	s.ended.Wait()
	s.withdraw()
	s.net.config.notice("farm: %s done in %s", wording.Count(int(s.Done), "task"), time.Since(s.started).Round(100*time.Millisecond))
}

// withdraw removes the session from the server. What it cannot remove expires.
func (s *session) withdraw() {
	if !s.net.conn.IsConnected() {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	_ = s.net.keys.Delete(ctx, sessionKeys+s.ID)
	_ = s.net.js.DeleteConsumer(ctx, tasksStream, s.ID)
	if stream, err := s.net.js.Stream(ctx, tasksStream); err == nil {
		_ = stream.Purge(ctx, jetstream.WithPurgeSubject(s.subject()))
	}
}
