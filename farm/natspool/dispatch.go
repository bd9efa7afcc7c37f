package natspool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/parallel"
)

// Sizes of batches.
const (
	batchTime   = 100 * time.Millisecond // that a batch takes
	leastTime   = 5 * time.Millisecond   // less is not worth a message
	aWorker     = 3                      // batches on their way for each thread of a worker
	someBatches = 4                      // on their way before there is any worker
	sampleEvery = 100                    // tasks, of which one is done twice
	mostFailed  = 3                      // workers that may fail at a task, or times if there are fewer
	ahead       = 1 << 15                // tasks that wait for their answers: more than a large farm has in hand
)

// task is one of a session, and where it is.
type task struct {
	number  int // from 0
	payload []byte
	take    func(answer []byte) error
	wanted  bool      // not answered yet
	compare bool      // two workers are to answer alike
	held    []held    // answers that are being compared
	heldAt  time.Time // when the last of them came

	tried    []string   // workers that should not have it again, if there are others
	failedBy []*failing // those of them that failed at it
	failures int
}

// failing is a worker that fails at tasks of a batch.
type failing struct {
	worker string
	struck bool // for a task that another has done
}

// tries notes a worker that should not have the task again.
func (t *task) tries(worker string) {
	if worker != "" && !slices.Contains(t.tried, worker) {
		t.tried = append(t.tried, worker)
	}
}

// failed are the workers that failed at the task.
func (t *task) failed() (list []string) {
	for _, f := range t.failedBy {
		list = append(list, f.worker)
	}
	return list
}

// avoid are the workers that should leave a task to others: all that have tried it, or
// else all that failed at it, and none if there are no others.
func (s *session) avoid(t *task) []string {
	if len(t.tried) == 0 {
		return nil
	}
	for _, list := range [][]string{t.tried, t.failed()} {
		if s.net.others(s.work.Engine, list) {
			return list[max(0, len(list)-maxAvoid):]
		}
	}
	return nil
}

// together tells whether tasks may travel in a batch: it is to be avoided by the same
// workers.
func together(a, b *task) bool {
	return slices.Equal(a.tried, b.tried) && slices.Equal(a.failed(), b.failed())
}

// held is an answer that waits for a second one.
type held struct {
	worker string
	text   []byte
}

// ready is a task with an answer to be taken, or with the reason why there is none.
type ready struct {
	*task
	held
	err error
}

// Do is as [farm.Network] says.
func (n *Network) Do(ctx context.Context, w farm.Work, feed parallel.Feed[farm.Task]) error {
	s, err := n.begin(ctx, w)
	if err != nil {
		return err
	}
	defer s.close()
	return s.do(ctx, feed)
}

// do has the tasks of a feed done.
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
	for feeds := ends; feeds != nil || len(s.room) > 0; {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-s.ending:
			return errClosed
		case <-s.net.severed:
			return s.net.why
		case err := <-feeds:
			if err != nil {
				return err
			}
			feeds = nil
		case r := <-s.ready:
			if err := s.hand(r); err != nil {
				return err
			}
		}
	}
	return nil
}

// hand gives an answer to whoever asked.
func (s *session) hand(r ready) error {
	if r.err != nil {
		return r.err
	}
	err := r.take(r.text)
	var refused farm.Refused
	switch {
	case errors.As(err, &refused):
		s.refuse(r, err)
		return nil
	case err != nil:
		return err
	}
	<-s.room
	s.taken(r)
	return nil
}

// ask adds a task to the queue when there is room.
func (s *session) ask(ctx context.Context, t farm.Task) error {
	if len(t.Data) > maxTask {
		return fmt.Errorf("a task of %d bytes: expected at most %d", len(t.Data), maxTask)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case s.room <- struct{}{}:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return errClosed
	}
	compare := s.work.Compare && s.asked%sampleEvery == 0
	s.queue = append(s.queue, &task{number: s.asked, payload: t.Data, take: t.Take, wanted: true, compare: compare})
	s.asked++
	s.kick()
	return nil
}

// dispatch sends batches as long as there are tasks and room on the way, several at a
// time: the server may be far away.
func (s *session) dispatch() {
	const atATime = 64
	room := make(chan struct{}, atATime)
	for {
		select {
		case <-s.ending:
			return
		case <-s.wake:
		}
		for f := s.pack(); f != nil; f = s.pack() {
			room <- struct{}{}
			s.ended.Go(func() {
				s.send(f)
				<-room
			})
		}
	}
}

