//go:build unix

package commands

import (
	"bufio"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"kroo/internal/testkit"
)

// service is a running uci command.
type service struct {
	cmd *exec.Cmd
	in  io.WriteCloser
	out *bufio.Reader
}

// served starts a uci command and waits until it answers.
func served(t *testing.T, cmd *exec.Cmd) service {
	t.Helper()
	in := testkit.Must(cmd.StdinPipe())(t)
	out := testkit.Must(cmd.StdoutPipe())(t)
	testkit.NoError(t, cmd.Start())
	t.Cleanup(func() { cmd.Process.Kill() })
	s := service{cmd, in, bufio.NewReader(out)}
	if !s.answers() {
		t.Fatal("the service does not answer")
	}
	return s
}

// answers reports whether the service answers readyok.
func (s service) answers() bool {
	io.WriteString(s.in, "isready\n") // a service that has ended does not answer
	line, _ := s.out.ReadString('\n')
	return strings.TrimSpace(line) == "readyok"
}

func TestHangUpStopsCleanly(t *testing.T) {
	t.Parallel()
	// A child inherits an ignored signal, as if the tests run under nohup, but not a caught one.
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, syscall.SIGHUP)
	defer signal.Stop(caught)
	for _, sig := range []os.Signal{syscall.SIGHUP, syscall.SIGTERM, os.Interrupt} {
		s := served(t, command(t.TempDir(), "uci"))
		s.cmd.Process.Signal(sig)
		s.cmd.Wait() // the exit code is checked
		testkit.Equal(t, s.cmd.ProcessState.ExitCode(), exitFailed, "%v: %v, want exit", sig, s.cmd.ProcessState)
	}
}

func TestHangUpUnderNohupIsIgnored(t *testing.T) {
	t.Parallel()
	cmd := command(t.TempDir(), "uci")
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `trap "" HUP; exec "$0" "$@"`}, cmd.Args...)
	s := served(t, cmd)
	s.cmd.Process.Signal(syscall.SIGHUP)
	if !s.answers() {
		t.Error("the service has ended: want it to continue")
	}
	s.in.Close()
	testkit.NoError(t, s.cmd.Wait())
}
