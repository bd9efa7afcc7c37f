package client

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"kroo/internal/vfs"
)

// defaultGrace is the time limit for a program to stop or end, which takes no thinking.
const defaultGrace = time.Second

// process is a running program with its three pipes.
type process struct {
	cmd     *exec.Cmd
	grace   time.Duration
	in      *os.File      // its input
	lines   <-chan []Line // its output, in batches; closed at its end
	pending []Line        // lines not yet returned by next
	stderr  atomic.Value  // the last line of its error output, often the reason of a crash
	silent  chan struct{} // closed at the end of stderr
	over    chan struct{} // closed to end the reading
	exited  chan struct{} // closed when the process has ended
	status  error         // exit status, once exited is closed
	readers sync.WaitGroup
	pipes   []*os.File // our ends
}

// checkFolder refuses the folder of a program if it is missing, for which the system would blame the
// program.
func checkFolder(dir string) error {
	if dir == "" {
		return nil
	}
	info, err := vfs.Stat(dir)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !info.IsDir() {
		return fmt.Errorf("dir=%s: no such folder", dir)
	}
	return err
}

// run starts a program.
func run(c Command) (*process, error) {
	if err := checkFolder(c.Dir); err != nil {
		return nil, err
	}
	p := &process{
		cmd:    exec.Command(c.Path, c.Args...),
		grace:  cmp.Or(c.grace, defaultGrace),
		over:   make(chan struct{}),
		exited: make(chan struct{}),
		silent: make(chan struct{}),
	}
	p.cmd.Dir = c.Dir
	ownGroup(p.cmd)
	// Own pipes: they have deadlines, and waiting for the program does not wait for processes that
	// it started and left behind.
	stdin, in, err1 := os.Pipe()
	out, stdout, err2 := os.Pipe()
	complaints, stderr, err3 := os.Pipe()
	theirs := []*os.File{stdin, stdout, stderr}
	p.in = in
	p.pipes = []*os.File{in, out, complaints}
	err := errors.Join(err1, err2, err3)
	if err == nil {
		p.cmd.Stdin = stdin
		p.cmd.Stdout = stdout
		p.cmd.Stderr = stderr
		err = startCommand(p.cmd)
	}
	closeAll(theirs)
	if failed, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("cannot start %s: %v", c.Path, failed.Err) // without the name of the system call
	}
	if err != nil {
		closeAll(p.pipes)
		return nil, err
	}
	p.lines = ReadLines(out, maxLine, p.over)
	p.readers.Go(func() {
		for batch := range ReadLines(complaints, maxLine, nil) {
			for _, l := range batch {
				if l.Text != "" {
					p.stderr.Store(l.Text)
				}
			}
		}
		close(p.silent)
	})
	go func() {
		p.status = p.cmd.Wait()
		close(p.exited)
	}()
	return p, nil
}

func closeAll(files []*os.File) {
	for _, f := range files {
		if f != nil {
			f.Close()
		}
	}
}

// write sends text; it fails if the program does not read it within limit.
func (p *process) write(text string, limit time.Duration) error {
	// An error means that the system has no deadlines.
	_ = p.in.SetWriteDeadline(time.Now().Add(limit))
	_, err := p.in.WriteString(text)
	return err
}

// event ends the wait for a line.
type event int

const (
	aLine     event = iota
	atEnd           // the output has ended
	timeUp          // the timer has fired
	calledOff       // off is closed
)

// next waits for a line. Lines that arrived together are returned without checking the timer.
func (p *process) next(off <-chan struct{}, timer <-chan time.Time) (l Line, why event) {
	if len(p.pending) == 0 {
		select {
		case <-off:
			return l, calledOff
		case <-timer:
			return l, timeUp
		case lines, more := <-p.lines:
			if !more {
				return l, atEnd
			}
			p.pending = lines
		}
	}
	l, p.pending = p.pending[0], p.pending[1:]
	if l.Err != nil {
		return l, atEnd
	}
	l.Text = strings.ReplaceAll(l.Text, "\t", " ")
	return l, aLine
}

// end asks the program to quit, ends it and everything that it started, and frees its resources.
// politely is false if it is past asking.
func (p *process) end(politely bool) {
	if politely && p.write("quit\n", p.grace) == nil {
		p.in.Close()
		p.awaitExit()
	}
	killGroup(p.cmd)
	<-p.exited
	close(p.over)
	closeAll(p.pipes) // stops reading even if another process has the other end open
	p.readers.Wait()
}

