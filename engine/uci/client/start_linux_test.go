package client

import (
	"bufio"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"time"

	"kroo/internal/testkit"
)

func TestAProgramEndsWhenItsParentIsKilled(t *testing.T) {
	t.Parallel()
	cmd := exec.Command(os.Args[0], asFake, "parent")
	out := testkit.Must(cmd.StdoutPipe())(t)
	testkit.NoError(t, cmd.Start())
	text, _ := bufio.NewReader(out).ReadString('\n')
	child, err := strconv.Atoi(strings.TrimSpace(text))
	if err != nil || !runs(child) {
		t.Fatalf("parent printed %q: want the number of a process that runs", text)
	}
	testkit.NoError(t, cmd.Process.Kill())
	cmd.Wait() // it was killed
	waitFor(t, "false", func() string { return strconv.FormatBool(runs(child)) })
}

// The system would end a program with the thread that has started it.
func TestAProgramOutlivesTheThreadThatAskedForIt(t *testing.T) {
	t.Parallel()
	started := make(chan *process, 1)
	go func() {
		runtime.LockOSThread() // and never unlocked: the thread ends with this goroutine
		p, err := run(fakeCommand("says nothing"))
		if err != nil {
			t.Error(err)
		}
		started <- p
	}()
	p := <-started
	if p == nil {
		t.FailNow()
	}
	defer p.end(false)
	select {
	case <-p.exited:
		t.Error("the program ended: ", p.status)
	case <-time.After(300 * time.Millisecond):
	}
}
