package uci

import (
	"fmt"
	"io"
	"sync"
	"time"

	"kroo/internal/wording"
)

// output is the one way out, for the session and the search at once.
type output struct {
	mu     sync.Mutex
	w      io.Writer
	held   []byte        // whole lines that are not written yet
	due    *time.Timer   // writes them; nil if none were ever held
	wait   time.Duration // how long a line is held at most
	err    error         // the first error of w: nothing is written after it
	failed chan struct{} // closed when err is set
}

// holdFor is how long a line may wait for others to be written with: no person notices, and
// a search of a millisecond tells all its iterations with its bestmove.
const holdFor = 5 * time.Millisecond

func newOutput(w io.Writer) *output {
	return &output{w: w, wait: holdFor, failed: make(chan struct{})}
}

// line writes a line, whatever the arguments, paths for instance, hold.
func (o *output) line(format string, args ...any) {
	o.text(wording.OneLine(fmt.Sprintf(format, args...)) + "\n")
}

// note tells the user something.
func (o *output) note(format string, args ...any) {
	o.line("info string "+format, args...)
}

// text writes whole lines, after those that are held.
func (o *output) text(s string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held = append(o.held, s...)
	o.flush()
}

// hold takes a line that is written with the next one, or when its time has come.
func (o *output) hold(line string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.held) == 0 {
		if o.due == nil {
			o.due = time.AfterFunc(o.wait, func() { o.text("") })
		} else {
			o.due.Reset(o.wait)
		}
	}
	o.held = append(append(o.held, line...), '\n')
}

// flush writes what is held, under the lock.
func (o *output) flush() {
	if o.err == nil && len(o.held) > 0 {
		if _, o.err = o.w.Write(o.held); o.err != nil {
			close(o.failed)
		}
	}
	o.held = o.held[:0]
}

func (o *output) error() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
