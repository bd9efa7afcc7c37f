package natspool

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// dispatch sends batches as long as there are tasks and room on the way.
func (s *session) dispatch() {
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-s.wake:
		}
		for f, text := s.pack(); f != nil; f, text = s.pack() {
			s.ended.Go(func() { s.send(f, text) })
		}
	}
}

// pack makes a batch of the oldest tasks, nil if there are none or enough on the way.
func (s *session) pack() (*inFlight, []byte) {
	threads, _ := s.net.threads(s.work.Engine)
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.queue) == 0 || len(s.flying) >= max(someBatches, aThread*threads) {
		return nil, nil
	}
	b, f := batch{ID: s.next}, &inFlight{id: s.next}
	s.next++
	size, most := 0, s.batchSize(threads)
	for len(s.queue) > 0 && len(f.list) < most {
		t := s.queue[0]
		if size += len(t.Data) + 4; size > fullBatch || len(f.list) > 0 && (t.alone || f.list[0].alone) {
			break
		}
		s.queue[0], s.queue = nil, s.queue[1:]
		f.list, b.Tasks = append(f.list, t), append(b.Tasks, t.Data)
	}
	f.left = len(f.list)
	b.Deadline = min(s.work.Deadline+4*time.Duration(f.left)*s.perTask, longest)
	s.flying[f.id] = f
	return f, encode(b)
}

// batchSize is how many tasks go into a batch: about batchTime, fewer near the end of
// the queue, so that no worker has more to do than the others, but at least leastTime.
func (s *session) batchSize(threads int) int {
	if s.perTask == 0 {
		return 1
	}
	n := int(batchTime / s.perTask)
	if threads > 0 {
		share := (len(s.queue) + 2*threads - 1) / (2 * threads)
		n = min(n, max(share, int(leastTime/s.perTask)))
	}
	return min(max(n, 1), maxTasks)
}

// send publishes a batch, again and again until the server has it, or it is taken back.
func (s *session) send(f *inFlight, text []byte) {
	for begun := time.Now(); s.wants(f); {
		ctx, cancel := context.WithTimeout(s.ctx, 5*time.Second)
		ack, err := s.net.js.Publish(ctx, s.subject(), text, jetstream.WithMsgID(s.note.Session+"."+strconv.FormatUint(f.id, 10)), jetstream.WithRetryAttempts(0))
		cancel()
		if err == nil {
			s.mu.Lock()
			f.seq = ack.Sequence
			s.mu.Unlock()
			return
		}
		if s.net.conn.IsConnected() && time.Since(begun) > renewEvery && s.ctx.Err() == nil {
			s.net.config.notice("farm: the server does not take batches: %v: trying again", err)
			begun = time.Now()
		}
		select {
		case <-s.ctx.Done():
		case <-time.After(retryEvery):
		}
	}
}

// wants reports whether a batch is still to be answered.
func (s *session) wants(f *inFlight) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.ctx.Err() == nil && s.flying[f.id] == f
}

// consume makes the consumer of the session's answers.
func (s *session) consume(ctx context.Context) error {
	c, err := s.net.js.CreateOrUpdateConsumer(ctx, resultsStream, jetstream.ConsumerConfig{
		Durable: s.note.Session, FilterSubjects: []string{resultsSubject + s.note.Session, exhaustedSubject + workersConsumer(s.work.Engine)},
		AckPolicy: jetstream.AckExplicitPolicy, MaxAckPending: -1, InactiveThreshold: idleConsumer,
	})
	if err == nil {
		s.results = c
	}
	return err
}

// collect takes answers from the server until the session ends. If the consumer is lost it is
// made again.
func (s *session) collect() {
	for s.ctx.Err() == nil {
		if messages, err := s.results.Messages(jetstream.PullHeartbeat(renewEvery), jetstream.PullExpiry(2*renewEvery)); err == nil {
			stop := context.AfterFunc(s.ctx, messages.Stop)
			for m, err := messages.Next(); err == nil; m, err = messages.Next() {
				s.take(m)
			}
			stop()
			messages.Stop()
		}
		select {
		case <-s.ctx.Done():
			return
		case <-time.After(retryEvery):
		}
		ctx, cancel := context.WithTimeout(s.ctx, 5*time.Second)
		_ = s.consume(ctx) // tried again
		cancel()
	}
}

