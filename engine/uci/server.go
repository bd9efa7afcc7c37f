package uci

import (
	"cmp"
	"context"
	"fmt"
	"io"

	"kroo/engine"
	"kroo/engine/search"
)

// Config is what a Server says of itself.
type Config struct {
	Name    string // of the engine; "" means Kroo
	Version string // may be empty
	Author  string // "" means the same as Name
	Seed    uint64 // of the choice between moves of the book, one stream a Serve
	Tuning  bool   // offer the settings of the search as options as well
}

// Limits of what a client can ask for.
const (
	maxHashMB = 4096    // mebibytes of hash table
	maxLine   = 1 << 20 // bytes of a line
)

const (
	defaultName   = "Kroo"
	defaultHashMB = 16
)

// Server speaks the protocol. It is immutable: Serve may be called any number
// of times, also at once, and every call begins afresh.
type Server[P search.Position[P]] struct {
	cfg             Config
	engine          *engine.Engine[P]
	start           P
	hashMB, threads int // at first
	maxHash         int
}

// New makes a server that plays with an engine until the client sets options.
// Of the engine's Config it takes the hash table (0 means 16 MiB, at most
// maxHashMB), the threads (0 means 1) and the endgame tables; where the engine
// has none open, a session opens those of the Config when it first searches.
// The engine must not be changed or closed while the server serves. An error
// tells that the game does not know the engine's rules.
func New[P search.Position[P]](e *engine.Engine[P], cfg Config) (*Server[P], error) {
	start, err := e.Kit.Game.Start(e.Rules)
	if err != nil {
		return nil, err
	}
	cfg.Name = cmp.Or(cfg.Name, defaultName)
	cfg.Author = cmp.Or(cfg.Author, cfg.Name)
	return &Server[P]{
		cfg: cfg, engine: e, start: start,
		hashMB:  min(max(cmp.Or(e.Spec.Search.HashMB, defaultHashMB), 1), maxHashMB),
		threads: min(max(e.Spec.Search.Threads, 1), search.MaxThreads),
		maxHash: maxHashMB,
	}, nil
}

// Serve answers the commands from in on out until quit or the end of the input
// (nil), until the context is done (its error, wrapped), or until reading or
// writing fails. A search that is running then is stopped and its best move
// sent; but at the end of the input, or if quit came together with its go, a search
// with limits is carried out: so commands can be piped in. A Write has whole lines: what a
// search reports its iterations waits up to holdFor for what comes next. out must be read
// for anything to happen.
//
// A Read that is blocked when Serve returns stays so, in a goroutine of its
// own, until in delivers or is closed; what it reads is lost.
func (s *Server[P]) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	over := make(chan struct{})
	defer close(over)
	lines := readLines(in, over)
	c := newSession(s, newOutput(out))
	defer c.close()
	for {
		var err error
		done := false
		select {
		case came := <-lines:
			for _, l := range came {
				done, err = l.last, l.err
				if !done {
					done = c.command(ctx, l)
				}
				if done && err == nil {
					c.finish(ctx, l)
				}
				if done {
					break
				}
			}
		case a := <-c.found():
			c.run.answer = &a
			c.sendAnswer()
		case <-ctx.Done():
			done, err = true, ctx.Err()
		case <-c.out.failed:
			done = true
		}
		if done {
			c.stop()
			c.out.text("") // nothing is held any more

			if failed := c.out.error(); failed != nil { // nothing more can be said
				return fmt.Errorf("writing: %w", failed)
			}
			return err
		}
	}
}
