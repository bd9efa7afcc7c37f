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

// defaultGrace is how long a program may take to do what needs no thinking: to stop,
// to end.
const defaultGrace = time.Second

// process is a running program with its three pipes.
type process struct {
	cmd     *exec.Cmd
	grace   time.Duration
	in      *os.File      // its input
	lines   chan []line   // its output, as many lines as there were; closed at its end
	heard   []line        // of it, to be handed out next
	stderr  lastLine      // its complaints
	silent  chan struct{} // closed when there are no more of them
	over    chan struct{} // closed to end the reading
	exited  chan struct{} // closed when it has ended
	status  error         // how, once exited is closed
	readers sync.WaitGroup
	pipes   []*os.File // our ends
}

// run starts a program.
func run(c Command) (*process, error) {
	p := &process{
		cmd:    exec.Command(c.Path, c.Args...),
		grace:  cmp.Or(c.grace, defaultGrace),
		lines:  make(chan []line),
		over:   make(chan struct{}),
		exited: make(chan struct{}),
		silent: make(chan struct{}),
	}
	p.cmd.Dir = c.Dir
	ownGroup(p.cmd)
	// Pipes of our own: they have deadlines, and waiting for the program does
	// not wait for what it has started and left behind.
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
		err = fmt.Errorf("cannot start %s: %v", c.Path, failed.Err) // without the name of the call
	}
	if err != nil {
		closeAll(p.pipes)
		return nil, err
	}
	p.readers.Go(func() { readLines(out, p.lines, p.over) })
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

// write sends text, unless the program does not take it in time.
func (p *process) write(text string, limit time.Duration) error {
	// An error here means that there are no deadlines on this system.
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

// next waits for a line. Lines that came together are handed out without a look at the
// timer.
func (p *process) next(off <-chan struct{}, timer <-chan time.Time) (l line, why event) {
	if len(p.heard) == 0 {
		select {
		case <-off:
			return l, calledOff
		case <-timer:
			return l, timeUp
		case lines, more := <-p.lines:
			if !more {
				return l, atEnd
			}
			p.heard = lines
		}
	}
	l, p.heard = p.heard[0], p.heard[1:]
	return l, aLine
}

// end asks the program to quit, ends it and what it started, and gives back
// everything that it took. politely is false if it is past asking.
func (p *process) end(politely bool) {
	if politely && p.write("quit\n", p.grace) == nil {
		p.in.Close()
		p.awaitExit()
	}
	killGroup(p.cmd)
	<-p.exited
	close(p.over)
	closeAll(p.pipes) // ends the reading even where somebody still holds the other end
	p.readers.Wait()
}

// awaitExit gives a program that is about to end the time to do so. A flood
// must not keep it from ending.
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

// death says how a program ended whose output has ended.
func (p *process) death() *misdeed {
	how := "closed its output"
	if p.awaitExit() {
		how = "exit status 0"
		if p.status != nil {
			how = p.status.Error()
		}
	}
	// The last words may still be in the pipe, and what the program has left behind
	// may hold it open.
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
type transcript struct {
	last [8]string
	n    int // lines so far
}

// add takes a line from the program, or with a mark one to it.
func (t *transcript) add(mark, line string) {
	t.last[t.n%len(t.last)] = mark + line
	t.n++
}

// lines are the lines, the oldest first, each short and printable.
func (t *transcript) lines() (list []string) {
	for i := max(0, t.n-len(t.last)); i < t.n; i++ {
		list = append(list, strings.Trim(quoted(strings.TrimSpace(t.last[i%len(t.last)])), `"`))
	}
	return list
}

// lastWords are what a program that did not start has said, for the end of a message.
func (c *Client[P]) lastWords() string {
	said := slices.DeleteFunc(c.Transcript(), func(line string) bool { return strings.HasPrefix(line, "> ") })
	if len(said) == 0 {
		return ""
	}
	text := "; it said: " + strings.Join(said, " | ")
	if c.command.Protocol == UCI && slices.ContainsFunc(said, speaksXBoard) {
		text += "; does it speak xboard, not UCI?"
	}
	return text
}

// speaksXBoard reports whether a line is how programs of the xboard protocol, for whom uci is
// a move or a command, answer it.
func speaksXBoard(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{"unknown command", "illegal move", "invalid move", "bad move", "xboard", "feature "},
		func(sign string) bool { return strings.Contains(line, sign) })
}