// take notes a message of a worker, or of the server.
func (s *session) take(m jetstream.Msg) {
	if m.Subject() == resultsSubject+s.note.Session {
		if found, err := decodeAnswers(m.Data()); err != nil {
			s.net.config.notice("farm: refused a message: %v", err)
		} else {
			s.answered(found)
		}
	} else {
		s.exhausted(m.Data())
	}
	_ = m.Ack() // what comes again is dropped
}

// exhausted takes the server's word that it has delivered a batch as often as it may: several
// workers have failed at it, or were lost. A task that was alone in its batch ends the session,
// others get a batch each.
func (s *session) exhausted(text []byte) {
	var advisory struct {
		Sequence uint64 `json:"stream_seq"`
	}
	if err := json.Unmarshal(text, &advisory); err != nil || advisory.Sequence == 0 {
		return
	}
	s.mu.Lock()
	var left []*task
	for _, f := range s.flying {
		if f.seq == advisory.Sequence {
			left = s.takeBack(f)
		}
	}
	switch {
	case len(left) == 1:
		t := left[0]
		s.ready <- ready{task: t, err: fmt.Errorf("task %d failed %d times%s", t.number, mostTries, cmp.Or(t.why, ": no worker has answered it"))}
	case len(left) > 1:
		s.again(left...)
	}
	s.mu.Unlock()
	if len(left) == 0 { // of another session
		return
	}
	ctx, cancel := context.WithTimeout(s.ctx, renewEvery)
	defer cancel()
	if st, err := s.net.js.Stream(ctx, tasksStream); err == nil {
		_ = st.DeleteMsg(ctx, advisory.Sequence) // its age ends it otherwise
	}
}

// takeBack takes the unanswered tasks of a batch back. It needs the lock.
func (s *session) takeBack(f *inFlight) (left []*task) {
	delete(s.flying, f.id)
	for _, t := range f.list {
		if t != nil {
			left = append(left, t)
		}
	}
	return left
}

// renew renews the session's key, and publishes again what the server has
// lost: more batches are unanswered than are with the server, as tasks or as results.
func (s *session) renew(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	if err := s.announce(ctx); err != nil {
		return err
	}
	sent := s.sent(nil)
	has, err := s.atServer(ctx)
	if err != nil {
		return err
	}
	if len(s.sent(sent)) <= has {
		return nil
	}
	if err := s.purge(ctx); err != nil {
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	lost := 0
	for _, f := range s.flying {
		left := s.takeBack(f)
		lost += len(left)
		s.counts.Reissued += int64(len(left))
		s.queue = append(left, s.queue...)
	}
	s.net.config.notice("farm: the server has lost tasks or answers: %d tasks are published again", lost)
	s.kick()
	return nil
}

// sent are the batches that the server has taken and nobody has answered, of those before if
// there are any.
func (s *session) sent(before map[uint64]bool) map[uint64]bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	found := map[uint64]bool{}
	for id, f := range s.flying {
		if f.seq > 0 && (before == nil || before[id]) {
			found[id] = true
		}
	}
	return found
}

// atServer counts the session's messages that the server has. A worker publishes answers
// before it acknowledges a batch, so that counting the batches first misses none.
func (s *session) atServer(ctx context.Context) (int, error) {
	st, err := s.net.js.Stream(ctx, tasksStream)
	if err != nil {
		return 0, err
	}
	info, err := st.Info(ctx, jetstream.WithSubjectFilter(s.subject()))
	if err != nil {
		return 0, err
	}
	c, err := s.net.js.Consumer(ctx, resultsStream, s.note.Session)
	if errors.Is(err, jetstream.ErrConsumerNotFound) {
		return int(info.State.Subjects[s.subject()]), nil
	}
	if err != nil {
		return 0, err
	}
	found := c.CachedInfo()
	return int(info.State.Subjects[s.subject()]) + int(found.NumPending) + found.NumAckPending, nil
}
