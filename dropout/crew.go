package dropout

import (
	"context"
	"fmt"
	"sync"

	"kroo/engine/search"
	"kroo/farm"
	"kroo/games/oware"
)

// crew has positions searched by a pool, one by one in the order in which they
// are asked for. There is no barrier: a worker that is done takes the next.
type crew struct {
	jobs    chan oware.Position
	answers chan answer
	cancel  context.CancelFunc
}

// answer is a finished search, or why there is none.
type answer struct {
	pos    oware.Position
	search search.Result
	err    error
}

// newCrew sets the workers of a pool to work. Neither asking nor answering
// blocks as long as no more than room positions are unanswered.
func newCrew(ctx context.Context, pool farm.Pool[oware.Position], limits search.Limits, room int) *crew {
	ctx, cancel := context.WithCancel(ctx)
	c := &crew{jobs: make(chan oware.Position, room), answers: make(chan answer, room), cancel: cancel}
	var wait sync.WaitGroup
	for range max(pool.Workers(), 1) {
		wait.Go(func() {
			for p := range c.jobs {
				c.answers <- searchOne(ctx, pool, limits, p)
			}
		})
	}
	go func() {
		wait.Wait()
		close(c.answers)
	}()
	return c
}

func searchOne(ctx context.Context, pool farm.Pool[oware.Position], limits search.Limits, p oware.Position) answer {
	a := answer{pos: p, err: fmt.Errorf("the pool has not answered for %s", p)}
	err := ctx.Err()
	if err == nil {
		err = pool.Run(ctx, []farm.Job[oware.Position]{{Position: p, Limits: limits}}, func(r farm.Result) error {
			a.search, a.err = r.Search, r.Err
			if r.Index != 0 {
				a.err = fmt.Errorf("the pool answered job %d of 1", r.Index)
			} else if r.Err != nil {
				a.err = fmt.Errorf("search of %s: %w", p, r.Err)
			}
			return nil
		})
	}
	if err != nil {
		a.err = err
	}
	return a
}

// dismiss gives up the searches under way and returns those that finished
// before it.
func (c *crew) dismiss() (last []answer) {
	c.cancel()
	close(c.jobs)
	for a := range c.answers {
		if a.err == nil {
			last = append(last, a)
		}
	}
	return last
}
