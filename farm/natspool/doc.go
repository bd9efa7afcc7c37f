// Package natspool is the [farm.Network] of NATS JetStream: a coordinator hands tasks to
// workers on other machines by way of a NATS server, which the coordinator may start as a
// program of its own.
//
// # How tasks travel
//
// The coordinator publishes each task to the stream KROO_TASKS, a work queue with a consumer for
// each session, and keeps which tasks are unanswered. A thread of a worker takes about a tenth
// of a second's work at a time, and renews the acknowledgement deadline of the task that it is
// at. It sends the answer to the coordinator, which takes it and acknowledges the task. So the server keeps a
// task until its coordinator has the answer: what a killed or hanging worker does not answer, it
// gives to another, and if more tasks are unanswered than it has, a stream was deleted or lost,
// and the coordinator publishes them again. Answers that come twice are dropped. Each task has
// exactly one result.
//
// A task that fails is negatively acknowledged. The server counts how often it gives a task
// out: after several times the call ends.
//
// Files are in an object store under their SHA-256. Sessions and workers are keys of a bucket
// that expire unless they are renewed; workers learn of sessions from the bucket's subjects.
//
// # Trust
//
// Everybody with the credentials is trusted. Workers start no program and open no path that a
// coordinator names; answers are checked for being possible, by whoever asked.
package natspool
