package datasets

import (
	"bufio"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// A library that reads what anybody has written can loop for ever, take all memory, or panic in
// a goroutine of its own, which nobody can catch. So files that no manifest of ours vouches for
// are decoded by a child, which is this program again: it can be ended, and its death is an error
// like any other. What it sends are texts, as the files of our own formats without types hold them.

// order is what a child is to do, on the first line of its input. It ends when that input does.
type order struct {
	Ext     string      // of the format
	Path    string      // of the file
	Do      string      // describe, cells or decode
	Names   []string    // of the columns whose cells are wanted
	Meta    [][2]string // to decode: what the file has to say
	Columns []Column    // likewise
	Memory  int64       // that the child may take, in bytes
}

// The messages of a child, a byte each, and what follows it.
const (
	sendsRow         = 'r' // its place, and its texts
	sendsBadRow      = 'b' // its place: it has another number of values
	sendsDescription = 'd' // as JSON
	sendsError       = 'e' // as text: the end
	sendsEnd         = 'z' // nothing
)

// Bounds of what a child sends.
const (
	longestCell        = 1 << 20
	longestDescription = 1 << 24
)

// asDecoder is the variable of the environment by which a child knows that it is one.
const asDecoder = "KROO_DECODER"

// What a child may take: memory, with some for each byte of the file, and time without a message.
const (
	childMemory   = 1 << 30
	memoryPerByte = 16
)

var childPatience = 30 * time.Second

// inThisProcess makes tests that read thousands of small files do without children.
var inThisProcess = false

// apart has a child decode a table that is of a library's format.
func (t *Table) apart(ctx context.Context) {
	if !t.format.library || inThisProcess {
		return
	}
	ext := strings.ToLower(filepath.Ext(t.path))
	t.format.describe = func(r source, _ memory.Allocator) (d description, err error) {
		err = askChild(ctx, r, order{Ext: ext, Path: t.path, Do: "describe"}, func(m message) error {
			var said sentDescription
			err := json.Unmarshal(m.text, &said)
			d = description{pairsOf(said.Pairs), said.Names, said.Texts}
			return err
		})
		return d, err
	}
	t.format.cells = func(r source, _ memory.Allocator, names []string, each func(string, []string) error) error {
		return askChild(ctx, r, order{Ext: ext, Path: t.path, Do: "cells", Names: names}, func(m message) error {
			return each(m.place, m.row)
		})
	}
	t.format.groups = func(r source, _ memory.Allocator, meta []pair, cols []column, ask func(group) error) error {
		o := order{Ext: ext, Path: t.path, Do: "decode", Meta: sentPairs(meta), Columns: listColumns(cols)}
		return ask(cellGroup{func(row func([]string) error) error {
			return askChild(ctx, r, o, func(m message) error { return row(m.row) })
		}})
	}
}

// sentDescription is a description as JSON.
type sentDescription struct {
	Pairs [][2]string
	Names []string
	Texts []string
}

func sentPairs(pairs []pair) (list [][2]string) {
	for _, p := range pairs {
		list = append(list, [2]string{p.key, p.value})
	}
	return list
}

func pairsOf(list [][2]string) (pairs []pair) {
	for _, p := range list {
		pairs = append(pairs, pair{p[0], p[1]})
	}
	return pairs
}

// message is what a child sends; its row is valid until the next.
type message struct {
	kind  byte
	place string
	row   []string // of a row
	text  []byte   // of a description or an error
}

// askChild has a child do something, and hands over what it sends.
func askChild(ctx context.Context, r source, o order, each func(message) error) error {
	size, err := r.Seek(0, io.SeekEnd)
	if err != nil {
		return err
	}
	o.Memory = childMemory + memoryPerByte*size
	c, err := startChild(ctx, o)
	if err != nil {
		return err
	}
	err = c.messages(len(o.Names)+len(o.Columns), each)
	ended := c.end()
	switch {
	case ctx.Err() != nil && !errors.Is(err, errEnough):
		return context.Cause(ctx)
	case c.idle:
		return fmt.Errorf("the library that reads it does not get on: nothing for %v; write the file again with another program, or as CSV", childPatience)
	case errors.Is(err, errBroken):
		return c.death(ended, o.Memory)
	}
	return err
}

// errBroken is the end of what a child sends before it says that this is the end.
var errBroken = errors.New("the decoder has ended early")

// child is a child at work.
type child struct {
	cmd    *exec.Cmd
	life   io.Closer // its input: it lives as long as that is open
	out    *bufio.Reader
	stderr firstBytes
	idle   bool // nothing has come for too long
}

func startChild(ctx context.Context, o order) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.CommandContext(ctx, self)}
	c.cmd.Env = append(os.Environ(), asDecoder+"=1")
	c.cmd.Stderr, c.cmd.WaitDelay = &c.stderr, 5*time.Second // for its last words
	in, err := c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := c.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := c.cmd.Start(); err != nil {
		return nil, fmt.Errorf("cannot start a process that decodes it: %w", err)
	}
	c.life, c.out = in, bufio.NewReaderSize(patient{out, c}, 1<<16)
	// A child that does not take its order ends what it sends as well, which is the error.
	_ = json.NewEncoder(in).Encode(o)
	return c, nil
}

