package natspool

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/oneline"
)

const (
	// openJobs is how many sessions a worker keeps open: each has hash tables.
	openJobs = 2
	// opening is how long a worker keeps a batch to itself while it opens the session,
	// which may need large files. Then the server gives it to another.
	opening = 5 * time.Second
	// sending is how long a worker tries to have the server take answers.
	sending = time.Minute
)

var (
	errOver  = errors.New("the session is over")
	errEnded = errors.New("the worker ends")
)

// job is the worker's side of a session.
type job struct {
	id     string
	note   announcement
	ctx    context.Context // of its searches
	cancel context.CancelFunc

	open sync.Once
	doer farm.Doer
	err  error
	at   sync.WaitGroup // threads at work
	used time.Time
}

// job is the job of a session, with a thread at work. Call its at.Done.
func (w *worker) job(id string) (*job, error) {
	j, err := w.enter(id, nil)
	if j == nil && err == nil {
		var a announcement
		if a, err = w.announced(id); err == nil {
			j, err = w.enter(id, &a)
		}
	}
	if err != nil {
		return nil, err
	}
	j.open.Do(func() { j.doer, j.err = w.openJob(j) })
	if j.err != nil { // it may be tried again
		w.mu.Lock()
		if w.jobs[id] == j {
			delete(w.jobs, id)
		}
		w.mu.Unlock()
		j.cancel()
		j.at.Done()
		return nil, j.err
	}
	return j, nil
}

// announced asks the server what a session is.
func (w *worker) announced(id string) (a announcement, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), renewEvery)
	defer cancel()
	e, err := w.sessions.Get(ctx, id)
	if errors.Is(err, jetstream.ErrKeyNotFound) {
		return a, errOver
	}
	if err != nil {
		return a, errLater{err}
	}
	if a, err = decodeAnnouncement(e.Value()); err == nil && a.Engine != w.Engine {
		err = fmt.Errorf("session %s of engine %s: expected %s", id, a.Engine, w.Engine)
	}
	return a, err
}

// enter adds a thread to a job, which a note makes if there is none. Of too many jobs the one
// is closed that was not used for longest.
func (w *worker) enter(id string, note *announcement) (*job, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	j := w.jobs[id]
	switch {
	case w.ended:
		return nil, errEnded
	case j == nil && note == nil:
		return nil, nil
	case j == nil:
		j = &job{id: id, note: *note}
		j.ctx, j.cancel = context.WithCancel(context.Background())
		w.jobs[id] = j
	}
	j.at.Add(1)
	j.used = time.Now()
	for len(w.jobs) > openJobs {
		oldest := j
		for _, other := range w.jobs {
			if other.used.Before(oldest.used) {
				oldest = other
			}
		}
		w.remove(oldest)
	}
	return j, nil
}

// remove closes a job once no thread is at it. It needs the lock.
func (w *worker) remove(j *job) {
	delete(w.jobs, j.id) // so nobody else closes it
	w.closes.Go(func() {
		j.at.Wait()
		j.open.Do(func() { j.err = errOver })
		j.cancel()
		if j.doer != nil {
			_ = j.doer.Close() // nothing was written
		}
	})
}

// over ends a session: its searches are cut short.
func (w *worker) over(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if j := w.jobs[id]; j != nil {
		w.remove(j)
		j.cancel()
	}
}

// giveUp ends all sessions, and opens no more.
func (w *worker) giveUp() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ended = true
	for _, j := range w.jobs {
		w.remove(j)
		j.cancel()
	}
}

// openJob gets the files of a session and opens its doer. A session that cannot be served has
// one that says why.
func (w *worker) openJob(j *job) (farm.Doer, error) {
	a := j.note
	files := func(hash string) (string, error) {
		for _, f := range a.Files {
			if f.Hash == hash {
				return cache{w.Cache}.get(j.ctx, w.files, f)
			}
		}
		return "", fmt.Errorf("the session has no file %.80q", hash)
	}
	doer, err := w.Open(farm.Work{Kind: a.Kind, Engine: a.Engine, Spec: a.Spec, Deadline: a.Deadline}, files, w.Threads)
	_, later := errors.AsType[errLater](err)
	_, here := errors.AsType[errHere](err)
	switch {
	case err == nil:
		w.notice("farm: a session of %s (%s): %s", a.Host, a.Tool, a.Kind)
	case !later && !here:
		w.notice("farm: a session of %s (%s) that cannot be served: %v", a.Host, a.Tool, err)
		return refusing{err}, nil
	}
	return doer, err
}

// refusing is the doer of a session that cannot be served: the coordinator learns why.
type refusing struct{ err error }

func (r refusing) Do(context.Context, []byte) ([]byte, error) { return nil, r.err }
func (refusing) Close() error                                 { return nil }