// send publishes a batch, again and again until the server has it, or it is taken back.
func (s *session) send(f *flown) {
	for begun := time.Now(); ; {
		err := s.publish(f)
		if err == nil {
			return
		}
		if s.net.conn.IsConnected() && time.Since(begun) > lookEvery {
			s.net.config.notice("farm: the server does not take batches: %v: trying again", err)
			begun = time.Now()
		}
		select {
		case <-s.ending:
			return
		case <-time.After(retryEvery):
		}
		s.mu.Lock()
		wanted := s.flying[f.id] == f
		s.mu.Unlock()
		if !wanted {
			return
		}
	}
}

// pack makes a batch of the oldest tasks, nil if there are none or enough on the way.
func (s *session) pack() *flown {
	threads, _ := s.net.threads(s.work.Engine)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed || len(s.queue) == 0 || len(s.flying) >= max(someBatches, aWorker*threads) {
		return nil
	}
	first := s.queue[0]
	f := &flown{batch: batch{id: s.next, work: s.dig, avoid: s.avoid(first)}, sent: time.Now()}
	s.next++
	size, most := 0, s.batchSize(threads)
	for len(s.queue) > 0 && len(f.list) < most {
		t := s.queue[0]
		if size += len(t.payload) + 4; size > fullBatch || !together(t, first) {
			break
		}
		s.queue[0] = nil
		s.queue = s.queue[1:]
		f.list = append(f.list, t)
		f.tasks = append(f.tasks, t.payload)
	}
	f.deadline = min(s.work.Deadline+4*time.Duration(len(f.list))*s.perTask, longest)
	f.answered, f.left = make([]bool, len(f.list)), len(f.list)
	s.flying[f.id] = f
	return f
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

// publish gives a batch to the server.
func (s *session) publish(f *flown) error {
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_, err := s.net.js.Publish(ctx, s.subject(), f.append(nil), jetstream.WithMsgID(fmt.Sprintf("%s.%d", s.id, f.id)), jetstream.WithRetryAttempts(0))
	return err
}

// again gives the unanswered tasks of a batch to another worker than this one. It needs
// the lock.
func (s *session) again(f *flown, worker string) {
	s.counts.Reissued += int64(s.takeBack(f, worker))
}

// takeBack puts the unanswered tasks of a batch back to the front of the queue.
func (s *session) takeBack(f *flown, worker string) int {
	delete(s.flying, f.id)
	var list []*task
	for i, t := range f.list {
		if !f.answered[i] && t.wanted {
			t.tries(worker)
			list = append(list, t)
		}
	}
	s.queue = append(list, s.queue...)
	s.kick()
	return len(list)
}

// overdue gives the tasks of workers to others that take too long.
func (s *session) overdue() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, f := range s.flying {
		if !f.taken.IsZero() && time.Since(f.taken) > f.deadline+beatEvery {
			s.net.config.notice("farm: worker %s has not finished a batch in %s: it goes to another", s.net.nameOf(f.by), f.deadline)
			s.again(f, f.by)
		}
	}
}

// missing finds batches that nobody has: the server does not offer them, and no worker
// has said that it is at them. Their messages were lost on the way, or dropped by a
// worker that could not reach this coordinator.
func (s *session) missing() {
	if threads, _ := s.net.threads(s.work.Engine); threads == 0 || !s.net.conn.IsConnected() {
		return
	}
	s.mu.Lock()
	oldest := time.Now()
	for _, f := range s.flying {
		if f.taken.IsZero() && f.sent.Before(oldest) {
			oldest = f.sent
		}
	}
	s.mu.Unlock()
	if time.Since(oldest) < lostAfter {
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	st, err := s.net.js.Stream(ctx, jobsStream)
	if err != nil {
		return
	}
	info, err := st.Info(ctx, jetstream.WithSubjectFilter(s.subject()))
	if err != nil || info.State.Subjects[s.subject()] > 0 {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.resend(lostAfter)
}

// resend sends anew what no worker is at and was sent so long ago. It needs the lock.
func (s *session) resend(ago time.Duration) {
	for _, f := range s.flying {
		if f.taken.IsZero() && time.Since(f.sent) >= ago {
			s.again(f, "")
		}
	}
}

// flooded tells whether so many batches of a subject that names the session cannot be its own,
// or those of a worker that has them twice. The session then leaves the subject, with all that
// no worker is at.
func (s *session) flooded(subject string, count uint64) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if subject != s.subject() {
		return true
	}
	if count <= 4*uint64(len(s.flying)+someBatches) {
		return false
	}
	s.floods.Add(1)
	s.resend(0)
	return true
}
