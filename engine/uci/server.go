package uci

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
)

// Config configures a Server.
type Config struct {
	Name    string // name of the engine; "" means Kroo
	Version string // may be empty
	Author  string // "" means Name
	Seed    uint64 // random seed for the choice of book moves
	Tuning  bool   // offer the search settings as options
}

// Limits on the client.
const (
	maxHashMB = 4096    // size of the hash table in MiB
	maxLine   = 1 << 20 // length of a line in bytes
)

const (
	defaultName   = "Kroo"
	defaultHashMB = 16
)

// Server serves the protocol. It is immutable, and Serve is safe for concurrent use: every call is an
// independent session.
type Server[P search.Position[P]] struct {
	cfg             Config
	engine          *engine.Engine[P]
	start           P
	hashMB, threads int // initial values
	maxHash         int
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
	cfg.Name = cmp.Or(cfg.Name, defaultName)
	cfg.Author = cmp.Or(cfg.Author, cfg.Name)
	return &Server[P]{
		cfg: cfg, engine: e, start: start,
		hashMB:  min(max(cmp.Or(e.Spec.Search.HashMB, defaultHashMB), 1), maxHashMB),
		threads: min(max(e.Spec.Search.Threads, 1), search.MaxThreads),
		maxHash: maxHashMB,
	}, nil
}

// Serve answers commands from in on out until quit or the end of the input, when it returns nil, until
// the context is done, when it returns its error, or until reading or writing fails. A running search is
// then stopped and its best move sent. But at the end of the input, or if quit batch in one Read with go,
// a limited search is completed, so that commands can be piped in. Every Write has whole lines; lines
// about iterations may be delayed by up to holdFor. Serve blocks while out is not read.
//
// When Serve returns, a blocked Read remains in its goroutine until in returns or is closed; its data is
// lost.
func (s *Server[P]) Serve(ctx context.Context, in io.Reader, out io.Writer) error {
	returned := make(chan struct{})
	defer close(returned)
	lines := client.ReadLines(in, maxLine, returned)
	c := newSession(s, newOutput(out))
	defer c.close()
	for {
		var err error
		done := false
		select {
		case batch := <-lines:
			c.batch++
			for i, l := range batch {
				if l.Err != nil && !errors.Is(l.Err, io.EOF) {
					err = l.Err
				}
				if done = l.Err != nil || c.command(ctx, l, i+1 < len(batch)); done && err == nil {
					c.finish(ctx, l.Err != nil)
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
			c.out.text("")                              // write held lines
			if failed := c.out.error(); failed != nil { // nothing more can be written
				return fmt.Errorf("writing: %w", failed)
			}
			return err
		}
	}
}