// batch does a batch. It calls ahead at its beginning if there are several tasks, which
// are short then.
func (w *worker) batch(m jetstream.Msg, ahead func()) {
	session := m.Subject()[strings.LastIndexByte(m.Subject(), '.')+1:]
	b, err := decodeBatch(m.Data())
	if err != nil {
		w.notice("farm: refused a message: %v", err)
		_ = m.Term() // its coordinator finds that it is missing
		return
	}
	ctx, cancel := context.WithTimeout(context.Background(), opening)
	defer cancel()
	alive := keep(ctx, m)
	j, err := w.job(session)
	alive()
	_, later := errors.AsType[errLater](err)
	_, here := errors.AsType[errHere](err)
	switch {
	case errors.Is(err, errOver):
		_ = m.Ack() // nobody waits for it
	case errors.Is(err, errEnded):
		_ = m.Nak()
	case later:
		w.notice("farm: %v: trying again", err)
		_ = m.NakWithDelay(time.Second)
	case here:
		_ = m.Nak()
		w.fail(err)
	case err != nil: // what is no session has no coordinator that could be told
		w.notice("farm: refused a session: %v", err)
		_ = m.Term()
	case ctx.Err() != nil: // another has it
		j.at.Done()
	default:
		w.idle.Store(false)
		w.do(j, b, m, ahead)
	}
}

// do does a batch of a session that is open.
func (w *worker) do(j *job, b batch, m jetstream.Msg, ahead func()) {
	defer j.at.Done()
	w.busy.Add(1)
	defer w.busy.Add(-1)
	ctx, cancel := context.WithTimeout(j.ctx, b.Deadline)
	alive := keep(ctx, m)
	o := outbox{worker: w, job: j, batch: b.ID, msg: m, begun: time.Now()}
	for i, task := range b.Tasks {
		if i == 0 && len(b.Tasks) > 1 && w.streak.Load() == 0 {
			ahead()
		}
		text, err := j.doer.Do(ctx, task)
		if j.ctx.Err() != nil { // nobody waits for it, or the worker ends
			break
		}
		if err == nil && len(text) > maxAnswer {
			err = fmt.Errorf("an answer of %d bytes: expected at most %d", len(text), maxAnswer)
		}
		if err != nil && ctx.Err() != nil {
			err = fmt.Errorf("not done in %s", b.Deadline)
		}
		o.add(i, text, err)
	}
	o.pack()
	if o.failed {
		w.streak.Add(1)
	} else if o.answered == len(b.Tasks) {
		w.streak.Store(0)
	}
	w.sends.Go(func() { // the thread goes on; the message is kept until its answers are away
		defer cancel()
		o.send(o.answered == len(b.Tasks))
		alive()
	})
}

// keep renews the acknowledgement deadline of a batch until the context ends or the returned
// function is called.
func keep(ctx context.Context, m jetstream.Msg) (stop func()) {
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

// outbox collects the answers to a batch, and publishes them in parts that fit messages.
type outbox struct {
	*worker
	job   *job
	batch uint64
	msg   jetstream.Msg

	failed   bool
	answered int
	list     []answer // not packed
	size     int
	begun    time.Time
	parts    [][]byte // packed, not sent
}

// add adds the answer to a task, or why there is none.
func (o *outbox) add(index int, text []byte, err error) {
	a := answer{Index: index, Text: text}
	if err != nil {
		o.failed = true
		o.worker.failed.Add(1)
		a = answer{Index: index, Why: cmp.Or(oneline.Short(err.Error()), "an error without a text")}
	} else {
		o.answered++
		o.done.Add(1)
	}
	if o.size += len(text) + 40; o.size > fullBatch {
		o.pack()
		o.size = len(text) + 40
	}
	o.list = append(o.list, a)
}

// pack makes a message of the answers so far.
func (o *outbox) pack() {
	if len(o.list) == 0 {
		return
	}
	now := time.Now()
	o.parts = append(o.parts, encode(answers{o.batch, o.name, now.Sub(o.begun), o.list}))
	o.list, o.begun = nil, now
}

// send publishes the answers, and acknowledges the batch when the server has them. What it
// cannot, another worker does again.
func (o *outbox) send(whole bool) {
	delivery := uint64(1)
	if meta, err := o.msg.Metadata(); err == nil {
		delivery = meta.NumDelivered
	}
	ctx, cancel := context.WithTimeout(o.job.ctx, sending)
	defer cancel()
	for i, part := range o.parts {
		id := fmt.Sprintf("%s.%d.%d", o.job.id, o.batch, i)
		if !whole {
			id = fmt.Sprintf("%s.try%d", id, delivery)
		}
		for o.publish(ctx, part, id) != nil && ctx.Err() == nil {
			pause(ctx, retryEvery)
		}
	}
	switch {
	case whole && ctx.Err() == nil:
		_ = o.msg.DoubleAck(ctx) // if it is lost the batch comes again, and its answers are dropped
	case o.failed:
		_ = o.msg.NakWithDelay(time.Duration(delivery) * 200 * time.Millisecond)
	default:
		_ = o.msg.Nak()
	}
}

func (o *outbox) publish(ctx context.Context, part []byte, id string) error {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	_, err := o.js.Publish(ctx, resultsSubject+o.job.id, part, jetstream.WithMsgID(id), jetstream.WithRetryAttempts(0))
	return err
}
