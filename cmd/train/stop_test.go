//go:build unix

package main

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"maps"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"

	"kroo/commands"
	"kroo/internal/testkit"
)

// stoppedLines are command lines that take long or wait, by command. Other commands run their first
// line of the attack, and print to a full pipe.
var stoppedLines = map[string]string{
	"analyse":          "analyse short.ogn --nodes 1000000000 -o out.ogn",
	"bench":            "bench --full-width --depth 40",
	"book deepen":      "book deepen book.bin --nodes 1000000000 -o out.bin",
	"book expand":      "book expand --expansions 1000000 -o out.bin",
	"endgame build":    "endgame build --rules abapa --seeds 12 -o tables",
	"engine check":     "engine check cmd=./engine",
	"farm status":      "farm status nats://SILENT",
	"farm worker":      "farm worker nats://SILENT",
	"label":            "label positions.parquet -o out.parquet --nodes 1000000000",
	"match":            "match --pairs 100000 --nodes 100000",
	"match openings":   "match openings --plies 8 --nodes 100000000 -o out.ogn",
	"match tournament": "match tournament captures thesis4 --pairs 100000 --nodes 100000 -o out.ogn",
	"perft":            "perft --depth 30",
	"run":              "run --dir out --preset thesis",
	"sample":           "sample --method games --n 100000 --nodes 100000 -o out.parquet",
	"serve":            "serve",
	"study accuracy":   "study accuracy --nodes 100000000",
	"study algorithms": "study algorithms",
	"study orders":     "study orders",
	"study othello":    "study othello squares.json",
	"tune":             "tune tune.toml --player cmd=./engine --nodes 1000000 --iterations 100000 -o out.json",
	"weights export":   "weights export weights.json",
}

// The first signal ends every command within two seconds.
func TestTheFirstSignalEndsEveryCommand(t *testing.T) {
	t.Parallel()
	setup := copyOf(t, "", slices.Concat(attackSetup, []string{
		"sample --game othello --n 60 -o othello.parquet",
		"label othello.parquet -o othello-labels.parquet --nodes 50 --hash 1",
		"features othello-labels.parquet -o squares.parquet --set squares",
		"fit squares.parquet -o squares.json",
	})...)
	silent, err := net.Listen("tcp", "127.0.0.1:0") // accepts connections, and sends nothing
	testkit.NoError(t, err)
	t.Cleanup(func() { silent.Close() })
	root, lines := commands.Tree(), maps.Clone(stoppedLines)
	for _, a := range attackLines() {
		cmd, _, err := root.Find(strings.Fields(a.line))
		testkit.NoError(t, err)
		lines[pathOf(cmd)] = cmp.Or(lines[pathOf(cmd)], a.line)
	}
	walkCommands(root, func(c *cobra.Command) {
		name := pathOf(c)
		line := strings.ReplaceAll(cmp.Or(lines[name], name), "SILENT", silent.Addr().String())
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			stops(t, (&attack{T: t, setup: setup}).fresh, line)
		})
	})
}

// stops runs a command that does not end by itself, each time in a fresh folder, and sends it a signal. A
// process that the signal kills had not begun to catch it: the next one gets more processor time before its
// signal. Every process must end by itself, and one of three in time: other tests may keep one from the
// processor.
func stops(t *testing.T, fresh func() string, line string) {
	t.Helper()
	start := 20 * time.Millisecond
	for late := 0; late < 3; {
		state, took, complaint := stopOnce(t, fresh(), line, start)
		if isKilledBy(state, syscall.SIGTERM) && start < time.Second {
			start *= 4
			continue
		}
		if state.ExitCode() != exitFailed {
			t.Errorf("train %s: %v, %v after the signal, printed %s: want exit %d", line, state, took, complaint, exitFailed)
			return
		}
		if took <= stopWithin+time.Second {
			return
		}
		late++
		t.Logf("train %s: ended %v after the signal", line, took)
	}
	t.Errorf("train %s: ended late three times: want an end within two seconds", line)
}

// stopWithin is how long the program lets a command take to stop.
const stopWithin = 1600 * time.Millisecond

// stopOnce sends a signal to a command that has used the processor for a time. It returns how long the
// command took to end, and what it printed.
func stopOnce(t *testing.T, dir, line string, start time.Duration) (state *os.ProcessState, took time.Duration, complaint string) {
	t.Helper()
	cmd := command(dir, strings.Fields(line)...)
	cmd.Env = append(cmd.Env, "GOMAXPROCS=1") // other tests run in parallel
	stdin, err := cmd.StdinPipe()             // stays empty
	testkit.NoError(t, err)
	defer stdin.Close()
	unread, full := fullPipe(t)
	defer unread.Close()
	var errs bytes.Buffer
	cmd.Stdout, cmd.Stderr = full, &errs
	testkit.NoError(t, cmd.Start())
	full.Close()
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	began := time.Now()
	isWorking := func() bool {
		used, waited := processorTime(cmd.Process.Pid), time.Since(began)
		// A process on a busy machine may not have started for a second.
		return used >= max(start, 300*time.Millisecond) || waited >= time.Second && used >= start || waited >= 5*time.Second
	}
	for !isWorking() {
		select {
		case <-ended:
			t.Fatalf("train %s: %v by itself, printed %s: want it to be running", line, cmd.ProcessState, &errs)
		case <-time.After(20 * time.Millisecond):
		}
	}
	cmd.Process.Signal(syscall.SIGTERM)
	asked := time.Now()
	select {
	case <-ended:
	case <-time.After(10 * time.Second):
		cmd.Process.Kill()
		<-ended
	}
	return cmd.ProcessState, time.Since(asked), errs.String()
}

// processorTime returns the processor time of a process, or 0 if the system does not report it.
func processorTime(pid int) time.Duration {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	fields := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	user, _ := strconv.Atoi(fields[11]) // both are numbers, as proc(5) has it
	system, _ := strconv.Atoi(fields[12])
	const tick = time.Second / 100
	return time.Duration(user+system) * tick
}

// fullPipe returns a pipe that accepts no more bytes.
func fullPipe(t *testing.T) (r, w *os.File) {
	t.Helper()
	r, w, err := os.Pipe()
	testkit.NoError(t, err)
	for err == nil { // each write has its own deadline, because other tests run in parallel
		if err = w.SetWriteDeadline(time.Now().Add(50 * time.Millisecond)); err == nil {
			_, err = w.Write(make([]byte, 1<<12))
		}
	}
	if !errors.Is(err, os.ErrDeadlineExceeded) {
		t.Fatal(err)
	}
	return r, w
}

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
