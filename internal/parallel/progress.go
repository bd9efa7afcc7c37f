package parallel

import "sync"

// Progress is told how much of some work is done, in the unit of that work: rows or bytes read,
// positions, steps. The first call comes before any work and reports what an earlier attempt has
// done (from its journal). note is a few words on what has come of the work so far, often none.
// Calls never overlap. The methods of a nil Progress do nothing.
type Progress func(done, total int64, note string)

// At reports how much is done.
func (p Progress) At(done, total int64) { p.Note(done, total, "") }

// Note reports how much is done, with a note.
func (p Progress) Note(done, total int64, note string) {
	if p != nil {
		p(done, total, note)
	}
}

// Part returns the progress of the i-th of n equal parts of the work, from 0.
func (p Progress) Part(i, n int) Progress {
	return func(done, total int64, note string) { p.Note(int64(i)*total+done, int64(n)*total, note) }
}

// Tally adds up what is done by several goroutines, or in several passes.
type Tally struct {
	mu          sync.Mutex
	done, total int64
	progress    Progress
}

// Tally reports what is done before the work, and counts from there.
func (p Progress) Tally(done, total int64) *Tally {
	p.At(done, total)
	return &Tally{done: done, total: total, progress: p}
}

// Add counts what is done. If that is more than was expected in all, the total grows with it.
func (t *Tally) Add(n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done += n
	t.total = max(t.total, t.done)
	t.progress.At(t.done, t.total)
}

// Pass returns the progress of a part of the work, whose own total does not count.
func (t *Tally) Pass() Progress {
	before := int64(0)
	return func(done, _ int64, _ string) {
		t.Add(done - before)
		before = done
	}
}

// End tells that nothing is left to do.
func (t *Tally) End() { t.Add(t.total - t.done) }
