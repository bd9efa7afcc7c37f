package client

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"kroo/internal/testkit"
)

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
		child, _ = strconv.Atoi(p.process.stderr.get())
		return strconv.FormatBool(child != 0)
	})
	if child == 0 || !runs(child) {
		t.Fatalf("child %d does not run", child)
	}
	p.Close()
	waitFor(t, "false", func() string { return strconv.FormatBool(runs(child)) })
}
