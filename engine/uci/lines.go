package uci

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"

	"kroo/internal/wording"
)

// line is a line of the input, or its end.
type line struct {
	text    string
	piece   int   // number of the Read that returned its first byte
	more    bool  // more lines of the same Read follow
	tooLong bool  // longer than maxLine: dropped
	last    bool  // end of the input
	err     error // read error other than io.EOF
}

// readLines reads in a separate goroutine, because a Read cannot be cancelled, until the input
// ends or done is closed. Lines from one Read are delivered together.
func readLines(in io.Reader, done <-chan struct{}) <-chan []line {
	lines := make(chan []line)
	go func() {
		piece, r := 0, bufio.NewReader(in)
		for err := error(nil); err == nil; {
			var batch []line
			for more := true; more; {
				if r.Buffered() == 0 {
					piece++
				}
				var l line
				l, err = readLine(r)
				waiting, _ := r.Peek(r.Buffered())
				more = err == nil && bytes.IndexByte(waiting, '\n') >= 0
				if l.piece, l.more = piece, more; l.text != "" || l.tooLong {
					batch = append(batch, l)
				}
			}
			if err != nil {
				end := line{last: true}
				if !errors.Is(err, io.EOF) {
					end.err = err
				}
				batch = append(batch, end)
			}
			select {
			case lines <- batch:
			case <-done:
				return
			}
		}
	}()
	return lines
}

// readLine reads up to the end of the line. Lines longer than maxLine are dropped. Text before an
// error counts as a line.
func readLine(r *bufio.Reader) (line, error) {
	var text strings.Builder
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || text.Len()+len(part) > maxLine; !long {
			text.Write(part)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			return line{tooLong: true}, err
		}
		return line{text: strings.TrimSpace(text.String())}, err
	}
}

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
