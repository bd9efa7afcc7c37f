package client

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// maxLine is the maximum length of a program's line, in bytes.
const maxLine = 64 << 10

// Line is a line of text, or the end of the input.
type Line struct {
	Text    string // without blanks around it; its start, if TooLong
	TooLong bool
	Err     error // what ended the input: io.EOF or a read error
}

// ReadLines returns the lines of r that are not empty, in batches of those that arrived together,
// since each send wakes the receiver; the last one has the error that ends the input. It reads until
// then, or until over is closed, in a goroutine, as a Read cannot be cancelled. It does not read ahead
// of the receiver, so that a flood stays in the pipe and blocks its writer. Of a line longer than
// longest bytes only the start is returned, at once.
func ReadLines(r io.Reader, longest int, over <-chan struct{}) <-chan []Line {
	lines := make(chan []Line)
	in := lineReader{bufio.NewReaderSize(r, 4096), longest, false}
	go func() {
		defer close(lines)
		for l := (Line{}); l.Err == nil; {
			var batch []Line
			for more := true; more; more = l.Err == nil && in.waits() {
				if l = in.read(); l.Text != "" || l.TooLong {
					batch = append(batch, Line{l.Text, l.TooLong, nil})
				}
			}
			if l.Err != nil {
				batch = append(batch, Line{Err: l.Err})
			}
			if len(batch) == 0 {
				continue
			}
			select {
			case lines <- batch:
			case <-over:
				return
			}
		}
	}()
	return lines
}

// lineReader reads lines.
type lineReader struct {
	*bufio.Reader
	longest int
	skips   bool // the rest of a line that was too long
}

// waits reports whether a line can be read without waiting.
func (in *lineReader) waits() bool {
	waiting, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(waiting, '\n') >= 0
}

// read reads to the end of a line, or until the line is too long.
func (in *lineReader) read() (l Line) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		ended := !errors.Is(err, bufio.ErrBufferFull)
		if text = append(text, part...); in.skips {
			text, in.skips = nil, !ended
		}
		if l.Err = err; !ended {
			l.Err = nil
		}
		if len(text) > in.longest {
			in.skips = !ended
			return Line{strings.TrimSpace(string(text[:80])), true, l.Err}
		}
		if ended {
			l.Text = strings.TrimSpace(string(text))
			return l
		}
	}
}

// readable reports whether a line is text: no control characters except tabs.
func readable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && unicode.IsControl(r) })
}

// quoted returns the start of a line, made printable for a message.
func quoted(text string) string {
	const longest = 60
	text = strings.Map(func(r rune) rune {
		if r == utf8.RuneError || !unicode.IsPrint(r) {
			return '?'
		}
		return r
	}, strings.ToValidUTF8(text, "?"))
	if len(text) > longest {
		text = strings.ToValidUTF8(text[:longest], "") + "…"
	}
	return "\"" + text + "\""
}

// lastLine keeps the last line written to it: often the reason of a crash.
type lastLine struct {
	mu   sync.Mutex
	text string
}

func (l *lastLine) readFrom(r io.Reader) {
	for batch := range ReadLines(r, maxLine, nil) {
		for _, got := range batch {
			if got.Text != "" {
				l.mu.Lock()
				l.text = got.Text
				l.mu.Unlock()
			}
		}
	}
}

func (l *lastLine) get() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}