// messages hands over what the child sends, up to the end that it tells.
func (c *child) messages(columns int, each func(message) error) error {
	for m := (message{row: make([]string, columns)}); ; {
		if err := c.next(&m); err != nil {
			return err
		}
		switch m.kind {
		case sendsEnd:
			return nil
		case sendsError:
			return errors.New(string(m.text))
		}
		if err := each(m.handed()); err != nil {
			return err
		}
	}
}

// handed is the message as it is handed over: a bad row has none.
func (m message) handed() message {
	if m.kind == sendsBadRow {
		m.row = nil
	}
	return m
}

// patient reads what a child sends, and ends the child if nothing comes for too long.
type patient struct {
	out io.Reader
	c   *child
}

func (p patient) Read(b []byte) (int, error) {
	idle := time.AfterFunc(childPatience, func() { p.c.cmd.Process.Kill() })
	n, err := p.out.Read(b)
	if !idle.Stop() {
		p.c.idle = true
	}
	return n, err
}

// next reads a message.
func (c *child) next(m *message) (err error) {
	if m.kind, err = c.out.ReadByte(); err != nil {
		return errBroken
	}
	switch m.kind {
	case sendsRow, sendsBadRow:
		place, err := c.bytes(longestCell)
		m.place = string(place)
		for i := 0; err == nil && m.kind == sendsRow && i < len(m.row); i++ {
			var text []byte
			text, err = c.bytes(longestCell)
			m.row[i] = string(text)
		}
		return err
	case sendsDescription, sendsError:
		m.text, err = c.bytes(longestDescription)
		return err
	case sendsEnd:
		return nil
	}
	return errBroken
}

// bytes reads bytes that their number comes before.
func (c *child) bytes(most uint64) ([]byte, error) {
	n, err := binary.ReadUvarint(c.out)
	if err != nil || n > most {
		return nil, errBroken
	}
	b := make([]byte, n)
	if _, err := io.ReadFull(c.out, b); err != nil {
		return nil, errBroken
	}
	return b, nil
}

// end ends the child, whatever it does.
func (c *child) end() error {
	c.cmd.Process.Kill()
	c.life.Close()
	return c.cmd.Wait()
}

// outOfMemory is how the runtime says that it got no memory, for a thread's stack as well.
var outOfMemory = regexp.MustCompile(`out of memory|cannot allocate memory|pthread_create failed|new OS thread`)

// death says why a child has ended that should not have.
func (c *child) death(ended error, limit int64) error {
	for line := range strings.Lines(string(c.stderr.bytes)) {
		line = strings.TrimSpace(line)
		switch {
		case outOfMemory.MatchString(line):
			return fmt.Errorf("the library that reads it asks for more than %d MiB of memory; write the file again in smaller row groups or batches", limit>>20)
		case strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: "):
			return fmt.Errorf("the library that reads it fails: %.200s", line)
		}
	}
	last, _, _ := strings.Cut(string(c.stderr.bytes), "\n")
	return fmt.Errorf("the process that decodes it has ended early (%v; %.200s)", ended, last)
}

// firstBytes keeps the beginning of what is written to it.
type firstBytes struct{ bytes []byte }

func (f *firstBytes) Write(b []byte) (int, error) {
	f.bytes = append(f.bytes, b[:min(len(b), 1<<13-len(f.bytes))]...)
	return len(b), nil
}
