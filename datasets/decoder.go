package datasets

import (
	"bufio"
	"context"
	"encoding/gob"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime/debug"
	"slices"

	"kroo/internal/vfs"
)

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
	s := sender{out: gob.NewEncoder(out)}
	err := limitMemory(o.Memory)
	if err == nil {
		err = o.serve(&s)
	}
	end := message{End: true}
	if err != nil {
		end.Err = err.Error()
	}
	if errors.Join(s.flush(), s.out.Encode(end), out.Flush()) != nil {
		return 1
	}
	return 0
}

// serve serves the request.
func (o request) serve(s *sender) error {
	format, err := formatOf(o.Path)
	if err != nil {
		return err
	}
	f, err := vfs.Open(o.Path)
	if err != nil {
		return err
	}
	defer f.Close()
	return opened(context.Background(), format, f, func(in contents, _ *budget) error {
		if o.Names != nil {
			return in.cells(o.Names, s.row)
		}
		about, err := in.describe()
		if err != nil {
			return err
		}
		return s.out.Encode(message{Description: about})
	})
}

// sender sends rows in batches.
type sender struct {
	out   *gob.Encoder
	some  []sentRow
	bytes int
}

// row sends cells, nil for a bad row.
func (s *sender) row(place string, cells []string) error {
	for _, cell := range cells {
		if s.bytes += len(cell); len(cell) > maxCell {
			return fmt.Errorf("%s: a text of %d bytes: expected at most %d", place, len(cell), maxCell)
		}
	}
	if s.some = append(s.some, sentRow{place, slices.Clone(cells)}); len(s.some) < sentRows && s.bytes < sentBytes {
		return nil
	}
	return s.flush()
}

func (s *sender) flush() error {
	if len(s.some) == 0 {
		return nil
	}
	err := s.out.Encode(message{Rows: s.some})
	s.some, s.bytes = s.some[:0], 0
	return err
}
