// Package input reads the input of a service line by line, and ends with a context: a Read
// cannot be called off.
package input

import (
	"bufio"
	"context"
	"fmt"
	"io"
)

// Lines calls take for each line, one at a time and without its end, until take says that it
// was the last or fails, or the input or the context ends. The error is that of take, of the
// input, or of the context; one of a line longer than the longest, in bytes, says so.
//
// The goroutine that reads stays in a last Read where the input does not end.
func Lines(ctx context.Context, in io.Reader, longest int, take func(text string) (last bool, err error)) error {
	texts, over := make(chan string), make(chan struct{})
	defer close(over)
	read := bufio.NewScanner(in)
	read.Buffer(nil, longest)
	go func() {
		defer close(texts)
		for read.Scan() {
			select {
			case texts <- read.Text():
			case <-over:
				return
			}
		}
	}()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case text, more := <-texts:
			if !more {
				if err := read.Err(); err != nil {
					return fmt.Errorf("line %d: %w", n, err)
				}
				return nil
			}
			if last, err := take(text); last || err != nil {
				return err
			}
		}
	}
}
