package natspool

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/oneline"
	"kroo/internal/strictjson"
)

const maxAnnouncement = 1 << 18

func decodeAnnouncement(b []byte) (a announcement, err error) {
	if err := strictjson.Decode(b, maxAnnouncement, &a); err != nil {
		return a, wrap("a session", err)
	}
	if !isToken(a.Session) || !isToken(a.Engine) || a.Deadline < 0 || a.Deadline > longest || len(a.Files) > 100 {
		return a, wrap("a session", errors.New("expected names of letters and digits, and a deadline"))
	}
	return a, nil
}

// job is the worker's side of a session.
type job struct {
	note   announcement
	dig    digest
	ctx    context.Context // of its searches
	cancel context.CancelFunc
	heard  time.Time // that a coordinator spoke of it

	open sync.Once
	doer farm.Doer
	err  error
	at   sync.WaitGroup // threads at work
	used time.Time
}

// openJobs is how many sessions a worker keeps open: each has hash tables.
const openJobs = 2

var (
	errGone  = errors.New("the session is over") // no coordinator knows it
	errEnded = errors.New("the worker ends")
)

// session is the job of a session, with a thread at work. Call its at.Done.
func (w *crew) session(id string) (*job, error) {
	w.mu.Lock()
	j := w.sessions[id]
	if j != nil {
		j.at.Add(1)
		j.used = time.Now()
	}
	w.mu.Unlock()
	if j == nil {
		var err error
		if j, err = w.ask(id); err != nil {
			return nil, err
		}
	}
	j.open.Do(func() { j.doer, j.err = w.open(j) })
	if j.err != nil {
		w.drop(id, j)
		j.at.Done()
		return nil, j.err
	}
	return j, nil
}

// drop forgets a session that could not be opened, so that it is tried again if need be.
func (w *crew) drop(id string, j *job) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sessions[id] == j {
		delete(w.sessions, id)
	}
	j.cancel()
}

// ask learns from the coordinator what a session is.
func (w *crew) ask(id string) (*job, error) {
	m, err := w.conn.Request(sessionSubject+id, nil, 2*time.Second)
	if errors.Is(err, nats.ErrNoResponders) {
		return nil, errGone
	}
	if err != nil {
		return nil, errLater{err}
	}
	a, err := decodeAnnouncement(m.Data)
	if err != nil {
		return nil, err
	}
	if a.Session != id || a.Engine != w.Engine {
		return nil, fmt.Errorf("session %s of engine %s: expected %s of %s", a.Session, a.Engine, id, w.Engine)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.ended {
		return nil, errEnded
	}
	j := w.sessions[id]
	if j == nil {
		j = &job{note: a, dig: a.digest(), heard: time.Now()}
		j.ctx, j.cancel = context.WithCancel(context.Background())
		w.sessions[id] = j
		w.crowd(id)
	}
	j.at.Add(1)
	j.used = time.Now()
	return j, nil
}

// crowd closes the sessions that were used least lately, but for one. It needs the lock.
func (w *crew) crowd(but string) {
	for len(w.sessions) > openJobs {
		oldest := ""
		for id, j := range w.sessions {
			if id != but && (oldest == "" || j.used.Before(w.sessions[oldest].used)) {
				oldest = id
			}
		}
		w.remove(oldest)
	}
}

// remove closes a session once it is not used any more. It needs the lock.
func (w *crew) remove(id string) (j *job) {
	if j = w.sessions[id]; j != nil {
		delete(w.sessions, id) // so nobody else closes it
		w.closes.Go(j.close)
	}
	return j
}

// open gets the files of a session and opens its doer.
func (w *crew) open(j *job) (farm.Doer, error) {
	a := j.note
	work := farm.Work{Kind: a.Kind, Engine: a.Engine, Spec: a.Spec, Deadline: a.Deadline}
	files := func(hash string) (string, error) {
		for _, f := range a.Files {
			if f.Hash == hash {
				return cache{w.Cache}.get(j.ctx, w.js, f)
			}
		}
		return "", fmt.Errorf("the session has no file %.80q", hash)
	}
	doer, err := w.Open(work, files, w.Threads)
	var later errLater
	var here errHere
	switch {
	case err == nil:
		w.notice("farm: a session of %s (%s): %s", oneline.Short(a.Host), oneline.Short(a.Tool), oneline.Short(a.Kind))
	case !errors.As(err, &later) && !errors.As(err, &here):
		w.notice("farm: a session of %s (%s) that cannot be served: %v", oneline.Short(a.Host), oneline.Short(a.Tool), err)
		return refusing{err}, nil
	}
	return doer, err
}

// refusing is the doer of a session that cannot be served: the coordinator learns why.
type refusing struct{ err error }

func (r refusing) Do(context.Context, []byte) ([]byte, error) { return nil, r.err }
func (refusing) Close() error                                 { return nil }

// over ends a session: its searches are cut short.
func (w *crew) over(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if j := w.remove(id); j != nil {
		j.cancel()
	}
}

// giveUp ends all sessions, and opens no more.
func (w *crew) giveUp() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	for id := range w.sessions {
		w.remove(id).cancel()
	}
}

// close waits for the threads and closes the doer.
func (j *job) close() {
	j.at.Wait()
	j.open.Do(func() { j.err = errGone })
	if j.doer != nil {
		_ = j.doer.Close() // nothing was written
	}
}

const (
	// opening is how long a worker keeps a batch to itself while it opens the session,
	// which may need large files. Then the server gives it to another.
	opening = 5 * time.Second
	// passDelay is how long a batch is kept from a worker that should leave it to others.
	passDelay = 25 * time.Millisecond
	// mostPassed is how often a batch is left to others before the coordinator has it
	// back, who knows whether there are any.
	mostPassed = 80
)

