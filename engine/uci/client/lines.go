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

// line is a line of a program's output.
type line struct {
	text    string
	tooLong bool // the text is truncated
}

// readLines sends the lines of r until it ends or over is closed, those that arrived together in one
// batch, since each send wakes the receiver. It does not read ahead of the receiver, so that a flood
// of output stays in the pipe and blocks the program.
func readLines(r io.Reader, lines chan<- []line, over <-chan struct{}) {
	defer close(lines)
	in := bufio.NewReaderSize(r, 4096)
	for err := error(nil); err == nil; {
		var came []line
		for more := true; more; more = err == nil && lineWaits(in) {
			var l line
			if l, err = readLine(in); l.text != "" {
				came = append(came, l)
			}
		}
		if len(came) > 0 {
			select {
			case lines <- came:
			case <-over:
				return
			}
		}
	}
}

// lineWaits reports whether a line can be read without waiting.
func lineWaits(in *bufio.Reader) bool {
	waiting, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(waiting, '\n') >= 0
}

// readLine reads to the end of a line and keeps at most maxLine bytes of it, with tabs replaced by
// spaces. It returns an endless line when it is too long.
func readLine(in *bufio.Reader) (line, error) {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		text = append(text, part...)
		if len(text) > maxLine {
			return line{string(text[:80]), true}, err
		}
		if !errors.Is(err, bufio.ErrBufferFull) {
			return line{text: strings.TrimSpace(strings.ReplaceAll(string(text), "\t", " "))}, err
		}
	}
}

// readable reports whether a line is text: no control characters except tabs.
func (l line) readable() bool {
	return utf8.ValidString(l.text) && !strings.ContainsFunc(l.text, func(r rune) bool { return r != '\t' && unicode.IsControl(r) })
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

// lastLine keeps the last non-empty line written to it: often the reason of a crash.
type lastLine struct {
	mu   sync.Mutex
	text string
}

func (l *lastLine) readFrom(r io.Reader) {
	for in := bufio.NewReaderSize(r, 4096); ; {
		got, err := readLine(in)
		if got.text != "" {
			l.mu.Lock()
			l.text = got.text
			l.mu.Unlock()
		}
		if err != nil {
			return
		}
	}
}

func (l *lastLine) get() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text
}
