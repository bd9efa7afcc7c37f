package uci

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
)

// line is one line of the input, or its end.
type line struct {
	text    string
	piece   int   // the number of the Read that its first byte came with
	more    bool  // others came with it, and follow
	tooLong bool  // longer than maxLine: thrown away
	last    bool  // the input has ended
	err     error // why, if not by its plain end
}

// readLines reads from a goroutine of its own, because a Read cannot be called
// off, until the input ends or over is closed. Lines that came together are handed out
// together.
func readLines(in io.Reader, over <-chan struct{}) <-chan []line {
	lines := make(chan []line)
	go func() {
		piece, r := 0, bufio.NewReader(in)
		for err := error(nil); err == nil; {
			var came []line
			for more := true; more; {
				if r.Buffered() == 0 {
					piece++
				}
				var l line
				l, err = readLine(r)
				waiting, _ := r.Peek(r.Buffered())
				more = err == nil && bytes.IndexByte(waiting, '\n') >= 0
				if l.piece, l.more = piece, more; l.text != "" || l.tooLong {
					came = append(came, l)
				}
			}
			if err != nil {
				end := line{last: true}
				if !errors.Is(err, io.EOF) {
					end.err = err
				}
				came = append(came, end)
			}
			select {
			case lines <- came:
			case <-over:
				return
			}
		}
	}()
	return lines
}

// readLine reads to the end of the line and keeps maxLine bytes at most. The
// text before an error counts as a line.
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
