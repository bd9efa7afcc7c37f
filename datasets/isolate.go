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

	"kroo/internal/vfs"
)

// A library that reads untrusted files can loop forever, exhaust memory, or panic in a goroutine of
// its own, where recover cannot catch it. So a child process, this program again, decodes files of
// other programs: it can be killed, and its failure is an ordinary error. It sends cells as text,
// as in a CSV file.

// request asks for the description of a file written by any program, or for some of its columns. A
// child gets it on its standard input, and exits when that is closed.
type request struct {
	Path   string
	Names  []string // of the wanted columns; nil to describe the file
	Memory int64    // limit of the child, in bytes
}

// message is what a child sends: a row, or the end of its output with the description or an error.
type message struct {
	Place string
	Cells []string // nil if the row has the wrong number of values

	End         bool
	Description description
	Err         string
}

// maxCell limits the length of a cell that a child sends.
const maxCell = 1 << 20

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

// read returns the description of the file, or passes on the rows of the wanted columns until each
// returns an error, which it returns as it is. Other errors name the file. A child decodes formats
// that need a library.
func (o request) read(ctx context.Context, each eachCells) (d description, err error) {
	format, f, err := o.open()
	if err != nil {
		return d, err
	}
	defer f.Close()
	var stopped error
	row := func(place string, cells []string) error {
		if stopped = context.Cause(ctx); stopped == nil {
			stopped = each(place, cells)
		}
		if stopped != nil {
			return errEnough
		}
		return nil
	}
	if format.library && !decodeInProcess {
		d, err = o.askChild(ctx, f, row)
	} else {
		d, err = o.decode(ctx, format, f, row)
	}
	if stopped == nil && err != nil {
		stopped = fmt.Errorf("%s: %w", o.Path, explained(format, err))
	}
	return d, stopped
}

func (o request) open() (format, *vfs.File, error) {
	format, err := formatOf(o.Path)
	if err != nil {
		return format, nil, fmt.Errorf("%s: %w", o.Path, err)
	}
	f, err := vfs.Open(o.Path)
	return format, f, err
}

// decode is read in this process.
func (o request) decode(ctx context.Context, format format, f source, each eachCells) (d description, err error) {
	err = opened(ctx, format, f, func(in contents, mem *budget) (err error) {
		if o.Names != nil {
			return in.cells(mem, o.Names, each)
		}
		d, err = in.describe()
		return err
	})
	return d, err
}

// askChild is read in a new child.
func (o request) askChild(ctx context.Context, f source, each eachCells) (d description, err error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return d, err
	}
	o.Memory = childMemory + memoryPerByte*size
	c, err := startChild(ctx, o)
	if err != nil {
		return d, err
	}
	d, err = c.messages(each)
	ended := c.end()
	switch {
	case ctx.Err() != nil && !errors.Is(err, errEnough):
		return d, context.Cause(ctx)
	case c.idle:
		return d, fmt.Errorf("the library that reads it made no progress for %v; write the file again with another program, or as CSV", childTimeout)
	case errors.Is(err, errTruncated):
		return d, c.exitError(ended, o.Memory)
	}
	return d, err
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

// messages passes on the child's rows up to its end message.
func (c *child) messages(each eachCells) (d description, err error) {
	for {
		var m message
		switch err := c.out.Decode(&m); {
		case err != nil:
			return d, errTruncated
		case m.Err != "":
			return d, errors.New(m.Err)
		case m.End:
			return m.Description, nil
		}
		if err := each(m.Place, m.Cells); err != nil {
			return d, err
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
