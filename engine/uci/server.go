package uci

import (
	"context"
	"fmt"
	"io"

	"kroo/book"
	"kroo/engine/search"
	"kroo/games/oware"
)

// Config is what a Server plays with. The zero value is a plain abapa engine
// that counts captured seeds and has no book.
type Config struct {
	Name    string // of the engine; "" means Kroo
	Version string // may be empty
	Author  string // "" means the same as Name

	Rules    oware.Rules                      // until the client sets others
	Eval     search.Evaluator[oware.Position] // for Rules; nil means captures alone, for all rules
	EvalName string                           // what to call Eval; "" means unnamed
	Book     *book.Book                       // nil means none; stays open

	HashMB  int // 0 means 16; kept within 1 and MaxHashMB
	Threads int // 0 means 1; kept within 1 and search.MaxThreads
	// Tables names the endgame tables as the option of that name does.
	Tables string
	Seed   uint64 // of the choice between moves of the book, one stream a Serve
}

// Limits of what a client can ask for.
const (
	MaxHashMB = 4096    // mebibytes of hash table
	MaxLine   = 1 << 20 // bytes of a line
)

const (
	defaultName   = "Kroo"
	defaultHashMB = 16
)

// Server speaks the protocol. It is immutable: Serve may be called any number
// of times, also at once, and every call begins afresh.
type Server struct {
	cfg     Config
	maxHash int
}

// New makes a server. What the Config refers to must not be changed or closed
// while it serves.
func New(cfg Config) *Server {
	if cfg.Name == "" {
		cfg.Name = defaultName
	}
	if cfg.Author == "" {
		cfg.Author = cfg.Name
	}
	if cfg.EvalName == "" {
		cfg.EvalName = "unnamed"
	}
	if cfg.HashMB == 0 {
		cfg.HashMB = defaultHashMB
	}
	cfg.HashMB = min(max(cfg.HashMB, 1), MaxHashMB)
	cfg.Threads = min(max(cfg.Threads, 1), search.MaxThreads)
	return &Server{cfg: cfg, maxHash: MaxHashMB}
}

// Serve answers the commands from in on out until quit or the end of the input
// (nil), until the context is done (its error, wrapped), or until reading or
// writing fails. A search that is running then is stopped and its best move
// sent. Every line is a single Write, and out must be read for anything to
// happen.
//
// A Read that is blocked when Serve returns stays so, in a goroutine of its
// own, until in delivers or is closed; what it reads is lost.
func (s *Server) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	over := make(chan struct{})
	defer close(over)
	lines := readLines(in, over)
	c := newSession(s, newOutput(out))
	defer c.close()
	for {
		var err error
		done := false
		select {
		case l := <-lines:
			done, err = l.last, l.err
			if !done {
				done = c.line(ctx, l)
			}
		case a := <-c.found():
			c.run.answer = &a
			c.settle()
		case <-ctx.Done():
			done, err = true, ctx.Err()
		case <-c.out.failed:
			done = true
		}
		if done {
			c.stop()
			return finalError(err, c.out.error())
		}
	}
}

// finalError prefers the error that came first by its nature: nothing more can
// be said once writing has failed.
func finalError(err, writeErr error) error {
	if writeErr != nil {
		return fmt.Errorf("uci: writing: %w", writeErr)
	}
	if err != nil {
		return fmt.Errorf("uci: %w", err)
	}
	return nil
}
