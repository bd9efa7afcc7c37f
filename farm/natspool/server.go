package natspool

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names of what there is on the server.
const (
	tasksStream    = "KROO_TASKS"
	resultsStream  = "KROO_RESULTS"
	filesBucket    = "kroo-files"
	sessionsBucket = "kroo-sessions"
	workersBucket  = "kroo-workers"

	tasksSubject     = "kroo.tasks."   // SIGNATURE.SESSION
	resultsSubject   = "kroo.results." // SESSION
	exhaustedSubject = "$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES." + tasksStream + "."
)

// Bounds of what the server keeps. The oldest messages of a full stream are dropped: if
// somebody waits for them they are published again.
const (
	streamBytes = 128 << 20
	streamAge   = 24 * time.Hour
	filesAge    = 14 * 24 * time.Hour
	sessionAge  = 30 * time.Second // without being renewed
	workerAge   = 10 * time.Second // likewise
)

// Times of the protocol.
const (
	ackWait      = 3 * time.Second // after which the server gives a batch to another worker
	mostTries    = 5               // deliveries of a batch
	renewEvery   = 2 * time.Second // sessions and workers
	pollEvery    = time.Second     // who is there
	retryEvery   = 300 * time.Millisecond
	idleConsumer = 10 * time.Minute
)

// hub is a connection with what the farm has at the server.
type hub struct {
	conn     *nats.Conn
	js       jetstream.JetStream
	files    jetstream.ObjectStore
	sessions jetstream.KeyValue
	workers  jetstream.KeyValue
}

// open makes what the farm needs at the server and opens it.
func (h *hub) open(ctx context.Context) (err error) {
	if h.js, err = jetstream.New(h.conn); err != nil {
		return err
	}
	if err = h.ensure(ctx); err != nil {
		return err
	}
	if h.files, err = h.js.ObjectStore(ctx, filesBucket); err != nil {
		return err
	}
	if h.sessions, err = h.js.KeyValue(ctx, sessionsBucket); err != nil {
		return err
	}
	h.workers, err = h.js.KeyValue(ctx, workersBucket)
	return err
}

// ensure makes what is not there: a server may have lost it.
func (h *hub) ensure(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	stream := jetstream.StreamConfig{
		Name: tasksStream, Subjects: []string{tasksSubject + ">"}, Retention: jetstream.WorkQueuePolicy,
		Storage: jetstream.MemoryStorage, MaxBytes: streamBytes, MaxMsgSize: maxMessage, MaxAge: streamAge,
	}
	_, err := h.js.CreateOrUpdateStream(ctx, stream)
	if err == nil {
		stream.Name, stream.Subjects, stream.Retention = resultsStream, []string{resultsSubject + ">", exhaustedSubject + ">"}, jetstream.InterestPolicy
		_, err = h.js.CreateOrUpdateStream(ctx, stream)
	}
	for bucket, age := range map[string]time.Duration{sessionsBucket: sessionAge, workersBucket: workerAge} {
		if err == nil {
			_, err = h.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: bucket, TTL: age, Storage: jetstream.MemoryStorage})
		}
	}
	if err == nil {
		_, err = h.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: filesAge})
	}
	if err != nil {
		return fmt.Errorf("the server has no JetStream, or no room for the farm: %w", err)
	}
	return nil
}

// entries are the keys of a bucket with their values.
func entries(ctx context.Context, bucket jetstream.KeyValue) (map[string][]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, 5*time.Second)
	defer cancel()
	w, err := bucket.WatchAll(ctx, jetstream.IgnoreDeletes())
	if err != nil {
		return nil, err
	}
	defer func() { _ = w.Stop() }() // the connection may be closed
	found := map[string][]byte{}
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case e, more := <-w.Updates():
			if !more {
				return nil, errors.New("the server closes the bucket")
			}
			if e == nil { // all that there are
				return found, nil
			}
			found[e.Key()] = e.Value()
		}
	}
}

// workersConsumer names the consumer that workers of an engine share.
func workersConsumer(engine string) string { return "workers-" + engine }
