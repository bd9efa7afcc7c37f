// Package natspool is the [farm.Network] of NATS JetStream: a coordinator hands tasks to
// workers on other machines by way of a NATS server, which the coordinator may start as a
// program of its own.
//
// # How tasks travel
//
// The coordinator puts tasks into batches of about a tenth of a second's work and publishes
// them to the stream KROO_TASKS, a work queue. Workers of an engine share a consumer. A worker
// renews the acknowledgement deadline while it works, publishes the answers to the stream
// KROO_RESULTS, and acknowledges the batch when the server has them. What a killed or hanging
// worker does not acknowledge, the server gives to another; a batch with a failed task is
// negatively acknowledged. After several deliveries the server stops and says so in an
// advisory, which the coordinator takes as "several workers failed".
//
// Answers have message ids, so the server drops those that come twice. The coordinator
// consumes them, and publishes again what is unanswered and neither waits nor is at work:
// then a stream was deleted, or its server lost it. So each task has exactly one result.
//
// Files are in an object store under their SHA-256. Sessions and workers are keys of two
// buckets that expire unless they are renewed.
//
// # Trust
//
// Whoever has the credentials is trusted. Workers start no program and open no path that a
// coordinator names; answers are checked for being possible, by whoever asked.
package natspool
