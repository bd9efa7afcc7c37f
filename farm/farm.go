// Package farm runs searches on a pool of workers behind one small interface,
// so that its callers (labelling, book expansion) do not know whether goroutines
// here or other machines do the work.
//
// A pool answers a batch of jobs; [Local] is the pool of goroutines. Jobs
// limited by nodes or depth have the same results whatever the number of
// workers: each starts from an empty hash table.
package farm

import (
	"context"

	"kroo/engine/search"
)

// Job asks for the search of one position with an empty history.
type Job[P any] struct {
	Position P
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
type Pool[P any] interface {
	// Run searches the jobs and calls done once for each finished one, in any
	// order but never at the same time. It returns when all are finished, or
	// with the context's error once the searches in hand have been given up; it
	// does not report a search that the context cut short. An error from done
	// stops the run and is returned. Several goroutines may call Run at a time;
	// their jobs share the workers.
	Run(ctx context.Context, jobs []Job[P], done func(Result) error) error
	// Workers is how many jobs are searched at a time.
	Workers() int
	// Close frees the pool. It must not be running.
	Close() error
}
