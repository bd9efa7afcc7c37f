package natspool

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names of what there is on the server.
const (
	tasksStream = "KROO_TASKS"
	filesBucket = "kroo-files"
	keysBucket  = "kroo-farm"

	tasksSubject   = "kroo.tasks."             // SESSION, in the stream
	answersSubject = "kroo.answers."           // SESSION, to its coordinator
	keysSubject    = "$KV." + keysBucket + "." // where a bucket publishes its keys
	sessionKeys    = "session."                // ID
	workerKeys     = "worker."                 // ID
)

// Headers of tasks and answers.
const (
	headerTask   = "Kroo-Task"   // its number in its session
	headerAck    = "Kroo-Ack"    // subject of its acknowledgement: the server allows it as no reply subject
	headerWorker = "Kroo-Worker" // its name for people
	headerFailed = "Kroo-Failed" // why there is no answer
)

// Bounds of what the server keeps. The oldest messages of a full stream are dropped: if
// somebody waits for them they are published again.
const (
	streamBytes = 256 << 20
	streamAge   = 24 * time.Hour
	filesAge    = 14 * 24 * time.Hour
	keyAge      = 10 * time.Second // without being renewed
)

// Times of the protocol.
const (
	ackWait    = 3 * time.Second // after which the server gives a task to another worker
	mostTries  = 5               // of a task
	renewEvery = 2 * time.Second // keys
	retryEvery = 300 * time.Millisecond
)

// hub is a connection with what the farm has at the server.
type hub struct {
	conn  *nats.Conn
	js    jetstream.JetStream
	files jetstream.ObjectStore
	keys  jetstream.KeyValue // of sessions and workers
}

// ensure makes what is not there: a server may have lost it.
func (h *hub) ensure(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, err := h.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: tasksStream, Subjects: []string{tasksSubject + ">"}, Retention: jetstream.WorkQueuePolicy,
		Storage: jetstream.MemoryStorage, MaxBytes: streamBytes, MaxAge: streamAge,
	})
	var keys jetstream.KeyValue
	if err == nil {
		keys, err = h.js.CreateOrUpdateKeyValue(ctx, jetstream.KeyValueConfig{Bucket: keysBucket, TTL: keyAge, Storage: jetstream.MemoryStorage})
	}
	var files jetstream.ObjectStore
	if err == nil {
		files, err = h.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: filesAge})
	}
	if err != nil {
		return fmt.Errorf("the server has no JetStream, or no room for the farm: %w", err)
	}
	if h.keys == nil { // later, others use them
		h.keys, h.files = keys, files
	}
	return nil
}
