package natspool

import (
	"context"
	"crypto/rand"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"kroo/farm"
	"kroo/internal/oneline"
	"kroo/internal/parallel"
	"kroo/internal/revision"
)

// When a worker that is told to stop gives up: it must end within two seconds.
const (
	lastBatches = 700 * time.Millisecond  // what it is at, to others
	lastAnswers = 1200 * time.Millisecond // answers that the server has not taken
	lastWords   = 200 * time.Millisecond  // to say goodbye
)

// WorkerConfig says what a worker is.
type WorkerConfig struct {
	Config
	Threads int    // 0 is one a processor
	Engine  string // signature of the engine that it has
	Cache   string // folder of files, kept for the next session

	// Open makes the doer of a session's tasks, for so many at a time.
	Open func(w farm.Work, files farm.Files, threads int) (farm.Doer, error)
}

// Summary is what a worker has done.
type Summary struct{ Done, Failed int64 }

// worker is threads that take batches.
type worker struct {
	WorkerConfig
	hub
	name  string     // for people
	beat  Beat       // as it was last renewed
	fatal chan error // the first one ends the worker

	done, failed, busy atomic.Int64
	streak             atomic.Int64 // failed batches without a good one between
	idle               atomic.Bool  // no batch has come yet

	sends  sync.WaitGroup // batches whose answers are on their way
	closes sync.WaitGroup // sessions that are being closed

	mu       sync.Mutex
	consumer jetstream.Consumer // nil if it must be asked for
	jobs     map[string]*job    // by their sessions
	ended    bool               // no more sessions are opened
}

// Work does tasks of any coordinators of the same engine until the context ends; it
// then finishes what it is at. It waits for a server that is not there yet. It returns
// an error if the server refuses it, or if it cannot do what coordinators want.
func Work(ctx context.Context, c WorkerConfig) (Summary, error) {
	c.Threads = parallel.Workers(c.Threads)
	if c.URL == Embedded {
		return Summary{}, fmt.Errorf("a worker needs the address of a server: expected nats://HOST:PORT")
	}
	if err := c.Check(); err != nil {
		return Summary{}, err
	}
	host, _ := os.Hostname()
	w := &worker{WorkerConfig: c, fatal: make(chan error, 1), jobs: map[string]*job{}}
	w.beat = Beat{ID: rand.Text(), Host: oneline.Short(host), PID: os.Getpid(), Threads: c.Threads, Engine: c.Engine, Tool: revision.Get()}
	w.name = w.beat.name()
	w.idle.Store(true)
	if err := w.connect(ctx); err != nil {
		return Summary{}, err
	}
	defer w.conn.Close()
	err := w.run(ctx)
	return Summary{w.done.Load(), w.failed.Load()}, err
}

// connect waits for the server.
func (w *worker) connect(ctx context.Context) error {
	options, err := w.options()
	if err != nil {
		return err
	}
	options = append(options,
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				w.notice("farm: the server is away; trying again")
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			w.forget()
			w.notice("farm: the server is back")
		}),
		nats.ClosedHandler(func(c *nats.Conn) {
			if err := c.LastError(); err != nil {
				w.fail(fmt.Errorf("the server at %s: %w", redacted(w.URL), err))
			}
		}))
	for told := false; ; {
		if w.conn == nil {
			w.conn, err = nats.Connect(w.URL, options...)
		}
		if err == nil {
			if err = w.open(ctx); err == nil {
				return nil
			}
		}
		if refused(err) {
			return fmt.Errorf("the server at %s refuses this worker: %w: expected the coordinator's credentials", redacted(w.URL), err)
		}
		if !told {
			w.notice("farm: no server at %s yet (%v); waiting for one", redacted(w.URL), err)
			told = true
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(time.Second):
		}
	}
}

// refused reports whether one end of a connection does not trust the other: to try again
// changes nothing.
func refused(err error) bool {
	_, untrusted := errors.AsType[*tls.CertificateVerificationError](err) // the server, for us
	alert, other := errors.AsType[*net.OpError](err)                      // we, for the server
	return errors.Is(err, nats.ErrAuthorization) || untrusted || other && alert.Op == "remote error"
}

func (w *worker) fail(err error) {
	select {
	case w.fatal <- err:
	default:
	}
}

// run keeps the threads at work until the context ends, or something fails for good.
func (w *worker) run(ctx context.Context) (err error) {
	inner, stop := context.WithCancel(ctx)
	defer stop()
	var threads, beats sync.WaitGroup
	for range w.Threads {
		threads.Go(func() { w.thread(inner) })
	}
	still, silent := context.WithCancel(context.Background())
	beats.Go(func() { w.beats(still) })
	select {
	case err = <-w.fatal:
		stop()
		w.giveUp()
	case <-ctx.Done():
		if w.busy.Load() > 0 {
			w.notice("farm: finishing the searches that have begun")
		}
		defer time.AfterFunc(lastBatches, w.giveUp).Stop()
	}
	late := time.After(lastAnswers)
	threads.Wait()
	sent := make(chan struct{})
	go func() {
		w.sends.Wait()
		close(sent)
	}()
	select {
	case <-sent:
	case <-late: // the server is away: others do it again
	}
	silent()
	beats.Wait()
	last, cancel := context.WithTimeout(context.Background(), lastWords)
	defer cancel()
	_ = w.workers.Delete(last, w.beat.ID) // its age ends it otherwise
	_ = w.conn.FlushWithContext(last)
	w.giveUp()
	w.closes.Wait()
	return err
}

