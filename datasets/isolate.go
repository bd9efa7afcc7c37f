package datasets

import (
	"bufio"
	"bytes"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"runtime"
	"runtime/debug"
	"slices"
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
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return d, err
	}
	err = opened(ctx, format, f, func(in contents) (err error) {
		if o.Names != nil {
			return cells(in, size, o.Names, each)
		}
		d, err = in.describe()
		return err
	})
	return d, err
}

// cells reads some columns of a file written by any program, found by name, one row of texts at a
// time. A missing value is "". place is the row's location. The row is valid during the call only;
// it is nil if there are more or fewer values than columns.
func cells(in contents, size int64, names []string, each eachCells) error {
	if in, ok := in.(interface {
		cells(names []string, each eachCells) error
	}); ok {
		return in.cells(names, each)
	}
	about, err := in.describe()
	if err != nil {
		return err
	}
	places, err := placesOf(about.Names, names)
	if err != nil {
		return err
	}
	cols, values, row := make([]column, len(about.Names)), make([]string, len(names)), int64(0)
	for i, name := range about.Names {
		cols[i] = column{name: name, typ: typeCell}
	}
	return in.groups(func(g group) error {
		return g.read(cols, places, func() error {
			n, err := sameLength(cols, places)
			if err == nil && row+int64(n) > maxRowsPerByte*size {
				err = fmt.Errorf("more than %d rows in %d bytes: too few bytes for that many different positions", row, size)
			}
			for i := 0; i < n && err == nil; i++ {
				for c, at := range places {
					values[c] = cols[at].texts[i]
				}
				err = each(fmt.Sprintf(": row %d", row), values)
				row++
			}
			return err
		})
	})
}

// maxRowsPerByte exceeds what any table of boards needs, however repetitive. A hostile file can
// claim endless repetitions of a value in a few bytes.
const maxRowsPerByte = 16

// placesOf finds columns by name.
func placesOf(in, names []string) ([]int, error) {
	places := make([]int, len(names))
	for i, name := range names {
		if places[i] = slices.Index(in, name); places[i] < 0 {
			return nil, fmt.Errorf("there is no column %q: it has %.200s", name, strings.Join(in, ", "))
		}
	}
	return places, nil
}

var (
	errTruncated = errors.New("the decoder has ended early") // its output has no end message
	errIdle      = errors.New("the decoder sends nothing")
)

// askChild is read in a new child.
func (o request) askChild(outer context.Context, f source, each eachCells) (d description, err error) {
	size, err := f.Seek(0, io.SeekEnd)
	if err != nil {
		return d, err
	}
	self, err := os.Executable()
	if err != nil {
		return d, err
	}
	ctx, kill := context.WithCancelCause(outer)
	defer kill(nil)
	cmd := exec.CommandContext(ctx, self)
	cmd.Env, cmd.WaitDelay = append(os.Environ(), decoderEnv+"=1"), 5*time.Second // time for its error output
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return d, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return d, err
	}
	if err := cmd.Start(); err != nil {
		return d, fmt.Errorf("cannot start a process that decodes it: %w", err)
	}
	o.Memory = childMemory + memoryPerByte*size
	_ = gob.NewEncoder(in).Encode(o) // if the child does not read it, its output ends early
	idle := time.AfterFunc(childTimeout, func() { kill(errIdle) })
	d, err = messages(gob.NewDecoder(bufio.NewReaderSize(out, 1<<16)), func(place string, cells []string) error {
		idle.Stop()
		defer idle.Reset(childTimeout)
		return each(place, cells)
	})
	idle.Stop()
	silent := errors.Is(context.Cause(ctx), errIdle)
	kill(nil)
	in.Close()
	switch ended := cmd.Wait(); {
	case outer.Err() != nil && !errors.Is(err, errEnough):
		return d, context.Cause(outer)
	case silent:
		return d, fmt.Errorf("the library that reads it made no progress for %v; write the file again with another program, or as CSV", childTimeout)
	case errors.Is(err, errTruncated):
		return d, exitError(ended, stderr.String(), o.Memory)
	}
	return d, err
}

// messages passes on a child's rows up to its end message.
func messages(from *gob.Decoder, each eachCells) (d description, err error) {
	for {
		var m message
		switch err := from.Decode(&m); {
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

// exitError explains by a child's error output why it exited early.
func exitError(ended error, output string, limit int64) error {
	for line := range strings.Lines(output) {
		line = strings.TrimSpace(line)
		switch {
		case strings.Contains(line, "out of memory") || strings.Contains(line, "cannot allocate memory"):
			return fmt.Errorf("the library that reads it asks for more than %d MiB of memory; write the file again in smaller row groups or batches", limit>>20)
		case strings.HasPrefix(line, "panic: ") || strings.HasPrefix(line, "fatal error: "):
			return fmt.Errorf("the library that reads it fails: %.200s", line)
		}
	}
	last, _, _ := strings.Cut(output, "\n")
	return fmt.Errorf("the process that decodes it ended early (%v; %.200s)", ended, last)
}

// A decoder must take over before the rest of the program starts, also in test binaries.
func init() {
	if os.Getenv(decoderEnv) != "" {
		os.Exit(runDecoder())
	}
}

// runDecoder serves the request on standard input and exits when that is closed, so a child never
// outlives its parent.
func runDecoder() int {
	in, out := bufio.NewReader(os.Stdin), bufio.NewWriterSize(os.Stdout, 1<<16)
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
	decoded, end := gob.NewEncoder(out), message{End: true}
	var err error
	end.Description, err = o.serve(decoded)
	if err != nil {
		end.Err = err.Error()
	}
	if errors.Join(decoded.Encode(end), out.Flush()) != nil {
		return 1
	}
	return 0
}

// exitBeyond exits soon after the program uses more memory.
func exitBeyond(most int64) {
	for range time.Tick(10 * time.Millisecond) {
		var m runtime.MemStats
		if runtime.ReadMemStats(&m); m.Sys-m.HeapReleased > uint64(most) {
			fmt.Fprintln(os.Stderr, "out of memory")
			os.Exit(1)
		}
	}
}

// serve sends the wanted rows, or returns the description.
func (o request) serve(to *gob.Encoder) (d description, err error) {
	format, f, err := o.open()
	if err != nil {
		return d, err
	}
	defer f.Close()
	return o.decode(context.Background(), format, f, func(place string, cells []string) error {
		for _, cell := range cells {
			if len(cell) > maxCell {
				return fmt.Errorf("%s: a text of %d bytes: expected at most %d", place, len(cell), maxCell)
			}
		}
		return to.Encode(message{Place: place, Cells: cells})
	})
}
