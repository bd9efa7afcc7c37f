package uci

import (
	"bufio"
	"cmp"
	"context"
	"io"
	"strings"
	"testing"

	"kroo/book"
	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// service is a Server of any game.
type service interface {
	Serve(ctx context.Context, in io.Reader, out io.Writer) error
}

// setup is the configuration of an oware server; the zero value counts captured seeds under abapa rules.
type setup struct {
	Name, Version, Author string
	Seed                  uint64
	Rules                 string
	Eval                  search.Evaluator[oware.Position] // for Rules
	Book                  *book.Book
	HashMB                int
	Tables                string
	Tuning                bool
}

func newServer(t testing.TB, s setup) *Server[oware.Position] {
	t.Helper()
	rules := cmp.Or(s.Rules, "abapa")
	e := testkit.Must(engine.Open(t.Context(), engine.Oware(), engine.Spec{Weights: engine.CapturesName, Search: engine.Config{HashMB: s.HashMB, Tables: engine.NoTables}}, rules))(t)
	t.Cleanup(func() { e.Close() })
	if s.Eval != nil {
		e.Eval = engine.Evaluation[oware.Position]{Evaluator: s.Eval, Name: "of the test", Rules: rules}
	}
	e.Spec.Search.Tables = s.Tables // opened when a search needs them
	if s.Book != nil {
		e.Book = engine.OwareBook{Book: s.Book}
	}
	return testkit.Must(New(e, Config{Name: s.Name, Version: s.Version, Author: s.Author, Seed: s.Seed, Tuning: s.Tuning}))(t)
}

// client is the other end of a session.
type peer struct {
	t     testing.TB
	in    *io.PipeWriter
	lines chan string // closed when Serve has returned
	err   error       // of Serve, once lines is closed
}

// dial starts a session and reads all its output, so that it never blocks.
func dial(t testing.TB, ctx context.Context, s service) *peer {
	inR, inW := io.Pipe()
	outR, outW := io.Pipe()
	c := &peer{t: t, in: inW, lines: make(chan string, 1<<16)}
	served := make(chan error, 1)
	go func() {
		served <- s.Serve(ctx, inR, outW)
		outW.Close()
	}()
	go func() {
		for sc := bufio.NewScanner(outR); sc.Scan(); {
			c.lines <- sc.Text()
		}
		c.err = <-served
		close(c.lines)
	}()
	t.Cleanup(func() { inW.Close(); inR.Close() })
	return c
}

func (c *peer) send(commands ...string) {
	c.t.Helper()
	for _, s := range commands {
		if _, err := io.WriteString(c.in, s+"\n"); err != nil {
			c.t.Fatalf("sending %q: %v", s, err)
		}
	}
}

// until returns the lines up to the first with the prefix.
func (c *peer) until(prefix string) (got []string) {
	c.t.Helper()
	for l := range c.lines {
		got = append(got, l)
		if strings.HasPrefix(l, prefix) {
			return got
		}
	}
	c.t.Fatalf("the service ended before a line %q, after %q", prefix, got)
	return nil
}

// ask sends commands and returns all output until they are executed.
func (c *peer) ask(commands ...string) []string {
	c.t.Helper()
	c.send(commands...)
	c.send("isready")
	got := c.until("readyok")
	return got[:len(got)-1]
}

// rest returns the remaining lines and the error of Serve.
func (c *peer) rest() (got []string, err error) {
	for l := range c.lines {
		got = append(got, l)
	}
	return got, c.err
}

func lastOf(lines []string) string {
	if len(lines) == 0 {
		return ""
	}
	return lines[len(lines)-1]
}

// count counts the lines with the prefix.
func count(lines []string, prefix string) (n int) {
	for _, l := range lines {
		if strings.HasPrefix(l, prefix) {
			n++
		}
	}
	return n
}

// plainServer returns a server with a game's default evaluation and no book.
func plainServer[P search.Position[P]](t testing.TB, k engine.Kit[P]) *Server[P] {
	t.Helper()
	e := testkit.Must(engine.Open(t.Context(), k, engine.Spec{Search: engine.Config{HashMB: 1}}, k.Game.Rules[0]))(t)
	t.Cleanup(func() { e.Close() })
	return testkit.Must(New(e, Config{Name: "Kroo", Version: "1", Author: "the authors"}))(t)
}
