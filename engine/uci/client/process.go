package client

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"slices"
	"strings"
	"sync"
	"time"
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
	stderr  lastLine      // its last error output
	silent  chan struct{} // closed at the end of stderr
	over    chan struct{} // closed to end the reading
	exited  chan struct{} // closed when the process has ended
	status  error         // exit status, once exited is closed
	readers sync.WaitGroup
	pipes   []*os.File // our ends
}

// run starts a program.
func run(c Command) (*process, error) {
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
	p.in, p.pipes = in, []*os.File{in, out, complaints}
	err := errors.Join(err1, err2, err3)
	if err == nil {
		p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = stdin, stdout, stderr
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
		p.stderr.readFrom(complaints)
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
	if l, p.pending = p.pending[0], p.pending[1:]; l.Err != nil {
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
func (p *process) death() *misdeed {
	how := "closed its output"
	if p.awaitExit() {
		how = "exit status 0"
		if p.status != nil {
			how = p.status.Error()
		}
	}
	// The last words may still be in the pipe, and a process that the program left behind may keep
	// it open.
	select {
	case <-p.silent:
	case <-time.After(p.grace):
	}
	if last := p.stderr.get(); last != "" {
		how += ", " + quoted(last)
	}
	return fault(kindCrashed, "%s", how)
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
		list = append(list, strings.Trim(quoted(strings.TrimSpace(line)), `"`))
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
