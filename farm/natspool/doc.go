// Package natspool is the [farm.Network] of NATS JetStream: a coordinator hands tasks to
// workers on other machines by way of a NATS server, which the coordinator
// may start as a program of its own.
//
// # How tasks travel
//
// The coordinator puts tasks into batches of about a tenth of a second's work, and the
// batches into a work-queue stream. A worker takes one batch a thread, tells so, says
// every second that it is still at it, sends the answers to the coordinator until that
// says that it has them, and only then acknowledges the batch. Files travel by the object
// store, named by their SHA-256, which workers check.
//
// # Who is responsible
//
// The coordinator alone knows what is asked and what is answered, and its caller keeps
// a journal. The stream is in the server's memory, and only carries; what is deleted there
// is made again. A batch comes back:
// to the server, if its worker says nothing for a few seconds (it was killed, or has
// stopped); to the coordinator, if its deadline passes, or if nobody has it any more.
// The first answer to a task that can be one counts; others are dropped. So a task has
// exactly one result, whatever is lost or doubled on the way.
//
// A task that a worker has failed at, or was late with, goes to one that has not tried it
// yet, if there is any: batches name the workers that leave them to others, and come back
// to the coordinator if nobody takes them. A session ends when several workers have failed at
// the same task.
//
// A sample of tasks whose answers do not depend on time is done by two workers, and
// compared. A worker whose answers are refused again and again, or that fails where others
// do not, is sent away.
//
// # Caveats
//
// Who has the credentials can read the work and answer it: impossible answers are found,
// wrong ones by the sample only. Workers start no program but those that they allow by
// name.
package natspool
