// Package farm runs searches on a pool of workers behind one small interface,
// so that the callers (labelling, book expansion) do not know whether the work
// is done by goroutines here or by other machines.
//
// A pool answers a batch of jobs; [Local] is the pool of goroutines. Results
// of jobs limited by nodes or depth are the same whatever the number of
// workers: each job starts from an empty hash table.
package farm

import (
	"context"

	"kroo/engine/search"
	"kroo/games/oware"
)

// Job asks for the search of one position with an empty history.
type Job struct {
	Position oware.Position
	Limits   search.Limits
	AllMoves bool // exact scores of all root moves, not only of the best
}

// Result answers one job.
type Result struct {
	Index  int // of the job in its batch
	Search search.Result
	Err    error // the job could not be done; Search is then zero
}

// Pool searches batches of positions.
type Pool interface {
	// Run searches the jobs and calls done once for each finished one, in any
	// order but never at the same time. It returns when all are finished, or
	// with the context's error once those in hand have been given up; a
	// search cut short by the context is not reported to done. An error from
	// done stops the run and is returned.
	Run(ctx context.Context, jobs []Job, done func(Result) error) error
	// Workers is how many jobs are searched at a time.
	Workers() int
	// Close frees the pool. It must not be running.
	Close() error
}
