package natspool

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/revision"
)

// announcement is what a coordinator tells workers of a session.
type announcement struct {
	Session  string          `json:"session"`
	Kind     string          `json:"kind"`
	Engine   string          `json:"engine"` // signature that is needed
	Tool     string          `json:"tool"`   // version of the coordinator's program
	Host     string          `json:"host"`
	Spec     json.RawMessage `json:"spec"`
	Files    []fileNote      `json:"files,omitempty"`
	Deadline time.Duration   `json:"deadline"` // of a task
}

type fileNote struct {
	Hash string `json:"hash"`
	Size int64  `json:"size"`
}

// digest is that of all that answers depend on.
func (a announcement) digest() (d digest) {
	text, _ := json.Marshal([]any{a.Kind, a.Engine, a.Spec, a.Files}) // decoded or made before: it encodes
	sum := sha256.Sum256(text)
	copy(d[:], sum[:])
	return d
}

// session is the coordinator's side of some work.
type session struct {
	net  *Network
	id   string
	work farm.Work
	note announcement
	text []byte // the note as JSON
	dig  digest

	wake   chan struct{} // there may be something to send
	room   chan struct{} // holds one for each task that waits for its answer
	ready  chan ready    // has room for all of them
	ending chan struct{} // closed by close
	ended  sync.WaitGroup
	floods atomic.Int32 // of its subject

	mu      sync.Mutex
	closed  bool
	queue   []*task           // not sent, oldest first
	flying  map[uint64]*flown // batches that are sent and not answered
	next    uint64            // number of the next batch
	perTask time.Duration     // that a task takes, 0 before the first answer
	begun   time.Time
	asked   int // tasks
	counts  Counts
}

// Counts are what has become of the tasks of a session.
type Counts struct {
	Done     int64 `json:"done"`
	Reissued int64 `json:"reissued"` // tasks that were given to another worker
	Refused  int64 `json:"refused"`  // answers that could not be
	Failed   int64 `json:"failed"`   // tasks that a worker could not do
	Doubled  int64 `json:"doubled"`  // answers that came again, and were dropped
	Compared int64 `json:"compared"` // tasks that two workers have answered alike
	Differed int64 `json:"differed"` // answers that differed from those of others
}

// flown is a batch on its way.
type flown struct {
	batch
	list     []*task
	answered []bool
	left     int
	sent     time.Time
	taken    time.Time // zero before a worker has told so
	by       string
	failing  *failing // the worker that failed at some of it
}

// begin begins a session: it puts the files onto the server and tells workers.
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
		net: n, id: rand.Text(), work: w, wake: make(chan struct{}, 1), ending: make(chan struct{}), flying: map[uint64]*flown{}, begun: time.Now(),
		room: make(chan struct{}, ahead), ready: make(chan ready, ahead),
	}
	s.note = announcement{Session: s.id, Kind: w.Kind, Engine: w.Engine, Tool: revision.Get(), Host: host, Spec: w.Spec, Deadline: w.Deadline}
	for _, f := range w.Files {
		s.note.Files = append(s.note.Files, fileNote{f.Hash, f.Size})
	}
	var err error
	if s.text, err = json.Marshal(s.note); err != nil {
		return nil, err
	}
	s.dig = s.note.digest()
	if err := s.putFiles(ctx); err != nil {
		return nil, err
	}
	subscriptions, err := s.subscribe()
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	n.sessions[s.id] = s
	n.mu.Unlock()
	s.announce()
	s.ended.Go(s.dispatch)
	s.ended.Go(func() {
		s.watch()
		for _, sub := range subscriptions {
			_ = sub.Unsubscribe() // the connection may be closed
		}
	})
	return s, nil
}

// subscribe takes the core messages of workers.
func (s *session) subscribe() (list []*nats.Subscription, err error) {
	for subject, f := range map[string]nats.MsgHandler{
		sessionSubject + s.id: func(m *nats.Msg) { _ = m.Respond(s.text) }, // who asked asks again
		takenSubject + s.id:   s.takenBy,
		answersSubject + s.id: s.receive,
	} {
		sub, err := s.net.conn.Subscribe(subject, f)
		if err != nil {
			return nil, err
		}
		list = append(list, sub)
	}
	return list, nil
}

// receive takes answers, and tells the worker that they are here.
func (s *session) receive(m *nats.Msg) {
	if found, err := decodeAnswers(m.Data); err != nil {
		s.malformed(err)
	} else {
		s.answered(found)
	}
	_ = m.Respond(nil) // what comes again is dropped
}

// restore puts back what the server may have lost: files, and, if the stream of batches is
// a new one, those that are not answered. The server drops some that it has already, but
// not those of long ago.
func (s *session) restore(lost bool) error {
	if err := s.putFiles(context.Background()); err != nil {
		return err
	}
	s.announce()
	if !lost {
		return nil
	}
	s.mu.Lock()
	var list []*flown
	for _, f := range s.flying {
		list = append(list, f)
	}
	s.mu.Unlock()
	slices.SortFunc(list, func(a, b *flown) int { return int(a.id) - int(b.id) })
	for _, f := range list {
		if err := s.publish(f); err != nil {
			return err
		}
	}
	return nil
}

func (s *session) announce() {
	_ = s.net.conn.Publish(openSubject, s.text) // it is said again in a second
}

// watch tells workers of the session now and then, and looks after what is late, until
// the session ends.
func (s *session) watch() {
	tick := time.NewTicker(beatEvery / 2)
	defer tick.Stop()
	for i := 0; ; i++ {
		select {
		case <-s.ending:
			return
		case <-tick.C:
		}
		if i%2 == 0 {
			s.announce()
		}
		s.net.sweep(s.work)
		s.overdue()
		s.missing()
		s.kick()
	}
}

func (s *session) kick() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

var errClosed = errors.New("the session is closed")

// close ends the session. What is still asked for is given up.
func (s *session) close() {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return
	}
	s.closed = true
	s.queue, s.flying = nil, nil
	s.mu.Unlock()
	close(s.ending)
	s.net.mu.Lock()
	delete(s.net.sessions, s.id)
	s.net.mu.Unlock()
	s.ended.Wait()
	s.tidy()
	s.net.config.notice("%s", s.summary())
}

// tidy takes the session off the server, if that can be had.
func (s *session) tidy() {
	_ = s.net.conn.Publish(closedSubject+s.id, nil)
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	if st, err := s.net.js.Stream(ctx, jobsStream); err == nil {
		_ = st.Purge(ctx, jetstream.WithPurgeSubject(s.subject())) // its age ends it otherwise
	}
}

// subject is that of the session's batches. It changes where others flood it.
func (s *session) subject() string {
	return fmt.Sprintf("%s%s.%d.%s", jobsSubject, s.work.Engine, s.floods.Load(), s.id)
}

// summary says in a line what the session was.
func (s *session) summary() string {
	s.mu.Lock()
	c := s.counts
	s.mu.Unlock()
	text := fmt.Sprintf("farm: %d tasks done in %s", c.Done, time.Since(s.begun).Round(100*time.Millisecond))
	for _, part := range []struct {
		n    int64
		what string
	}{
		{c.Compared, "done twice and alike"}, {c.Reissued, "given to another worker"}, {c.Refused, "answers refused"}, {c.Differed, "answers unlike those of others"},
		{c.Failed, "failed at first"}, {c.Doubled, "answers dropped that came again"},
	} {
		if part.n > 0 {
			text += fmt.Sprintf(", %d %s", part.n, part.what)
		}
	}
	return text
}
