package datasets

import (
	"bufio"
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"iter"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
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

	decoding // not sent
}

// decoding is where and how long files of other programs are decoded.
type decoding struct {
	inProcess bool          // without a child, for tests that read thousands of small files
	timeout   time.Duration // for a child's next message; 0 means childTimeout
}

// message is what a decoder sends: a row of the wanted columns, or the file's description.
type message struct {
	Row         cellRow
	Description description

	End bool   // the last message
	Err string // why there are no more rows; empty without an error
}

// maxCell limits the length of a cell that a child sends.
const maxCell = 1 << 20

// decoderEnv is the environment variable that makes the program a decoder.
const decoderEnv = "KROO_DECODER"

// Limits of a child: memory, plus some per byte of the file, and time without a message.
const (
	childMemory   = 1 << 30
	memoryPerByte = 16
	childTimeout  = 30 * time.Second
)

// describe returns the description of the file.
func (o request) describe(ctx context.Context) (d description, err error) {
	o.Names = nil
	for m, err := range o.read(ctx) {
		if err != nil {
			return d, err
		}
		d = m.Description
	}
	return d, nil
}

// rows yields the rows of the wanted columns. An error ends the sequence.
func (o request) rows(ctx context.Context) iter.Seq2[cellRow, error] {
	return func(yield func(cellRow, error) bool) {
		for m, err := range o.read(ctx) {
			if !yield(m.Row, err) {
				return
			}
		}
	}
}

// read yields the file's description, if no columns are wanted, else a message per row. An error names
// the file and ends the sequence. A child decodes formats that need a library.
func (o request) read(ctx context.Context) iter.Seq2[message, error] {
	return func(yield func(message, error) bool) {
		format, f, err := o.open()
		if err != nil {
			yield(message{}, err)
			return
		}
		defer f.Close()
		messages := o.decode(ctx, format, f)
		if format.usesLibrary && !o.inProcess {
			messages = o.askChild(ctx, f)
		}
		for m, err := range messages {
			if err == nil {
				err = context.Cause(ctx)
			}
			if err != nil {
				yield(message{}, fmt.Errorf("%s: %w", o.Path, explainPanic(format, err)))
				return
			}
			if !yield(m, nil) {
				return
			}
		}
	}
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
func (o request) decode(ctx context.Context, format format, f source) iter.Seq2[message, error] {
	return guardSequence(ctx, format, func(yield func(message, error) bool) {
		size, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			yield(message{}, err)
			return
		}
		in, err := openSource(ctx, format, f)
		if err != nil {
			yield(message{}, err)
			return
		}
		if o.Names == nil {
			d, err := in.describe()
			yield(message{Description: d}, err)
			return
		}
		for row, err := range cellsOf(in, size, o.Names) {
			if !yield(message{Row: row}, err) || err != nil {
				return
			}
		}
	})
}

// maxRowsPerByte exceeds what any table of boards needs, however repetitive. A hostile file can
// claim endless repetitions of a value in a few bytes.
const maxRowsPerByte = 16

var (
	errTruncated = errors.New("the decoder has ended early") // its output has no end message
	errIdle      = errors.New("the decoder sends nothing")
)

// askChild is read in a new child.
func (o request) askChild(ctx context.Context, f source) iter.Seq2[message, error] {
	return func(yield func(message, error) bool) {
		size, err := f.Seek(0, io.SeekEnd)
		if err != nil {
			yield(message{}, err)
			return
		}
		o.Memory = childMemory + memoryPerByte*size
		c, err := startChild(ctx, o)
		if err != nil {
			yield(message{}, err)
			return
		}
		for {
			m, err := c.next()
			if err != nil {
				yield(message{}, c.explain(ctx, err))
				return
			}
			if m.End || !yield(m, nil) {
				c.stop()
				return
			}
		}
	}
}

// child is a process that decodes a file.
type child struct {
	cmd     *exec.Cmd
	ctx     context.Context // its end kills the process
	kill    context.CancelCauseFunc
	in      io.WriteCloser
	out     *gob.Decoder
	stderr  bytes.Buffer
	memory  int64 // its limit
	timeout time.Duration
}

