package uci

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// line is a line of the input, or its end.
type line struct {
	text    string
	piece   int   // number of the Read that returned its first byte
	more    bool  // more lines of the same Read follow
	tooLong bool  // longer than maxLine: dropped
	last    bool  // end of the input
	err     error // read error other than io.EOF
}

// readLines reads in a separate goroutine, because a Read cannot be cancelled, until the input
// ends or done is closed. Lines from one Read are delivered together.
func readLines(in io.Reader, done <-chan struct{}) <-chan []line {
	lines := make(chan []line)
	go func() {
		piece, r := 0, bufio.NewReader(in)
		for err := error(nil); err == nil; {
			var batch []line
			for more := true; more; {
				if r.Buffered() == 0 {
					piece++
				}
				var l line
				l, err = readLine(r)
				waiting, _ := r.Peek(r.Buffered())
				more = err == nil && bytes.IndexByte(waiting, '\n') >= 0
				if l.piece, l.more = piece, more; l.text != "" || l.tooLong {
					batch = append(batch, l)
				}
			}
			if err != nil {
				end := line{last: true}
				if !errors.Is(err, io.EOF) {
					end.err = err
				}
				batch = append(batch, end)
			}
			select {
			case lines <- batch:
			case <-done:
				return
			}
		}
	}()
	return lines
}

// readLine reads up to the end of the line. Lines longer than maxLine are dropped. Text before an
// error counts as a line.
func readLine(r *bufio.Reader) (line, error) {
	var text strings.Builder
	long := false
	for {
		part, err := r.ReadSlice('\n')
		if long = long || text.Len()+len(part) > maxLine; !long {
			text.Write(part)
		}
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if long {
			return line{tooLong: true}, err
		}
		return line{text: strings.TrimSpace(text.String())}, err
	}
}
