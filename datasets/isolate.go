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

// A library that reads untrusted files can loop forever, exhaust memory, or panic in a goroutine of
// its own, where recover cannot catch it. So a child process, this program again, decodes files of
// other programs: it can be killed, and its failure is an ordinary error. It sends cells as text,
// as in a CSV file.

// request is what a child is asked to do, sent on its standard input. The child exits when that is closed.
type request struct {
	Path   string   // of the file
	Names  []string // of the wanted columns; nil to describe the file
	Memory int64    // limit of the child, in bytes
}

// message is what a child sends: a description, rows, or the end of its output with an error, if
// any.
type message struct {
	Description description
	Rows        []sentRow
	End         bool
	Err         string
}

// sentRow is a row of cells; Cells is nil if the row has the wrong number of values.
type sentRow struct {
	Place string
	Cells []string
}

// Limits of what a child sends.
const (
	maxCell   = 1 << 20
	sentRows  = 256
	sentBytes = 1 << 20 // cells of a message, before its last row
)

// decoderEnv is the environment variable that makes the program a decoder.
const decoderEnv = "KROO_DECODER"

// Limits of a child: memory, plus some per byte of the file, and time without a message.
const (
	childMemory   = 1 << 30
	memoryPerByte = 16
)

var childTimeout = 30 * time.Second

// decodeInProcess turns child processes off, for tests that read thousands of small files.
var decodeInProcess = false

// isolate makes a child decode a table whose format needs a library. Groups are still read in this
// process: they are validated first.
func (t *Table) isolate(ctx context.Context) {
	if open := t.format.open; t.format.library && !decodeInProcess {
		t.format.open = func(r source, mem memory.Allocator) (contents, error) {
			return isolated{ctx, t.path, r, func() (contents, error) { return open(r, mem) }}, nil
		}
	}
}

// isolated is a file that a child decodes.
type isolated struct {
	ctx  context.Context
	path string
	from source
	open func() (contents, error)
}

func (a isolated) describe() (d description, err error) {
	err = askChild(a.ctx, a.from, request{Path: a.path}, func(m message) error {
		d = m.Description
		return nil
	})
	return d, err
}

func (a isolated) cells(names []string, each eachCells) error {
	return askChild(a.ctx, a.from, request{Path: a.path, Names: names}, eachRow(each))
}

func (a isolated) groups(meta []pair, cols []column, visit func(group) error) error {
	in, err := a.open()
	if err != nil {
		return err
	}
	return in.groups(meta, cols, visit)
}

// eachRow passes on the rows of messages.
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

// askChild sends a request to a new child and passes on its messages.
func askChild(ctx context.Context, r source, o request, each func(message) error) error {
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
		return fmt.Errorf("the library that reads it made no progress for %v; write the file again with another program, or as CSV", childTimeout)
	case errors.Is(err, errTruncated):
		return c.exitError(ended, o.Memory)
	}
	return err
}

// errTruncated reports output that ends without an end message.
var errTruncated = errors.New("the decoder has ended early")

// child is a running decoder process.
type child struct {
	cmd    *exec.Cmd
	stdin  io.Closer // its standard input; closing it makes the child exit
	out    *gob.Decoder
	stderr firstBytes
	idle   bool // timed out without a message
}

func startChild(ctx context.Context, o request) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{cmd: exec.CommandContext(ctx, self)}
	c.cmd.Env = append(os.Environ(), decoderEnv+"=1")
	c.cmd.Stderr, c.cmd.WaitDelay = &c.stderr, 5*time.Second // time for its error output
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
	c.stdin, c.out = in, gob.NewDecoder(bufio.NewReaderSize(timeoutReader{out, c}, 1<<16))
	// If the child does not read the request, its output ends early, and that is the error.
	_ = gob.NewEncoder(in).Encode(o)
	return c, nil
}

// messages passes on the child's messages up to its end message.
func (c *child) messages(each func(message) error) error {
	for {
		var m message
		switch err := c.out.Decode(&m); {
		case err != nil:
			return errTruncated
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

// timeoutReader reads a child's output and kills the child after childTimeout without any.
type timeoutReader struct {
	out io.Reader
	c   *child
}

func (p timeoutReader) Read(b []byte) (int, error) {
	idle := time.AfterFunc(childTimeout, func() { p.c.cmd.Process.Kill() })
	n, err := p.out.Read(b)
	if !idle.Stop() {
		p.c.idle = true
	}
	return n, err
}

// end kills the child and waits for it.
func (c *child) end() error {
	c.cmd.Process.Kill()
	c.stdin.Close()
	return c.cmd.Wait()
}

// outOfMemory matches the runtime's messages for failed allocations, thread stacks included.
var outOfMemory = regexp.MustCompile(`out of memory|cannot allocate memory|pthread_create failed|new OS thread`)

// exitError explains why a child exited early.
func (c *child) exitError(ended error, limit int64) error {
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
	return fmt.Errorf("the process that decodes it ended early (%v; %.200s)", ended, last)
}

// firstBytes keeps the first 8 KiB written to it.
type firstBytes struct{ bytes []byte }

func (f *firstBytes) Write(b []byte) (int, error) {
	f.bytes = append(f.bytes, b[:min(len(b), 1<<13-len(f.bytes))]...)
	return len(b), nil
}
