package client

import (
	"bufio"
	"errors"
	"os"
	"os/exec"
	"runtime"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kroo/games/oware"
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

// openFiles counts the file descriptors of this process.
func openFiles(t *testing.T) int {
	t.Helper()
	files := testkit.Must(os.ReadDir("/proc/self/fd"))(t)
	return len(files)
}

// runs reports whether a process is there and no zombie.
func runs(pid int) bool {
	if err := syscall.Kill(pid, 0); errors.Is(err, syscall.ESRCH) {
		return false
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && !strings.Contains(string(stat), ") Z ")
}

func TestChildProcessesEndWithProgram(t *testing.T) {
	t.Parallel()
	p := start(t, fakeCommand("leaves a child"))
	if _, err := p.Search(t.Context(), newGame(), Limits{Depth: 1}, nil); err != nil {
		t.Fatal(err)
	}
	var child int
	waitFor(t, "true", func() string {
		child, _ = strconv.Atoi(p.process.lastWords())
		return strconv.FormatBool(child != 0)
	})
	if child == 0 || !runs(child) {
		t.Fatalf("child %d does not run", child)
	}
	p.Close()
	waitFor(t, "false", func() string { return strconv.FormatBool(runs(child)) })
}

func TestNothingLeaks(t *testing.T) {
	useOnce(t, "none") // the first one makes the runtime open its poller, for good
	filesBefore := openFiles(t)
	for _, fault := range []string{"none", "crash", "hang", "flood", "endless line", "ignores quit", "closes its output"} {
		useOnce(t, fault)
	}
	waitFor(t, "", goroutinesOfPrograms)
	if n := openFiles(t); n > filesBefore {
		t.Errorf("%d open files, %d before", n, filesBefore)
	}
}

// useOnce asks a program with a fault for a move, and closes it.
func useOnce(t *testing.T, fault string) {
	t.Helper()
	c := fakeCommand(fault)
	c.Hang, c.grace = 20*time.Millisecond, 100*time.Millisecond
	p := New(oware.Descriptor(), c)
	testkit.NoError(t, p.Run(t.Context()))
	pid := p.process.cmd.Process.Pid
	_, _ = p.Search(t.Context(), newGame(), Limits{Depth: 1}, nil) // whatever comes of it
	p.Close()
	p.Close()
	if runs(pid) {
		t.Errorf("%s: process %d still runs", fault, pid)
	}
}

// goroutinesOfPrograms are the stacks of the goroutines that run starts.
func goroutinesOfPrograms() string {
	stacks := make([]byte, 1<<20)
	stacks = stacks[:runtime.Stack(stacks, true)]
	var ours []string
	for g := range strings.SplitSeq(string(stacks), "\n\n") {
		if strings.Contains(g, "uci/client.run.func") || strings.Contains(g, "uci/client.ReadLines.func") {
			ours = append(ours, g)
		}
	}
	return strings.Join(ours, "\n\n")
}
