// Package natspool implements [farm.Network] on NATS JetStream: a coordinator distributes tasks to
// workers on other machines through a NATS server, which it can also start as a process of its own.
//
// # Protocol
//
// The coordinator publishes each task to the stream KROO_TASKS, a work queue with one consumer per
// session, and tracks unanswered tasks. A worker's thread takes about a tenth of a second's work at
// a time, and renews the acknowledgement deadline of its current task. It sends the answer to the
// coordinator, which takes it and acknowledges the task. So the server keeps a task until its
// coordinator has the answer.
//
// The server redelivers a task, to any worker, if its deadline passes because a worker was killed or
// hangs, and if the coordinator acknowledges it negatively because a worker failed at it. The server
// counts the deliveries of a task: after several the call fails.
//
// A worker that stops returns its unfinished tasks to the coordinator. So does a thread with the tasks
// that it took together with one that takes long. The coordinator publishes them again: the server counts
// the deliveries of a new message from zero, and the coordinator adds the failed ones of the earlier
// message.
//
// The coordinator republishes its tasks if more are unanswered than the server has: then the stream
// was deleted or lost. Repeated answers are dropped: each task has exactly one result.
//
// Files are in an object store under their SHA-256. Sessions and workers are keys of a bucket that
// expire unless they are renewed; workers discover sessions from the bucket's subjects.
//
// # Trust
//
// Everybody with the credentials is trusted. Workers start no program and open no path named by a
// coordinator; the coordinator checks that answers are possible.
package natspool

import (
	"context"
	"fmt"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// Names of streams, buckets and subjects on the server.
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
	headerTask     = "Kroo-Task"     // number in its session
	headerAck      = "Kroo-Ack"      // subject of its acknowledgement, which the server does not allow as reply subject
	headerWorker   = "Kroo-Worker"   // readable name
	headerFailed   = "Kroo-Failed"   // reason for a missing answer
	headerReturned = "Kroo-Returned" // present if a worker returns the task undone
)

// Limits of the server's storage. The oldest messages of a full stream are dropped; unanswered tasks
// are republished.
const (
	streamBytes = 256 << 20
	streamAge   = 24 * time.Hour
	consumerAge = 24 * time.Hour // without use
	filesAge    = 14 * 24 * time.Hour
	keyAge      = 10 * time.Second // without renewal
)

// Times of the protocol.
const (
	ackWait    = 3 * time.Second // after which the server redelivers a task
	maxTries   = 5               // deliveries of a task, those that a worker returned apart
	renewEvery = 2 * time.Second // of keys
	retryEvery = 300 * time.Millisecond
)

type hub struct {
	conn  *nats.Conn
	js    jetstream.JetStream
	files jetstream.ObjectStore
	keys  jetstream.KeyValue // of sessions and workers
}

// ensure creates missing objects: a server may have lost them.
func (h *hub) ensure(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	_, err := h.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: tasksStream, Subjects: []string{tasksSubject + ">"}, Retention: jetstream.WorkQueuePolicy,
		Storage: jetstream.MemoryStorage, MaxBytes: streamBytes, MaxAge: streamAge,
	})
	var keys jetstream.KeyValue
	if err == nil {
		keys, err = h.js.CreateOrUpdateKeyValue(ctx,
			jetstream.KeyValueConfig{Bucket: keysBucket, TTL: keyAge, Storage: jetstream.MemoryStorage})
	}
	var files jetstream.ObjectStore
	if err == nil {
		files, err = h.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{Bucket: filesBucket, TTL: filesAge})
	}
	if err != nil {
		return fmt.Errorf("the server has no JetStream, or no room for the farm: %w", err)
	}
	if h.keys == nil { // set once: used concurrently later
		h.keys, h.files = keys, files
	}
	return nil
}
