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
	decoded, end := gob.NewEncoder(out), message{End: true}
	err := limitMemory(o.Memory)
	if err == nil {
		end.Description, err = o.serve(decoded)
	}
	if err != nil {
		end.Err = err.Error()
	}
	if errors.Join(decoded.Encode(end), out.Flush()) != nil {
		return 1
	}
	return 0
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
