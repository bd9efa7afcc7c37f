package datasets

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"time"

	"github.com/apache/arrow/go/v15/arrow/memory"
)

// A library that reads what anybody has written can loop forever, take all memory, or panic in
// a goroutine of its own, which nobody can catch. So files of other programs are decoded by a
// child, which is this program again: it can be ended, and its death is an error like any other.
// What it sends are texts, as a CSV has them.

// order is what a child is to do, on its input. It ends when that input does.
type order struct {
	Path   string   // of the file
	Names  []string // of the columns whose cells are wanted; nil to describe the file
	Memory int64    // that the child may take, in bytes
}

// message is what a child sends: a description, rows, or the end with the error of it, if there is
// one.
type message struct {
	Description description
	Rows        []sentRow
	End         bool
	Err         string
}

// sentRow is a row of texts; it has none where it has another number of values than it should.
type sentRow struct {
	Place string
	Cells []string
}

// Bounds of what a child sends.
const (
	longestCell = 1 << 20
	sentRows    = 256
	sentBytes   = 1 << 20 // of the cells of a message, but for the last row
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

// apart has a child decode a table that is of a library's format, but for its groups: what
// reads these trusts no file.
func (t *Table) apart(ctx context.Context) {
	if open := t.format.open; t.format.library && !inThisProcess {
		t.format.open = func(r source, mem memory.Allocator) (contents, error) {
			return apart{ctx, t.path, r, func() (contents, error) { return open(r, mem) }}, nil
		}
	}
}

// apart is a file that a child reads.
type apart struct {
	ctx  context.Context
	path string
	from source
	open func() (contents, error)
}

func (a apart) describe() (d description, err error) {
	err = askChild(a.ctx, a.from, order{Path: a.path}, func(m message) error {
		d = m.Description
		return nil
	})
	return d, err
}

func (a apart) cells(names []string, each eachCells) error {
	return askChild(a.ctx, a.from, order{Path: a.path, Names: names}, eachRow(each))
}

func (a apart) groups(meta []pair, cols []column, ask func(group) error) error {
	in, err := a.open()
	if err != nil {
		return err
	}
	return in.groups(meta, cols, ask)
}

// eachRow hands over the rows of messages.
func eachRow(each eachCells) func(message) error {
	return func(m message) error {
		for _, r := range m.Rows {
			if err := each(r.Place, r.Cells); err != nil {
				return err
			}
		}
		return nil
	}
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
	err = c.messages(each)
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
	out    *gob.Decoder
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
	c.life, c.out = in, gob.NewDecoder(bufio.NewReaderSize(patient{out, c}, 1<<16))
	// A child that does not take its order ends what it sends as well, which is the error.
	_ = gob.NewEncoder(in).Encode(o)
	return c, nil
}

// messages hands over what the child sends, up to the end that it tells.
func (c *child) messages(each func(message) error) error {
	for {
		var m message
		switch err := c.out.Decode(&m); {
		case err != nil:
			return errBroken
		case m.Err != "":
			return errors.New(m.Err)
		case m.End:
			return nil
		}
		if err := each(m); err != nil {
			return err
		}
	}
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