// startChild starts a child and sends it a request.
func startChild(outer context.Context, o request) (*child, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	c := &child{memory: o.Memory, timeout: cmp.Or(o.timeout, childTimeout)}
	c.ctx, c.kill = context.WithCancelCause(outer)
	c.cmd = exec.CommandContext(c.ctx, self)
	c.cmd.Env = append(os.Environ(), decoderEnv+"=1")
	c.cmd.WaitDelay = 5 * time.Second // time for its error output
	c.cmd.Stderr = &c.stderr
	out, err := c.connect()
	if err == nil {
		err = c.cmd.Start()
	}
	if err != nil {
		c.kill(nil)
		return nil, fmt.Errorf("cannot start a process that decodes it: %w", err)
	}
	c.out = gob.NewDecoder(bufio.NewReaderSize(out, 1<<16))
	_ = gob.NewEncoder(c.in).Encode(o) // if the child does not read it, its output ends early
	return c, nil
}

// connect makes the pipes to and from the child.
func (c *child) connect() (out io.Reader, err error) {
	c.in, err = c.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	return c.cmd.StdoutPipe()
}

// next returns the child's next message. It kills a child that sends nothing for its timeout.
func (c *child) next() (m message, err error) {
	idle := time.AfterFunc(c.timeout, func() { c.kill(errIdle) })
	defer idle.Stop()
	return nextMessage(c.out)
}

// stop ends the child, and returns how it ended.
func (c *child) stop() error {
	c.kill(nil)
	c.in.Close()
	return c.cmd.Wait()
}

// explain stops the child after an error, and returns what the error means.
func (c *child) explain(outer context.Context, err error) error {
	silent := errors.Is(context.Cause(c.ctx), errIdle)
	ended := c.stop()
	switch {
	case outer.Err() != nil:
		return context.Cause(outer)
	case silent:
		return fmt.Errorf("the library that reads it made no progress for %v; "+
			"write the file again with another program, or as CSV", c.timeout)
	case errors.Is(err, errTruncated):
		return exitError(ended, c.stderr.String(), c.memory)
	}
	return err
}

// nextMessage receives a message. It is an error if the sender stops early or reports an error.
func nextMessage(from *gob.Decoder) (m message, err error) {
	err = from.Decode(&m)
	switch {
	case err != nil:
		return m, errTruncated
	case m.Err != "":
		return m, errors.New(m.Err)
	}
	return m, nil
}

// exitError explains by a child's error output why it exited early.
func exitError(ended error, output string, limit int64) error {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "out of memory") || strings.Contains(line, "cannot allocate memory"):
			return fmt.Errorf("the library that reads it asks for more than %d MiB of memory; "+
				"write the file again in smaller row groups or batches", limit>>20)
		case strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: "):
			return fmt.Errorf("the library that reads it fails: %.200s", line)
		}
	}
	last, _, _ := strings.Cut(output, "\n")
	return fmt.Errorf("the process that decodes it ended early (%v; %.200s)", ended, last)
}

// A decoder must take over before the rest of the program starts, also in test binaries: a program
// that has not taken over would start itself again and again.
func init() {
	if os.Getenv(decoderEnv) != "" {
		os.Exit(runDecoder())
	}
}

// runDecoder serves the request on standard input and exits when that is closed, so a child never
// outlives its parent.
func runDecoder() int {
	in := bufio.NewReader(os.Stdin)
	out := bufio.NewWriterSize(os.Stdout, 1<<16)
	var o request
	if err := gob.NewDecoder(in).Decode(&o); err != nil {
		return 1
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(1)
	}()
	os.Stdout = os.Stderr // for anything that a library prints
	debug.SetMemoryLimit(o.Memory / 4 * 3)
	go exitBeyond(o.Memory)
	if errors.Join(o.serve(gob.NewEncoder(out)), out.Flush()) != nil {
		return 1
	}
	return 0
}

// exitBeyond exits soon after the program uses more memory.
func exitBeyond(most int64) {
	for range time.Tick(10 * time.Millisecond) {
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		if m.Sys-m.HeapReleased > uint64(most) {
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(1)
		}
	}
}

// serve sends what read yields in a child, and the end message. The error is one of sending.
func (o request) serve(to *gob.Encoder) error {
	format, f, err := o.open()
	if err != nil {
		return to.Encode(message{End: true, Err: err.Error()})
	}
	defer f.Close()
	for m, err := range o.decode(context.Background(), format, f) {
		if err == nil {
			err = m.Row.checkLengths()
		}
		if err != nil {
			return to.Encode(message{End: true, Err: err.Error()})
		}
		if err := to.Encode(m); err != nil {
			return err
		}
	}
	return to.Encode(message{End: true})
}

// checkLengths refuses cells of more than maxCell bytes.
func (r cellRow) checkLengths() error {
	for _, cell := range r.Cells {
		if len(cell) > maxCell {
			return fmt.Errorf("%s: a text of %d bytes: expected at most %d", r.Place, len(cell), maxCell)
		}
	}
	return nil
}
