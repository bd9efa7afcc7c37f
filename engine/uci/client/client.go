// Package client runs another program that plays a game, over the text protocol of package uci: the
// universal chess interface with the boards and moves of the game's description.
//
// [Client.Run] starts a [Command] and completes the handshake, [Client.NewGame] and [Client.Search]
// play, and [Client.Close] ends the program. The program is not trusted. Its faults are returned as
// errors with the reason: it ended, did not answer, answered late, answered with an illegal move, or
// wrote something outside the protocol. Such an error ends the program, with everything that it
// started; the next call starts it again.
//
// Before its uciok a program may write anything (many print a greeting). After it, the client
// ignores up to a hundred lines per answer that do not begin with a word of the protocol, since
// programs leave debugging prints in. More of them, or a bestmove without a move, are faults. Errors
// inside an info line are ignored, and so are bytes that are not text, and what exceeds 64 KiB of a line.
//
// Before every search the client sends isready and drops everything up to readyok, so that a late
// answer is never taken for the next one.
//
// Caveats: a program that leaves its process group (a daemon) cannot be ended; on systems without
// process groups only the program itself is ended. When this program is killed (kill -9), Linux ends
// the programs that it started, but not what those started: their input is closed, at which a UCI
// program ends. So a script that starts a program should use exec. On other systems, their input is
// closed in all cases. Times are measured here, so they include the pipes and waiting for a
// processor: on a busy machine use a Margin of some ten milliseconds.
package client

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"kroo/games"
	"kroo/internal/wording"
)

// maxForeign is the maximum number of lines outside the protocol before an answer.
const maxForeign = 100

// Client is a program that plays a game. It is started on first use, and started again after a fault,
// which ends it. It is not safe for concurrent use.
type Client[P games.Position[P]] struct {
	game         *games.Game[P]
	command      Command
	process      *process // nil if none is running
	name         string
	options      []Spec // announced by the program
	fresh        bool   // the next search starts another game
	foreign      int    // lines outside the protocol since the last command
	turns        int    // moves requested since the start, for [CG]
	conversation transcript
}

// New returns a program that is not started yet.
func New[P games.Position[P]](game *games.Game[P], command Command) *Client[P] {
	return &Client[P]{game: game, command: command}
}

// Run starts the program unless it is running, completes the handshake and sets its options. It
// returns an error if the program cannot be run, and a protocolFault if it misbehaves.
func (c *Client[P]) Run(ctx context.Context) error {
	if c.process != nil {
		return nil
	}
	command, err := c.command.withDefaults()
	if err != nil {
		return err
	}
	c.process, err = run(command)
	if err != nil {
		return err
	}
	c.command = command
	c.name = ""
	c.options = nil
	c.turns = 0
	c.conversation = nil
	if command.Protocol == CG {
		return nil
	}
	if err := c.handshake(ctx); err != nil {
		c.Close()
		return fmt.Errorf("%s: %w%s", command.Path, err, c.lastWords())
	}
	return nil
}

// Name returns the program's own name, "" if it gives none.
func (c *Client[P]) Name() string { return c.name }

// Options returns the program's options, in its order.
func (c *Client[P]) Options() []Spec { return slices.Clone(c.options) }

// HasOption reports whether the program has an option of this name, ignoring case.
func (c *Client[P]) HasOption(name string) bool {
	return slices.ContainsFunc(c.options, func(o Spec) bool { return strings.EqualFold(o.Name, name) })
}

// BookOption is UCI's option for a program's own book.
const BookOption = "OwnBook"

// WithoutBook returns the options that switch the program's own book off, unless its command sets
// them. Moves from a book have no score, and a match in which one side plays from a book compares
// books.
func (c *Client[P]) WithoutBook() []Option {
	isSet := slices.ContainsFunc(c.command.Options, func(o Option) bool { return strings.EqualFold(o.Name, BookOption) })
	if isSet || !c.HasOption(BookOption) {
		return nil
	}
	return []Option{{Name: BookOption, Value: "false"}}
}

// NewGame makes the program forget earlier games, and waits for it. A program that broke down between
// games is restarted once.
func (c *Client[P]) NewGame(ctx context.Context) error {
	c.fresh = false
	if c.command.Protocol == CG && c.turns > 0 {
		c.Close() // a process plays one game
	}
	for running := c.process != nil; ; running = false {
		err := c.Run(ctx)
		if err != nil || c.command.Protocol == CG {
			return err
		}
		if err = c.send("ucinewgame\n"); err == nil {
			err = c.sync(ctx)
		}
		if err == nil || !running {
			return err
		}
	}
}

// Configure sets the program's options. It restarts a program with options that the new ones do not
// replace, since options persist.
func (c *Client[P]) Configure(ctx context.Context, options []Option) {
	same := slices.EqualFunc(c.command.Options, options, func(a, b Option) bool { return a.Name == b.Name })
	c.command.Options = options
	if c.process != nil && (!same || c.setOptions(ctx, options) != nil) {
		c.Close()
	}
}

// Forget is [Client.NewGame] without waiting: it is sent with the next search.
func (c *Client[P]) Forget() { c.fresh = true }

// Transcript returns the last lines of the conversation; lines to the program start with >.
func (c *Client[P]) Transcript() []string { return c.conversation.lines() }

