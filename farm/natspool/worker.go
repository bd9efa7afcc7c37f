package natspool

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/parallel"
	"kroo/internal/revision"
	"kroo/internal/strict"
	"kroo/internal/wording"
)

// Time limits after a worker is asked to stop: it must end within two seconds.
const (
	lastTasks = 700 * time.Millisecond  // then it returns its current tasks
	lastWords = 1300 * time.Millisecond // then it drops answers that the server does not accept
)

// WorkerConfig configures a worker.
type WorkerConfig struct {
	Config
	Threads int    // 0 means one per processor
	Engine  string // signature of its engine
	Cache   string // folder of files, kept across sessions

	// Open opens the doer of a session's tasks, which runs threads at a time.
	Open func(w farm.Work, files farm.Files, threads int) (farm.Doer, error)

	longestPause time.Duration // after failures; shorter in tests
}

// Summary summarises the work of a worker.
type Summary struct {
	Done   int64 `json:"done"`
	Failed int64 `json:"failed"`
}

// worker is the threads that do tasks.
type worker struct {
	WorkerConfig
	hub
	name string                  // readable name
	beat Beat                    // last published
	fail context.CancelCauseFunc // ends the worker

	done, failed, busy atomic.Int64
	closes             sync.WaitGroup // open sessions

	mu        sync.Mutex
	executors map[string]*executor // by session; nil after the end
	other     *Session             // a session for another engine
	refused   map[string]bool      // ids of sessions that cannot be read
}

// Work does tasks of any coordinators with the same engine until the context ends. It then has a
// moment to finish its current tasks, and returns the others to their coordinators. It waits for a
// server that is not running yet. It returns an error if the server refuses it, or if it cannot do the
// work of any coordinator.
func Work(ctx context.Context, c WorkerConfig) (Summary, error) {
	c.Threads = parallel.Workers(c.Threads)
	c.longestPause = cmp.Or(c.longestPause, 5*time.Second)
	if err := c.Check(); err != nil {
		return Summary{}, err
	}
	host, _ := os.Hostname()
	w := &worker{WorkerConfig: c, executors: map[string]*executor{}, refused: map[string]bool{}}
	ctx, w.fail = context.WithCancelCause(ctx)
	defer w.fail(nil)
	w.beat = Beat{
		ID:      rand.Text(),
		Host:    wording.Short(host),
		PID:     os.Getpid(),
		Threads: c.Threads,
		Engine:  c.Engine,
		Tool:    revision.Get(),
	}
	w.name = w.beat.name()
	defer func() {
		if w.conn != nil {
			w.conn.Close()
		}
	}()
	if err := w.connect(ctx); err != nil {
		w.closeExecutors() // of sessions that it has met
		w.closes.Wait()
		return Summary{}, err
	}
	w.run(ctx)
	err := context.Cause(ctx)
	if errors.Is(err, context.Canceled) { // stopped on request
		err = nil
	}
	return Summary{w.done.Load(), w.failed.Load()}, err
}

func (w *worker) connect(ctx context.Context) error {
	options, err := w.options()
	if err != nil {
		return err
	}
	options = append(options,
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				w.notice("farm: lost the connection to the server: reconnecting")
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) { w.notice("farm: reconnected to the server") }),
		nats.ClosedHandler(func(c *nats.Conn) {
			if err := c.LastError(); err != nil {
				w.fail(fmt.Errorf("the server at %s: %w", w.URL, err))
			}
		}))
	for reported := false; ; {
		if w.conn == nil {
			w.conn, err = nats.Connect(w.URL, options...)
		}
		if err == nil {
			if err = w.meet(ctx); err == nil {
				return nil
			}
		}
		if isRefusal(err) {
			return fmt.Errorf("the server at %s refuses this worker: %w: expected the coordinator's credentials", w.URL, err)
		}
		if !reported {
			w.notice("farm: waiting for a server at %s (%v)", w.URL, err)
			reported = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
			err = nil
		}
	}
}

// isRefusal reports whether one end of a connection does not trust the other, so that retrying is
// pointless.
func isRefusal(err error) bool {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err) // we do not trust the server
	alert, other := errors.AsType[*net.OpError](err)                      // the server does not trust us
	return errors.Is(err, nats.ErrAuthorization) || untrusted || other && alert.Op == "remote error"
}