// beats renews the worker's key, and ends sessions that are over.
func (w *worker) beats(ctx context.Context) {
	tick := time.NewTicker(renewEvery)
	defer tick.Stop()
	for before := int64(0); ; {
		w.renew(ctx, before)
		before = w.done.Load()
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
	}
}

func (w *worker) renew(ctx context.Context, before int64) {
	ctx, cancel := context.WithTimeout(ctx, renewEvery)
	defer cancel()
	w.beat.Busy, w.beat.Done, w.beat.Failed = int(w.busy.Load()), w.done.Load(), w.failed.Load()
	w.beat.Rate += (float64(w.beat.Done-before)/renewEvery.Seconds() - w.beat.Rate) / 4
	if _, err := w.workers.Put(ctx, w.beat.ID, encode(w.beat)); err != nil && w.conn.IsConnected() {
		_ = w.ensure(ctx) // the server has lost the bucket; tried again
	}
	w.mu.Lock()
	var open []string
	for id := range w.jobs {
		open = append(open, id)
	}
	w.mu.Unlock()
	for _, id := range open {
		if _, err := w.sessions.Get(ctx, id); errors.Is(err, jetstream.ErrKeyNotFound) {
			w.over(id)
		}
	}
	if w.idle.Load() {
		w.compare(ctx)
	}
}

// compare refuses the coordinators that are there if all are of another engine.
func (w *worker) compare(ctx context.Context) {
	list, err := entries(ctx, w.sessions)
	if err != nil {
		return // tried again
	}
	for _, text := range list {
		a, err := decodeAnnouncement(text)
		if err != nil {
			continue
		}
		if a.Engine == w.Engine {
			return
		}
		defer w.fail(fmt.Errorf("the coordinator on %s needs the engine %s (version %s), this worker is %s (version %s): results would differ; use the same version",
			a.Host, a.Engine, a.Tool, w.Engine, w.beat.Tool))
	}
}

// forget makes the threads ask for the consumer again: a server may have lost it.
func (w *worker) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.consumer = nil
}

// next waits for a batch.
func (w *worker) next(ctx context.Context) (jetstream.Msg, error) {
	w.mu.Lock()
	c := w.consumer
	w.mu.Unlock()
	if c == nil {
		inner, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		var err error
		c, err = w.js.CreateOrUpdateConsumer(inner, tasksStream, jetstream.ConsumerConfig{
			Durable: workersConsumer(w.Engine), FilterSubject: tasksSubject + w.Engine + ".>", AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: ackWait, MaxDeliver: mostTries, MaxAckPending: -1, MaxWaiting: 1 << 14, InactiveThreshold: streamAge,
		})
		if err != nil {
			return nil, err
		}
		w.mu.Lock()
		w.consumer = c
		w.mu.Unlock()
	}
	inner, cancel := context.WithTimeout(ctx, 6*time.Second)
	defer cancel()
	m, err := c.Next(jetstream.FetchContext(inner), jetstream.FetchHeartbeat(time.Second))
	if err != nil && ctx.Err() == nil && !waited(err) {
		w.forget()
	}
	return m, err
}

// waited reports whether there was no batch in time.
func waited(err error) bool {
	return errors.Is(err, nats.ErrTimeout) || errors.Is(err, context.DeadlineExceeded)
}

// thread takes batches one after the other. While it is at a batch of several tasks, some
// tenth of a second, it asks for the next one already.
func (w *worker) thread(ctx context.Context) {
	var coming chan jetstream.Msg
	for {
		var m jetstream.Msg
		if coming != nil {
			m, coming = <-coming, nil
		} else if ctx.Err() == nil {
			m = w.fetch(ctx)
		}
		if m == nil {
			if ctx.Err() != nil {
				return
			}
			continue
		}
		if ctx.Err() != nil {
			_ = m.Nak() // for another worker, at once
			return
		}
		w.batch(m, func() {
			coming = make(chan jetstream.Msg, 1)
			go func() { coming <- w.fetch(ctx) }()
		})
		w.rest(ctx)
	}
}

// rest leaves work to others for a while if the worker fails again and again.
func (w *worker) rest(ctx context.Context) {
	if n := w.streak.Load(); n > 0 {
		pause(ctx, min(100*time.Millisecond<<min(n, 10), 5*time.Second))
	}
}

func pause(ctx context.Context, d time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
}

// fetch is the next batch, nil if there is none for now.
func (w *worker) fetch(ctx context.Context) jetstream.Msg {
	m, err := w.next(ctx)
	if err == nil {
		return m
	}
	if !waited(err) {
		pause(ctx, retryEvery)
	}
	return nil
}
