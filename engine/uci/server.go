package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"sync"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/internal/wording"
)

// Config configures a Server.
type Config struct {
	Name    string // of the engine and its author; "" means Kroo
	Version string // may be empty
	Seed    uint64 // random seed for the choice of book moves
	Tuning  bool   // offer the search settings as options
}

const (
	maxHashMB = 4096    // of the option Hash
	maxLine   = 1 << 20 // length of a client's line in bytes
)

// Server serves the protocol. It is immutable, and Serve is safe for concurrent use: every call is an
// independent session.
type Server[P search.Position[P]] struct {
	cfg    Config
	engine *engine.Engine[P]
	start  P
	// searchOptions are the initial values of a session.
	searchOptions search.Options
	maxHash       int
}

// New returns a server for an engine, which must not be changed or closed while the server is in use. Of
// the engine's Config it uses the hash table (0 means 16 MiB, at most maxHashMB), the threads (0 means
// 1) and the endgame tables, which a session opens when it first searches if the engine has none open.
// It fails if the game does not have the engine's rules.
func New[P search.Position[P]](e *engine.Engine[P], cfg Config) (*Server[P], error) {
	start, err := e.Kit.Game.Start(e.Rules)
	if err != nil {
		return nil, err
	}
	cfg.Name = cmp.Or(cfg.Name, "Kroo")
	return &Server[P]{
		cfg: cfg, engine: e, start: start, maxHash: maxHashMB,
		searchOptions: search.Options{
			HashMB:  min(max(cmp.Or(e.Spec.Search.HashMB, search.DefaultHashMB), 1), maxHashMB),
			Threads: min(max(e.Spec.Search.Threads, 1), search.MaxThreads),
		},
	}, nil
}

// Serve answers commands from in on out until quit or the end of the input, when it returns nil, until
// the context is done, when it returns its error, or until reading or writing fails. A running search is
// then stopped and its best move sent. But at the end of the input, or if quit arrives in the same Read as go,
// a limited search is completed, so that commands can be piped in. Every Write has whole lines; lines
// about iterations, and a readyok during a search, may be delayed by up to holdFor. Serve blocks while out is not read.
//
// When Serve returns, a blocked Read remains in its goroutine until in returns or is closed; its data is
// lost.
func (s *Server[P]) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	returned := make(chan struct{})
	defer close(returned)
	lines := client.ReadLines(in, maxLine, returned)
	c := newSession(s, newOutput(out))
	defer c.close()
	err := c.serve(ctx, lines)
	c.stop()
	c.out.text("")                              // write held lines
	if failed := c.out.error(); failed != nil { // nothing more can be written
		return fmt.Errorf("writing: %w", failed)
	}
	return err
}

// serve executes commands and sends the answers of searches until the session ends.
func (c *session[P]) serve(ctx context.Context, lines <-chan []client.Line) error {
	for {
		select {
		case batch := <-lines:
			c.batch++
			done, err := c.executeBatch(ctx, batch)
			if done || err != nil {
				return err
			}
		case a := <-c.answers():
			c.run.answer = &a
			c.sendAnswer()
		case <-ctx.Done():
			return ctx.Err()
		case <-c.out.failed:
			return nil
		}
	}
}

// executeBatch executes the lines of one Read. It reports whether the session is done, by quit or the end of
// the input.
func (c *session[P]) executeBatch(ctx context.Context, batch []client.Line) (done bool, err error) {
	for _, l := range batch {
		switch {
		case errors.Is(l.Err, io.EOF):
			c.finish(ctx, true)
			return true, nil
		case l.Err != nil:
			return true, l.Err
		case l.TooLong:
			c.positionErr = fmt.Errorf("a line longer than %d bytes", maxLine)
			c.out.note("line longer than %d bytes: ignored", maxLine)
		case c.execute(ctx, l.Text) == quit:
			c.finish(ctx, false)
			return true, nil
		}
	}
	if c.run == nil { // no line follows to be written with those held
		c.out.text("")
	}
	return false, nil
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

// writeLine writes a line. Arguments may contain line breaks, which are escaped.
func (o *output) writeLine(format string, args ...any) {
	o.text(wording.OneLine(fmt.Sprintf(format, args...)) + "\n")
}

// note writes an info string.
func (o *output) note(format string, args ...any) {
	o.writeLine("info string "+format, args...)
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
		_, o.err = o.w.Write(o.held)
		if o.err != nil {
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
