package search

import (
	"context"
	"time"
)

// clock counts nodes and stops the search at its limits.
type clock struct {
	nodes    int64
	next     int64 // node count at which to check the limits again
	limit    int64 // node limit, 0 means none
	begin    time.Time
	soft     time.Duration
	time     time.Duration
	deadline time.Time       // zero means no limit, or pondering
	hit      <-chan struct{} // closed when pondering ends; nil if not pondering
	overdue  bool            // the soft time is up; set while pondering too
	done     <-chan struct{}
	stopped  bool
}

// checkEvery is the number of nodes between checks of the limits, about 0.1 ms.
const checkEvery = 1024

func (c *clock) start(ctx context.Context, lim Limits) {
	*c = clock{begin: time.Now(), limit: max(lim.Nodes, 0), soft: lim.Soft, time: lim.Time, done: ctx.Done()}
	c.setDeadline()
	c.schedule()
	if ctx.Err() != nil {
		c.stopped = true
	}
}

func (c *clock) schedule() {
	c.next = c.nodes + checkEvery
	if c.limit > 0 {
		c.next = min(c.next, c.limit)
	}
}

// check stops the search if it has reached a limit. It is called when nodes reaches
// next.
func (c *clock) check() {
	if c.limit > 0 && c.nodes >= c.limit {
		c.stopped = true
		return
	}
	select {
	case <-c.done:
		c.stopped = true
	default:
		if !c.pondering() && !c.deadline.IsZero() && !time.Now().Before(c.deadline) {
			c.stopped = true
		}
	}
	c.schedule()
}

func (c *clock) elapsed() time.Duration { return time.Since(c.begin) }

// ponder suspends the time limits until hit is closed.
func (c *clock) ponder(hit <-chan struct{}) {
	if c.hit = hit; hit != nil {
		c.deadline = time.Time{}
	}
}

// pondering reports whether the time limits are suspended. When hit is closed, it sets
// the deadline, or stops the search if the soft time is already up.
func (c *clock) pondering() bool {
	if c.hit == nil {
		return false
	}
	select {
	case <-c.hit:
		c.hit = nil
		c.setDeadline()
		c.stopped = c.stopped || c.overdue
		return false
	default:
		return true
	}
}

func (c *clock) setDeadline() {
	if c.time > 0 {
		c.deadline = time.Now().Add(c.time)
	}
}
