package uci

import (
	"bufio"
	"errors"
	"io"
	"strings"
)

// line is one line of the input, or its end.
type line struct {
	text    string
	piece   int   // the number of the Read that its first byte came with
	tooLong bool  // longer than maxLine: thrown away
	last    bool  // the input has ended
	err     error // why, if not by its plain end
}

// readLines reads from a goroutine of its own, because a Read cannot be called
// off, until the input ends or over is closed.
func readLines(in io.Reader, over <-chan struct{}) <-chan line {
	lines := make(chan line)
	go func() {
		piece := 0
		for r := bufio.NewReader(in); ; {
			if r.Buffered() == 0 {
				piece++
			}
			l, err := readLine(r)
			l.piece = piece
			if l.text != "" || l.tooLong {
				select {
				case lines <- l:
				case <-over:
					return
				}
			}
			if err == nil {
				continue
			}
			if errors.Is(err, io.EOF) {
				err = nil
			}
			select {
			case lines <- line{last: true, err: err}:
			case <-over:
			}
			return
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