// awaitExit gives a program time to end, and discards its output meanwhile, so that a full pipe does
// not block it.
func (p *process) awaitExit() bool {
	timer := time.NewTimer(p.grace)
	defer timer.Stop()
	lines := p.lines
	for {
		select {
		case <-p.exited:
			return true
		case <-timer.C:
			return false
		case _, more := <-lines:
			if !more {
				lines = nil
			}
		}
	}
}

// death describes the end of a program whose output has ended.
func (p *process) death() *protocolFault {
	what := kindCrashed
	how := "closed its output"
	switch {
	case !p.awaitExit():
	case p.status == nil:
		what = kindEnded
		how = "exit status 0"
	default:
		how = p.status.Error()
	}
	// The last words may still be in the pipe, and a process that the program left behind may keep
	// it open.
	select {
	case <-p.silent:
	case <-time.After(p.grace):
	}
	if last, said := p.stderr.Load().(string); said {
		how += ", " + quoteStart(last)
	}
	return fault(what, "%s", how)
}

// transcript keeps the last lines of the conversation with a program.
type transcript []string

// add adds a line from the program or, with a mark, to it.
func (t *transcript) add(mark, line string) {
	const most = 8
	*t = append((*t)[max(0, len(*t)+1-most):], mark+line)
}

// lines returns the lines, the oldest first, each shortened and printable.
func (t *transcript) lines() (list []string) {
	for _, line := range *t {
		list = append(list, strings.Trim(quoteStart(strings.TrimSpace(line)), `"`))
	}
	return list
}

// lastWords returns the output of a program that did not start, for the end of a message.
func (c *Client[P]) lastWords() string {
	output := slices.DeleteFunc(c.Transcript(), func(line string) bool { return strings.HasPrefix(line, "> ") })
	if len(output) == 0 {
		return ""
	}
	text := "; it said: " + strings.Join(output, " | ")
	if c.command.Protocol == UCI && slices.ContainsFunc(output, speaksXBoard) {
		text += "; does it speak xboard, not UCI?"
	}
	return text
}

// speaksXBoard reports whether a line is the reply of a program of the xboard protocol, which takes
// uci for a move or a command.
func speaksXBoard(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{"unknown command", "illegal move", "invalid move", "bad move", "xboard", "feature "},
		func(sign string) bool { return strings.Contains(line, sign) })
}

// maxLine is the maximum length of a program's line, in bytes. The rest of a longer line is skipped: no
// word of the protocol needs more, and a program may print what it likes in an info string.
const maxLine = 64 << 10

// Line is a line of text, or the end of the input.
type Line struct {
	Text    string // without blanks around it; the words at its start, if TooLong
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
	in := lineReader{Reader: bufio.NewReaderSize(r, 4096), longest: longest}
	go func() {
		defer close(lines)
		for l := (Line{}); l.Err == nil; {
			var batch []Line
			for more := true; more; more = l.Err == nil && in.waits() {
				l = in.read()
				if l.Text != "" || l.TooLong {
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
	inside  bool // a line that was too long, whose rest is to be skipped
}

// waits reports whether a line can be read without waiting.
func (in *lineReader) waits() bool {
	waiting, _ := in.Peek(in.Buffered())
	return bytes.IndexByte(waiting, '\n') >= 0
}

// read reads to the end of a line, or until the line is too long. After such a line it returns an empty
// one, at the end of the rest.
func (in *lineReader) read() Line {
	var text []byte
	for {
		part, err := in.ReadSlice('\n')
		atEnd := !errors.Is(err, bufio.ErrBufferFull)
		if !atEnd {
			err = nil
		}
		if !in.inside {
			text = append(text, part...)
		}
		if len(text) > in.longest {
			in.inside = !atEnd
			return Line{Text: startOf(text, in.longest), TooLong: true, Err: err}
		}
		if atEnd {
			in.inside = false
			return Line{Text: strings.TrimSpace(string(text)), Err: err}
		}
	}
}

// startOf returns the words in the first bytes of a longer text. A word that is cut is left out, since half
// a number is another number; a text of one word is cut.
func startOf(text []byte, longest int) string {
	text = bytes.TrimLeft(text[:longest+1], " \t")
	if blank := bytes.LastIndexAny(text, " \t\r\n"); blank >= 0 {
		return string(bytes.TrimSpace(text[:blank]))
	}
	return string(text[:min(len(text), longest)])
}

// readable reports whether a line is text: no control characters except tabs.
func readable(text string) bool {
	return utf8.ValidString(text) && !strings.ContainsFunc(text, func(r rune) bool { return r != '\t' && unicode.IsControl(r) })
}

// quoteStart returns the start of a line, made printable for a message.
func quoteStart(text string) string {
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
