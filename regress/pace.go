package regress

import (
	"sync"

	"kroo/datasets"
)

// pace counts the work of a fit in rows that are read. How often a selection reads them is known
// at its end; until then it may fit all features one by one.
type pace struct {
	mu          sync.Mutex
	done, total int64
	tell        func(done, total int64)
}

// newPace is of a fit that reads tables so many times; validation may be nil.
func newPace(training, validation *datasets.Table, times int64, tell func(done, total int64)) *pace {
	p := &pace{total: times * training.Rows, tell: tell}
	if validation != nil {
		p.total += times * validation.Rows
	}
	tell(0, p.total)
	return p
}

// reading is the progress of a query.
func (p *pace) reading() func(done, total int64) {
	before := int64(0)
	return func(done, _ int64) {
		p.mu.Lock()
		defer p.mu.Unlock()
		p.done += done - before
		before = done
		p.tell(p.done, max(p.done, p.total))
	}
}

// end is when nothing more is to be read.
func (p *pace) end() { p.tell(p.total, p.total) }