// meet finds the existing sessions, and subscribes to new and renewed ones. After an error it can be called
// again.
func (w *worker) meet(ctx context.Context) error {
	if w.js == nil { // executors of an earlier call use it
		var err error
		w.js, err = jetstream.New(w.conn)
		if err != nil {
			return err
		}
	}
	if err := w.ensure(ctx); err != nil {
		return err
	}
	const prefix = keysSubject + sessionKeys
	renewed, err := w.conn.Subscribe(prefix+"*", func(m *nats.Msg) {
		w.handleKey(strings.TrimPrefix(m.Subject, prefix), m.Data)
	})
	if err != nil {
		return err
	}
	err = entries(ctx, w.keys, sessionKeys, func(s Session) { w.handleKey(s.ID, encode(s)) })
	if err != nil {
		return errors.Join(err, renewed.Unsubscribe())
	}
	return nil
}

// handleKey handles a session's key that was renewed or deleted.
func (w *worker) handleKey(id string, text []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	e := w.executors[id]
	switch {
	case w.executors == nil:
		return
	case len(text) == 0:
		w.drop(e)
		delete(w.refused, id)
		if w.other != nil && w.other.ID == id {
			w.other = nil
		}
		return
	case e != nil:
		e.seen = time.Now()
		return
	}
	var s Session
	if err := strict.JSON(text, 1<<20, &s); err != nil {
		if !w.refused[id] { // its key is renewed every few seconds
			w.notice("farm: refused a session: %v", err)
		}
		w.refused[id] = true
		return
	}
	if s.Engine != w.Engine {
		w.other = &s
		return
	}
	e = &executor{worker: w, id: id, session: s, seen: time.Now()}
	e.ctx, e.cancel = context.WithCancel(context.Background())
	w.executors[id] = e
	w.closes.Go(e.serve)
}

// drop ends a session; e may be nil. The caller has the lock.
func (w *worker) drop(e *executor) {
	if e != nil {
		delete(w.executors, e.id)
		e.cancel()
	}
}

func (w *worker) closeExecutors() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.executors {
		w.drop(e)
	}
	w.executors = nil
}

// run runs the threads until the context ends.
func (w *worker) run(ctx context.Context) {
	var threads sync.WaitGroup
	for range w.Threads {
		threads.Go(func() { w.thread(ctx) })
	}
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	w.renew(ctx, 0)
	for ctx.Err() == nil {
		before := w.done.Load()
		select {
		case <-ctx.Done():
		case <-tick.C:
			w.renew(ctx, before)
		}
	}
	if w.busy.Load() > 0 {
		w.notice("farm: stopping; unfinished searches go back to the farm")
	}
	last, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	defer time.AfterFunc(lastTasks, w.closeExecutors).Stop()
	threads.Wait()
	_ = w.conn.FlushWithContext(last)
	_ = w.keys.Delete(last, workerKeys+w.beat.ID) // otherwise it expires
	w.closeExecutors()
	w.closes.Wait()
}

// renew renews the worker's key, and ends expired sessions. It fails the worker if all present
// coordinators need another engine.
func (w *worker) renew(ctx context.Context, before int64) {
	ctx, cancel := context.WithTimeout(ctx, renewEvery)
	defer cancel()
	w.beat.Busy = int(w.busy.Load())
	w.beat.Done = w.done.Load()
	w.beat.Failed = w.failed.Load()
	w.beat.Rate += (float64(w.beat.Done-before)/renewEvery.Seconds() - w.beat.Rate) / 4
	if _, err := w.keys.Put(ctx, workerKeys+w.beat.ID, encode(w.beat)); err != nil && w.conn.IsConnected() {
		_ = w.ensure(ctx) // the server may have lost the bucket; retried
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.executors {
		if time.Since(e.seen) > keyAge {
			w.drop(e)
		}
	}
	if s := w.other; s != nil && len(w.executors) == 0 && w.beat.Done+w.beat.Failed == 0 {
		w.fail(fmt.Errorf("the coordinator on %s needs the engine %s (version %s), this worker is %s (version %s): "+
			"results would differ; use the same version",
			s.Host, s.Engine, s.Tool, w.Engine, w.beat.Tool))
	}
}

// thread does tasks of the sessions in turn.
func (w *worker) thread(ctx context.Context) {
	const idle = time.Second
	for some := false; ctx.Err() == nil; {
		executors := w.list()
		if len(executors) == 0 {
			pause(ctx, openPoll)
		}
		wait := time.Duration(0)
		if !some { // the last round had no tasks
			wait = idle / time.Duration(max(len(executors), 1))
		}
		some = false
		for _, e := range executors {
			some = e.round(ctx, wait) || some
		}
	}
}

func (w *worker) list() (list []*executor) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, e := range w.executors {
		list = append(list, e)
	}
	return list
}