// batch does a batch. It calls ahead at its beginning if there are several tasks, which
// are short then.
func (w *crew) batch(m jetstream.Msg, ahead func()) {
	session := m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:]
	b, err := decodeBatch(m.Data())
	if err != nil {
		w.notice("farm: refused a message: %v", err)
		_ = m.Term() // the coordinator finds that it is missing
		return
	}
	if slices.Contains(b.avoid, w.id) {
		w.pass(session, b, m)
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), opening)
	defer cancel()
	alive := w.keep(ctx, m)
	j, err := w.session(session)
	alive()
	var later errLater
	var here errHere
	switch {
	case errors.Is(err, errGone):
		_ = m.Ack() // nobody waits for it
	case errors.As(err, &later):
		w.notice("%v: trying again", err)
		_ = m.NakWithDelay(time.Second)
	case errors.Is(err, errEnded):
		_ = m.Nak()
	case errors.As(err, &here):
		_ = m.Nak()
		w.fail(err)
	case err != nil: // what is no session has no coordinator that could be told
		w.notice("farm: refused a session: %v", err)
		_ = m.Term()
	case ctx.Err() != nil: // another has it
		j.at.Done()
	default:
		w.work(j, b, m, ahead)
	}
}

// pass leaves a batch to other workers.
func (w *crew) pass(session string, b batch, m jetstream.Msg) {
	meta, err := m.Metadata()
	if err != nil || meta.NumDelivered < mostPassed {
		_ = m.NakWithDelay(passDelay)
		return
	}
	_, err = w.conn.Request(takenSubject+session, taken{b.id, w.id, true}.append(nil), 2*time.Second)
	if err != nil && !errors.Is(err, nats.ErrNoResponders) {
		_ = m.NakWithDelay(passDelay)
		return
	}
	_ = m.Ack() // the coordinator has it back, or is gone
}

// work does a batch of a session that is open.
func (w *crew) work(j *job, b batch, m jetstream.Msg, ahead func()) {
	defer j.at.Done()
	w.idle.Store(false)
	w.busy.Add(1)
	defer w.busy.Add(-1)
	_ = w.conn.Publish(takenSubject+j.note.Session, taken{batch: b.id, worker: w.id}.append(nil))
	ctx, cancel := context.WithTimeout(j.ctx, b.deadline)
	alive := w.keep(ctx, m)
	o := outbox{crew: w, job: j, batch: b, msg: m}
	o.do(ctx, ahead)
	w.sends.Go(func() { // the thread goes on; the message is kept until its answers are away
		defer cancel()
		o.finish()
		alive()
	})
}

// keep tells the server again and again that a batch is being worked at, until the
// context ends or the returned function is called.
func (w *crew) keep(ctx context.Context, m jetstream.Msg) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	go func() {
		tick := time.NewTicker(ackWait / 3)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				_ = m.InProgress() // if it fails, another worker does the batch too
			}
		}
	}()
	return cancel
}

// outbox collects the answers to a batch, and sends them in parts that fit messages.
type outbox struct {
	*crew
	job   *job
	batch batch
	msg   jetstream.Msg

	first int      // number of the first answer that is not packed
	list  []answer // not packed
	size  int
	begun time.Time
	parts [][]byte // packed, not sent
}

// do does the tasks.
func (o *outbox) do(ctx context.Context, ahead func()) {
	o.begun = time.Now()
	for i, task := range o.batch.tasks {
		if i == 0 && len(o.batch.tasks) > 1 { // small tasks: the next batch is there in time
			ahead()
		}
		text, err := o.job.doer.Do(ctx, task)
		if o.job.ctx.Err() != nil { // nobody waits for it
			return
		}
		a := answer{text: text}
		if err == nil && len(text) > maxAnswer {
			err = fmt.Errorf("an answer of %d bytes: expected at most %d", len(text), maxAnswer)
		}
		if err != nil {
			if ctx.Err() != nil {
				err = fmt.Errorf("not done in %s", o.batch.deadline)
			}
			a = answer{failed: true, text: []byte(oneline.Short(err.Error()))}
			o.failed.Add(1)
		} else {
			o.done.Add(1)
		}
		if o.size+len(a.text)+16 > fullBatch {
			o.pack()
		}
		o.list = append(o.list, a)
		o.size += len(a.text) + 16
	}
	o.pack()
}

// pack makes a message of the answers so far.
func (o *outbox) pack() {
	if len(o.list) == 0 {
		return
	}
	now := time.Now()
	o.parts = append(o.parts, answers{
		batch: o.batch.id, work: o.job.dig, worker: o.id, busy: now.Sub(o.begun), first: o.first, list: o.list,
	}.append(nil))
	o.first += len(o.list)
	o.list, o.size, o.begun = nil, 0, now
}

// finish sends the answers, and acknowledges the batch when the coordinator has them. It
// gives up when the coordinator would be given up.
func (o *outbox) finish() {
	ctx, cancel := context.WithTimeout(o.job.ctx, sessionAfter)
	defer cancel()
	for _, part := range o.parts {
		for !o.send(ctx, part) && ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-time.After(retryEvery):
			}
		}
	}
	if o.first < len(o.batch.tasks) || ctx.Err() != nil {
		_ = o.msg.Nak() // for another worker, if anybody still wants it
		return
	}
	_ = o.msg.Ack() // if it is lost the batch comes again, and its answers are dropped
}

func (o *outbox) send(ctx context.Context, part []byte) bool {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, err := o.conn.RequestWithContext(ctx, answersSubject+o.job.note.Session, part)
	return err == nil
}
