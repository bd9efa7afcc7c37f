package natspool

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/oneline"
	"kroo/internal/parallel"
	"kroo/internal/revision"
)

// Sizes of batches.
const (
	batchTime   = 100 * time.Millisecond // that a batch takes
	leastTime   = 5 * time.Millisecond   // less is not worth a message
	aThread     = 3                      // batches on their way for each thread of a worker
	someBatches = 4                      // on their way before there is any worker
	ahead       = 1 << 15                // tasks that wait for their answers: more than a large farm has in hand
)

// task is one of a session that has no answer yet.
type task struct {
	farm.Task
	number  int // from 0
	alone   bool
	refused int    // answers
	why     string // a worker has failed at it
}

// inFlight is a batch that is not answered yet.
type inFlight struct {
	id   uint64
	seq  uint64  // in the stream, 0 before the server has it
	list []*task // nil for one that is answered
	left int
}

// ready is a task with an answer to be taken, or with the reason why there is none.
type ready struct {
	*task
	worker string
	text   []byte
	err    error
}

// session is the coordinator's side of some work: it keeps which tasks are unanswered.
type session struct {
	net  *Network
	note announcement // without its status
	work farm.Work

	wake    chan struct{} // there may be something to send
	room    chan struct{} // holds one for each task that waits for its answer
	ready   chan ready    // has room for all of them
	ctx     context.Context
	end     context.CancelFunc
	ended   sync.WaitGroup
	begun   time.Time
	results jetstream.Consumer

	mu      sync.Mutex
	queue   []*task              // not sent, oldest first
	flying  map[uint64]*inFlight // by their ids
	next    uint64               // id of the next batch
	perTask time.Duration        // that a task takes, 0 before the first answer
	asked   int                  // tasks
	counts  Counts
	failing map[string]bool // workers: a person was told that they fail
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

// begin begins a session: it puts the files onto the server and announces it to workers.
func (n *Network) begin(ctx context.Context, w farm.Work) (*session, error) {
	if !isToken(w.Engine) {
		return nil, fmt.Errorf("engine signature %q: expected letters, digits and hyphens", w.Engine)
	}
	if n.config.Deadline > 0 {
		w.Deadline = n.config.Deadline
	}
	if w.Deadline <= 0 || w.Deadline > longest {
		return nil, fmt.Errorf("a deadline of %s: expected more than 0 and at most %s", w.Deadline, longest)
	}
	select {
	case <-n.severed:
		return nil, n.why
	default:
	}
	host, _ := os.Hostname()
	s := &session{
		net: n, work: w, begun: time.Now(), flying: map[uint64]*inFlight{}, failing: map[string]bool{},
		wake: make(chan struct{}, 1), room: make(chan struct{}, ahead), ready: make(chan ready, ahead),
	}
	s.ctx, s.end = context.WithCancel(n.living)
	s.note = announcement{Tool: revision.Get(), Spec: w.Spec, Deadline: w.Deadline}
	s.note.SessionStatus = SessionStatus{Session: rand.Text(), Host: oneline.Short(host), Kind: w.Kind, Engine: w.Engine, Tasks: w.Tasks}
	for _, f := range w.Files {
		s.note.Files = append(s.note.Files, fileNote{f.Hash, f.Size})
	}
	if err := s.putFiles(ctx); err != nil {
		return nil, err
	}
	if err := errors.Join(s.announce(ctx), s.consume(ctx)); err != nil {
		return nil, fmt.Errorf("the server does not take a session: %w", err)
	}
	n.mu.Lock()
	n.running[s.note.Session] = s
	n.mu.Unlock()
	s.ended.Go(s.dispatch)
	s.ended.Go(s.collect)
	s.ended.Go(func() { s.every(s.renew) })
	s.ended.Go(func() { s.every(s.putFiles) }) // which may take minutes
	return s, nil
}

// every calls do now and then until the session ends.
func (s *session) every(do func(context.Context) error) {
	for tick := time.NewTicker(renewEvery); ; {
		select {
		case <-s.ctx.Done():
			tick.Stop()
			return
		case <-tick.C:
		}
		if !s.net.conn.IsConnected() {
			continue
		}
		if err := do(s.ctx); s.ctx.Err() == nil {
			s.net.tellOf(err)
		}
	}
}

// announce renews the session's key.
func (s *session) announce(ctx context.Context) error {
	_, err := s.net.sessions.Put(ctx, s.note.Session, encode(s.status()))
	return err
}

func (s *session) status() announcement {
	s.mu.Lock()
	defer s.mu.Unlock()
	a := s.note
	a.Queue, a.Counts, a.Seconds = len(s.queue), s.counts, time.Since(s.begun).Seconds()
	for _, f := range s.flying {
		a.InFlight += f.left
	}
	if a.Rate = float64(a.Done) / a.Seconds; a.Rate > 0 && a.Tasks > 0 {
		a.ToGo = float64(max(a.Tasks-a.Done, 0)) / a.Rate
	}
	return a
}

// close ends the session and takes it off the server. What is still asked for is given up.
func (s *session) close() {
	s.end()
	s.net.mu.Lock()
	delete(s.net.running, s.note.Session)
	s.net.mu.Unlock()
	s.ended.Wait()
	ctx, cancel := context.WithTimeout(context.Background(), 500*time.Millisecond)
	defer cancel()
	if s.net.conn.IsConnected() { // the ages of what is there end it otherwise
		_ = s.net.sessions.Delete(ctx, s.note.Session)
		_ = s.purge(ctx)
		_ = s.net.js.DeleteConsumer(ctx, resultsStream, s.note.Session)
	}
	s.net.config.notice("%s", s.summary())
}

func (s *session) subject() string { return tasksSubject + s.work.Engine + "." + s.note.Session }

// purge removes the session's batches from the server.
func (s *session) purge(ctx context.Context) error {
	st, err := s.net.js.Stream(ctx, tasksStream)
	if err != nil {
		return err
	}
	return st.Purge(ctx, jetstream.WithPurgeSubject(s.subject()))
}

// summary says in a line what the session was.
func (s *session) summary() string {
	c := s.status().Counts
	text := fmt.Sprintf("farm: %d tasks done in %s", c.Done, time.Since(s.begun).Round(100*time.Millisecond))
	for _, part := range []struct {
		n    int64
		what string
	}{
		{c.Reissued, "published again"}, {c.Refused, "answers refused"}, {c.Failed, "attempts failed"}, {c.Doubled, "answers dropped that came again"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}

var errClosed = errors.New("the session is closed")

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
		case <-s.net.severed:
			return s.net.why
		case <-s.ctx.Done():
			return errClosed
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

// ask adds a task to the queue when there is room.
func (s *session) ask(ctx context.Context, t farm.Task) error {
	if len(t.Data) > maxTask {
		return fmt.Errorf("a task of %d bytes: expected at most %d", len(t.Data), maxTask)
	}
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-s.ctx.Done():
		return errClosed
	case s.room <- struct{}{}:
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.queue = append(s.queue, &task{Task: t, number: s.asked})
	s.asked++
	s.kick()
	return nil
}

// hand gives an answer to whoever asked. One that cannot be is asked for again.
func (s *session) hand(r ready) error {
	if r.err != nil {
		return r.err
	}
	err := r.Take(r.text)
	if _, refused := errors.AsType[farm.Refused](err); refused {
		return s.refuse(r, err)
	}
	if err != nil {
		return err
	}
	<-s.room
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Done++
	return nil
}

// refuse asks for a task again whose answer cannot be, but not for ever.
func (s *session) refuse(r ready, why error) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.counts.Refused++
	if r.refused++; r.refused == mostTries {
		return fmt.Errorf("task %d: %d answers refused, the last of worker %s: %w", r.number, mostTries, r.worker, why)
	}
	s.net.config.notice("farm: worker %s: answer refused: %s: asking again", r.worker, oneline.Short(why.Error()))
	s.again(r.task)
	return nil
}

// again puts tasks to the front of the queue, each for a batch of its own. It needs the lock.
func (s *session) again(list ...*task) {
	for _, t := range list {
		t.alone = true
	}
	s.counts.Reissued += int64(len(list))
	s.queue = append(list, s.queue...)
	s.kick()
}

func (s *session) kick() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

// answered notes the answers of a worker.
func (s *session) answered(m answers) {
	s.mu.Lock()
	defer s.mu.Unlock()
	f := s.flying[m.Batch]
	for _, a := range m.List {
		switch {
		case f == nil || a.Index >= len(f.list) || f.list[a.Index] == nil:
			s.counts.Doubled++
		case a.Why != "":
			s.counts.Failed++
			t := f.list[a.Index]
			t.why = ", the last time on " + m.Worker + ": " + a.Why
			if !s.failing[m.Worker] {
				s.failing[m.Worker] = true
				s.net.config.notice("farm: worker %s fails: %s: trying again", m.Worker, a.Why)
			}
		default:
			s.ready <- ready{task: f.list[a.Index], worker: m.Worker, text: a.Text} // there is room: each task is there once
			f.list[a.Index] = nil
			f.left--
		}
	}
	s.measure(m.Busy / time.Duration(len(m.List)))
	if f != nil && f.left == 0 {
		delete(s.flying, f.id)
	}
	s.kick()
}

// measure keeps a running mean of the time that a task takes.
func (s *session) measure(d time.Duration) {
	d = min(max(d, time.Microsecond), s.work.Deadline)
	if s.perTask == 0 {
		s.perTask = d
		return
	}
	s.perTask += (d - s.perTask) / 8
}
