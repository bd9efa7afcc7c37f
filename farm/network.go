// Package farm runs the searches of an [engine.Pool], and other tasks, on workers on other machines.
// A [Network] transports the tasks, and a [Doer] does them; this package defines the messages and
// trusts neither end.
package farm

import (
	"context"
	"encoding/json"
	"time"

	"kroo/internal/parallel"
)

// Network distributes work to workers on other machines. Package farm/natspool implements it; this
// package and its callers do not depend on the transport.
type Network interface {
	// Do runs the tasks of a feed on workers and calls each task's Take, in any order but never
	// concurrently, from the caller's goroutine. It requests the next task when there is room. It
	// returns when all answers are taken, on the first error of the feed or of a Take, when the
	// context ends, or when a task has failed several times. Do is safe for concurrent use.
	Do(ctx context.Context, w Work, feed parallel.Feed[Task]) error
}

// Work is a session: the settings and files that workers need for related tasks.
type Work struct {
	Kind   string          `json:"kind"`            // of tasks; determines the format of Spec and tasks
	Engine string          `json:"engine"`          // required signature of the engine
	Spec   json.RawMessage `json:"spec"`            // settings of the tasks
	Files  []File          `json:"files,omitempty"` // files that Spec names by their hashes

	Deadline time.Duration `json:"deadline"` // of a task, after which it goes to another worker
	Tasks    int64         `json:"tasks"`    // expected number of tasks; 0 if unknown
}

// File is a file that workers need.
type File struct {
	Hash string `json:"hash"` // SHA-256, in hexadecimal
	Size int64  `json:"size"`
	Path string `json:"-"` // on this machine
}

// Task is a task for a worker.
type Task struct {
	Data []byte
	// Take takes the answer. If it returns an error made by [Refuse], another worker gets the task.
	// Any other error ends the stream of tasks.
	Take func(answer []byte) error
}

// Refused is the error for an impossible answer.
type Refused struct{ error }

// Unwrap returns the cause.
func (r Refused) Unwrap() error { return r.error }

// Refuse wraps err as a reason to refuse an answer.
func Refuse(err error) error { return Refused{err} }

// Doer does the tasks of a session, on a worker's machine. It is safe for concurrent use.
type Doer interface {
	// Do answers a task, which may be hostile, or returns an error if it cannot be done. The context
	// ends when the answer is no longer needed.
	Do(ctx context.Context, task []byte) (answer []byte, err error)
	// Close frees the doer's resources. No task may be running.
	Close() error
}

// Files returns the path of a session's file on a worker's machine by its hash.
type Files func(hash string) (path string, err error)
