// Package natspool implements [farm.Network] on NATS JetStream: a coordinator distributes tasks to
// workers on other machines through a NATS server, which it can also start as a process of its own.
//
// # Protocol
//
// The coordinator publishes each task to the stream KROO_TASKS, a work queue with one consumer per
// session, and tracks unanswered tasks. A worker's thread takes about a tenth of a second's work at
// a time, and renews the acknowledgement deadline of its current task. It sends the answer to the
// coordinator, which takes it and acknowledges the task. So the server keeps a task until its
// coordinator has the answer: it gives a task that a killed or hanging worker does not answer to
// another worker. If more tasks are unanswered than the server has, a stream was deleted or lost,
// and the coordinator publishes them again. Repeated answers are dropped: each task has exactly one
// result.
//
// A task that fails is negatively acknowledged. The server counts the deliveries of a task: after
// several the call fails.
//
// Files are in an object store under their SHA-256. Sessions and workers are keys of a bucket that
// expire unless they are renewed; workers discover sessions from the bucket's subjects.
//
// # Trust
//
// Everybody with the credentials is trusted. Workers start no program and open no path named by a
// coordinator; the coordinator checks that answers are possible.
package natspool
