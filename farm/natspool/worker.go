package natspool

import (
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
	"kroo/internal/oneline"
	"kroo/internal/parallel"
	"kroo/internal/revision"
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

// crew is a worker: threads that take batches.
type crew struct {
	WorkerConfig
	id    string
	host  string
	conn  *nats.Conn
	js    jetstream.JetStream
	fatal chan error // the first one ends the worker

	done, failed, busy atomic.Int64
	idle               atomic.Bool // no batch has come yet

	sends  sync.WaitGroup // batches whose answers are on their way
	closes sync.WaitGroup // sessions that are being closed

	mu       sync.Mutex
	consumer jetstream.Consumer // nil if it must be asked for
	sessions map[string]*job
	ended    bool            // no more sessions are opened
	strange  map[string]bool // sessions of other engines, which a person was told of
	rate     float64
	before   int64 // done at the last beat
}

// Work does tasks of any coordinators of the same engine until the context ends; it
// then finishes what it is at. It waits for a server that is not there yet. It returns
// an error if the server refuses it, if a coordinator sends it away, or if it cannot do
// what coordinators want.
func Work(ctx context.Context, c WorkerConfig) (Summary, error) {
	c.Threads = parallel.Workers(c.Threads)
	if c.URL == Embedded {
		return Summary{}, fmt.Errorf("a worker needs the address of a server: expected nats://HOST:PORT")
	}
	if err := c.Check(); err != nil {
		return Summary{}, err
	}
	c.teller = &teller{to: c.Notice}
	w := &crew{
		WorkerConfig: c, id: rand.Text(), fatal: make(chan error, 1),
		sessions: map[string]*job{}, strange: map[string]bool{},
	}
	defer c.teller.end()
	w.host, _ = os.Hostname()
	w.host = oneline.Short(w.host)
	w.idle.Store(true)
	if err := w.connect(ctx); err != nil {
		return Summary{}, err
	}
	defer w.conn.Close()
	if err := w.listen(); err != nil {
		return Summary{}, err
	}
	err := w.run(ctx)
	return Summary{w.done.Load(), w.failed.Load()}, err
}

// connect waits for the server.
func (w *crew) connect(ctx context.Context) error {
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
		w.conn, err = nats.Connect(w.URL, options...)
		if err == nil {
			break
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
	w.js, err = jetstream.New(w.conn)
	return err
}

// refused tells whether one end of a connection does not trust the other: to try again
// changes nothing.
func refused(err error) bool {
	var untrusted *tls.CertificateVerificationError // the server, for us
	var alert *net.OpError                          // we, for the server
	return errors.Is(err, nats.ErrAuthorization) || errors.As(err, &untrusted) || errors.As(err, &alert) && alert.Op == "remote error"
}

// listen takes the messages of coordinators.
func (w *crew) listen() error {
	for subject, f := range map[string]nats.MsgHandler{
		openSubject:         func(m *nats.Msg) { w.heard(m.Data) },
		closedSubject + "*": func(m *nats.Msg) { w.over(strings.TrimPrefix(m.Subject, closedSubject)) },
		statusSubject:       func(m *nats.Msg) { _ = m.Respond(w.state(false).encode()) },
		awaySubject + w.id: func(*nats.Msg) {
			w.fail(errors.New("a coordinator has sent this worker away: too many of its answers were refused, or it failed where others did not; is it of the same version, on a sound machine?"))
		},
	} {
		if _, err := w.conn.Subscribe(subject, f); err != nil {
			return err
		}
	}
	return w.conn.Flush()
}

func (w *crew) fail(err error) {
	select {
	case w.fatal <- err:
	default:
	}
}

// run keeps the threads at work until the context ends, or something fails for good.
func (w *crew) run(ctx context.Context) (err error) {
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
	_ = w.conn.Publish(beatSubject, w.state(true).encode())
	_ = w.conn.FlushTimeout(lastWords) // coordinators notice without it too
	w.giveUp()
	w.closes.Wait()
	return err
}

// beats tells coordinators that the worker is there, and ends sessions that no
// coordinator speaks of any more.
func (w *crew) beats(ctx context.Context) {
	tick := time.NewTicker(beatEvery)
	defer tick.Stop()
	for {
		_ = w.conn.Publish(beatSubject, w.state(false).encode()) // the next one comes in a second
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
		}
		now := w.done.Load()
		w.mu.Lock()
		w.rate += (float64(now-w.before)/beatEvery.Seconds() - w.rate) / 4
		w.before = now
		var over []string
		for id, j := range w.sessions {
			if time.Since(j.heard) > sessionAfter {
				over = append(over, id)
			}
		}
		w.mu.Unlock()
		for _, id := range over {
			w.over(id)
		}
	}
}

func (w *crew) state(leaving bool) Beat {
	w.mu.Lock()
	defer w.mu.Unlock()
	return Beat{
		ID: w.id, Host: w.host, PID: os.Getpid(), Threads: w.Threads, Engine: w.Engine, Tool: revision.Get(),
		Busy: int(w.busy.Load()), Done: w.done.Load(), Failed: w.failed.Load(), Rate: w.rate, Leaving: leaving,
	}
}

// heard learns of a session. A worker that has nothing to do refuses a coordinator of
// another engine aloud.
func (w *crew) heard(text []byte) {
	a, err := decodeAnnouncement(text)
	if err != nil {
		return
	}
	w.mu.Lock()
	j, known := w.sessions[a.Session]
	if known {
		j.heard = time.Now()
	}
	tell := a.Engine != w.Engine && !w.strange[a.Session]
	if tell && len(w.strange) < 1000 {
		w.strange[a.Session] = true
	}
	w.mu.Unlock()
	if !tell {
		return
	}
	err = fmt.Errorf("the coordinator on %s needs the engine %s (version %s), this worker is %s (version %s): results would differ; use the same version",
		oneline.Short(a.Host), a.Engine, oneline.Short(a.Tool), w.Engine, revision.Get())
	if w.idle.Load() {
		w.fail(err)
		return
	}
	w.notice("%v", err)
}

// forget makes the threads ask for the consumer again: a server may have lost it.
func (w *crew) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.consumer = nil
}

