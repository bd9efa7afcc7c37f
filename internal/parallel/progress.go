package parallel

import "sync"

// Progress is called with the progress of some work, in its unit: rows or bytes read, positions,
// steps. The first call is before any work and reports what an earlier attempt has done (from
// its journal). note describes intermediate results in a few words, and is often empty. Calls
// never overlap. The methods of a nil Progress do nothing.
type Progress func(done, total int64, note string)

// At reports progress.
func (p Progress) At(done, total int64) { p.Note(done, total, "") }

// Note reports progress with a note.
func (p Progress) Note(done, total int64, note string) {
	if p != nil {
		p(done, total, note)
	}
}

// Part returns the progress of part i of n equal parts of the work, from 0.
func (p Progress) Part(i, n int) Progress {
	return func(done, total int64, note string) { p.Note(int64(i)*total+done, int64(n)*total, note) }
}

// Tally adds up the progress of several goroutines or passes.
type Tally struct {
	mu          sync.Mutex
	done, total int64
	progress    Progress
}

// Tally reports the work already done, and returns a Tally that continues from there.
func (p Progress) Tally(done, total int64) *Tally {
	p.At(done, total)
	return &Tally{done: done, total: total, progress: p}
}

// Add adds n to the work done. If that exceeds the total, the total grows with it.
func (t *Tally) Add(n int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.done += n
	t.total = max(t.total, t.done)
	t.progress.At(t.done, t.total)
}

// Pass returns the progress of a part of the work. It ignores that part's own total.
func (t *Tally) Pass() Progress {
	before := int64(0)
	return func(done, _ int64, _ string) {
		t.Add(done - before)
		before = done
	}
}

// End reports that all work is done.
func (t *Tally) End() { t.Add(t.total - t.done) }