// Close ends the program, if it is running.
func (c *Client[P]) Close() { c.end(c.command.Protocol != CG) }

func (c *Client[P]) end(politely bool) {
	if c.process != nil {
		c.process.end(politely)
		c.process = nil
	}
}

func (c *Client[P]) handshake(ctx context.Context) error {
	if err := c.send("uci\n"); err != nil {
		return err
	}
	if _, err := c.await(ctx, "uciok", c.command.StartUp, c.greeting); err != nil {
		return err
	}
	for _, o := range c.command.Options {
		i := slices.IndexFunc(c.options, func(has Spec) bool { return strings.EqualFold(has.Name, o.Name) })
		if i < 0 {
			return fmt.Errorf("no option %q: %s", o.Name, wording.Expect(o.Name, Names(c.options)))
		}
		if has := c.options[i]; !has.inRange(o.Value) {
			return fmt.Errorf("option %s = %.40q: expected %s", has.Name, o.Value, has.expects())
		}
	}
	return c.setOptions(ctx, c.command.Options)
}

// setOptions sets options, in order, and waits for the program.
func (c *Client[P]) setOptions(ctx context.Context, options []Option) error {
	var set strings.Builder
	for _, o := range options {
		if err := o.check(); err != nil {
			return err
		}
		fmt.Fprintf(&set, "setoption name %s", o.Name)
		if o.Value != "" {
			fmt.Fprintf(&set, " value %s", o.Value)
		}
		set.WriteByte('\n')
	}
	if err := c.send(set.String()); err != nil {
		return err
	}
	return c.sync(ctx)
}

// maxOptions is a bound above the number of options of any program.
const maxOptions = 1000

// greeting handles lines before uciok.
func (c *Client[P]) greeting(l Line) *protocolFault {
	word, rest := CutWord(l.Text)
	switch {
	case word == "id":
		if what, name := CutWord(rest); what == "name" && readable(l.Text) && c.name == "" {
			c.name = name
		}
	case word == "option":
		if text, found := strings.CutPrefix(rest, "name "); found && len(c.options) < maxOptions {
			c.options = append(c.options, parseSpec(text))
		}
	}
	return nil
}

// sync waits until the program has carried out all commands.
func (c *Client[P]) sync(ctx context.Context) error {
	if err := c.send("isready\n"); err != nil {
		return err
	}
	_, err := c.await(ctx, "readyok", c.command.StartUp, c.ignore)
	return err
}

// send writes commands.
func (c *Client[P]) send(text string) error {
	for line := range strings.Lines(text) {
		c.conversation.add("> ", line)
	}
	err := c.process.write(text, c.command.StartUp)
	switch {
	case errors.Is(err, os.ErrDeadlineExceeded):
		return c.fail(fault(kindHung, "did not read its input for %s", c.command.StartUp))
	case err != nil: // the other end is closed
		c.drain()
		return c.fail(c.process.death())
	}
	return nil
}

// drain reads the last lines of a program that has ended.
func (c *Client[P]) drain() {
	timer := time.NewTimer(c.process.grace)
	defer timer.Stop()
	for l, why := c.process.next(nil, timer.C); why == aLine; l, why = c.process.next(nil, timer.C) {
		c.conversation.add("", l.Text)
	}
}

// await reads lines until one begins with the word, and returns the rest of that line. It passes
// other lines to see.
func (c *Client[P]) await(ctx context.Context, word string, limit time.Duration, see func(Line) *protocolFault) (string, error) {
	rest, why, err := c.listen(ctx, word, limit, see)
	switch why {
	case calledOff:
		return "", c.fail(ctx.Err())
	case timeUp:
		return "", c.fail(fault(kindHung, "no %s within %s", word, limit))
	}
	return rest, err
}

// listen is await, but the program continues if the time is up or the context ends.
func (c *Client[P]) listen(ctx context.Context, word string, limit time.Duration,
	see func(Line) *protocolFault) (rest string, why event, err error) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	for c.foreign = 0; ; {
		l, why := c.process.next(ctx.Done(), timer.C)
		switch why {
		case calledOff, timeUp:
			return "", why, nil
		case atEnd:
			return "", why, c.fail(c.process.death())
		}
		c.conversation.add("", l.Text)
		if first, rest := CutWord(l.Text); first == word {
			return rest, why, nil
		}
		if f := see(l); f != nil {
			return "", why, c.fail(f)
		}
	}
}

// fail ends the program, without asking, and returns the error.
func (c *Client[P]) fail(err error) error {
	c.end(false)
	return err
}

// ignore skips lines of the protocol, and a few others, whatever bytes they contain: a comment in
// Latin-1 or with colours is harmless.
func (c *Client[P]) ignore(l Line) *protocolFault {
	switch word, _ := CutWord(l.Text); word {
	case "info", "bestmove", "readyok", "id", "option", "uciok", "copyprotection", "registration":
		return nil
	}
	c.foreign++
	if c.foreign > maxForeign {
		return fault(kindGarbage, "more than %d lines like %s", maxForeign, quoteStart(l.Text))
	}
	return nil
}

// CutWord splits off the first word.
func CutWord(text string) (word, rest string) {
	text = strings.TrimSpace(text)
	if i := strings.IndexAny(text, " \t"); i >= 0 {
		return text[:i], strings.TrimSpace(text[i:])
	}
	return text, ""
}