// next waits for a batch.
func (w *crew) next(ctx context.Context) (jetstream.Msg, error) {
	w.mu.Lock()
	c := w.consumer
	w.mu.Unlock()
	if c == nil {
		inner, cancel := context.WithTimeout(ctx, 5*time.Second)
		defer cancel()
		var err error
		c, err = w.js.CreateOrUpdateConsumer(inner, jobsStream, jetstream.ConsumerConfig{
			Durable: "workers-" + w.Engine, FilterSubject: jobsSubject + w.Engine + ".>", AckPolicy: jetstream.AckExplicitPolicy,
			AckWait: ackWait, MaxAckPending: -1, MaxWaiting: 1 << 14, InactiveThreshold: idleConsumer,
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
	m, err := c.Next(jetstream.FetchContext(inner), jetstream.FetchHeartbeat(beatEvery))
	if err != nil && ctx.Err() == nil && !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) {
		w.forget()
	}
	return m, err
}

// thread takes batches one after the other. While it is at a batch of several tasks, some
// tenth of a second, it asks for the next one already.
func (w *crew) thread(ctx context.Context) {
	var coming chan jetstream.Msg
	for {
		var m jetstream.Msg
		if coming != nil {
			m = <-coming
			coming = nil
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
	}
}

// fetch is the next batch, nil if there is none for now.
func (w *crew) fetch(ctx context.Context) jetstream.Msg {
	m, err := w.next(ctx)
	if err == nil {
		return m
	}
	if !errors.Is(err, nats.ErrTimeout) && !errors.Is(err, context.DeadlineExceeded) {
		select {
		case <-ctx.Done():
		case <-time.After(retryEvery):
		}
	}
	return nil
}
