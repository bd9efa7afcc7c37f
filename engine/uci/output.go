package uci

import (
	"fmt"
	"io"
	"sync"

	"kroo/internal/oneline"
)

// output is the one way out, for the session and the search at once.
type output struct {
	mu     sync.Mutex
	w      io.Writer
	err    error         // the first error of w: nothing is written after it
	failed chan struct{} // closed when err is set
}

func newOutput(w io.Writer) *output {
	return &output{w: w, failed: make(chan struct{})}
}

// line writes a line, whatever the arguments, paths for instance, hold.
func (o *output) line(format string, args ...any) {
	o.text(oneline.Of(fmt.Sprintf(format, args...)) + "\n")
}

// note tells the user something.
func (o *output) note(format string, args ...any) {
	o.line("info string "+format, args...)
}

// text writes whole lines.
func (o *output) text(s string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.err != nil {
		return
	}
	if _, err := io.WriteString(o.w, s); err != nil {
		o.err = err
		close(o.failed)
	}
}

func (o *output) error() error {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.err
}
