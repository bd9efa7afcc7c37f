// Package farm has the searches of an [engine.Pool], and other tasks, done by workers on
// other machines. [Network] is what carries tasks there, and a [Doer] does them; the
// package says what travels between them, and trusts neither end.
package farm

import (
	"context"
	"encoding/json"
	"time"

	"kroo/internal/parallel"
)

// Network hands work to workers on other machines. The package farm/natspool has the
// one that there is; this package and its callers do not know how messages travel.
type Network interface {
	// Do has each of the tasks of a feed done by some worker, and calls its Take, in any
	// order but never two at a time, from the goroutine of its caller. It asks the feed
	// for the next task when there is room. It returns when all are taken, with the
	// first error of the feed or of a Take, when the context ends, or when several
	// workers have failed at the same task. Several goroutines may call Do at a time.
	Do(ctx context.Context, w Work, feed parallel.Feed[Task]) error
}

// Work is what workers need to know, and to have, for tasks that belong together: a session.
type Work struct {
	Kind   string          `json:"kind"`            // of tasks; a worker knows by it what Spec and tasks mean
	Engine string          `json:"engine"`          // signature of the engine that must do them
	Spec   json.RawMessage `json:"spec"`            // how to do them
	Files  []File          `json:"files,omitempty"` // that Spec names by their hashes

	Deadline time.Duration `json:"deadline"` // that no task takes longer than; what takes longer is given to another worker
	Tasks    int64         `json:"tasks"`    // that there will be, as far as is known; 0 is unknown
}

// File is a file that workers need.
type File struct {
	Hash string `json:"hash"` // SHA-256, in hexadecimal
	Size int64  `json:"size"`
	Path string `json:"-"` // on this machine
}

// Task is something that a worker is to do.
type Task struct {
	Data []byte
	// Take takes the answer. It refuses one by an error that [Refuse] made: another
	// worker is asked. Any other error ends the stream of tasks.
	Take func(answer []byte) error
}

// Refused is the error of an answer that cannot be.
type Refused struct{ error }

// Unwrap gives the cause.
func (r Refused) Unwrap() error { return r.error }

// Refuse makes err the reason to refuse an answer.
func Refuse(err error) error { return Refused{err} }

// Doer does the tasks of a session, on a worker's machine. It is safe for concurrent use.
type Doer interface {
	// Do answers a task, which may be hostile. An error says that the task could not
	// be done; the context ends when nobody wants the answer any more.
	Do(ctx context.Context, task []byte) (answer []byte, err error)
	// Close frees the doer's resources. No task may be running.
	Close() error
}

// Files finds the files of a session on a worker's machine by their hashes.
type Files func(hash string) (path string, err error)
