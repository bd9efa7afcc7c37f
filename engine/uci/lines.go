package uci

import (
	"fmt"
	"io"
	"sync"
	"time"

	"kroo/internal/wording"
)

// output is the writer shared by the session and its search.
type output struct {
	mu     sync.Mutex
	w      io.Writer
	held   []byte        // whole lines not yet written
	due    *time.Timer   // writes held lines; nil before the first
	wait   time.Duration // maximum time that a line is held
	err    error         // first error of w; nothing is written afterwards
	failed chan struct{} // closed when err is set
}

// holdFor is the maximum time that a line waits to be written together with others. It is too short to
// notice, and batches all lines of a millisecond search.
const holdFor = 5 * time.Millisecond

func newOutput(w io.Writer) *output {
	return &output{w: w, wait: holdFor, failed: make(chan struct{})}
}

// line writes a line. Arguments may contain line breaks, which are escaped.
func (o *output) line(format string, args ...any) {
	o.text(wording.OneLine(fmt.Sprintf(format, args...)) + "\n")
}

// note writes an info string.
func (o *output) note(format string, args ...any) {
	o.line("info string "+format, args...)
}

// text writes whole lines, after those held.
func (o *output) text(s string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.held = append(o.held, s...)
	o.flush()
}

// hold holds a line until the next one is written, or for at most wait.
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

// flush writes the held lines. The caller holds the lock.
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
