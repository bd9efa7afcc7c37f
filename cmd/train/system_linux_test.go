package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
	"unicode/utf8"
	"unsafe"

	"kroo/internal/testkit"
)

// What only Linux has: free memory, limits of the address space, /dev/full, programs without a file.

// Tables of 64 TiB fit into no machine.
func TestHashTablesThatDoNotFitAreRefused(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good(t, dir, "sample", "--n", "60", "-o", "p.parquet")
	for _, line := range []string{
		"label p.parquet -o l.parquet --nodes 100 --hash 65536 --workers 1024",
		"sample --method games --n 50 --hash 65536 --workers 1024 -o g.parquet",
		"match --pairs 1024 --nodes 100 --hash 65536 --workers 1024",
		"match openings --nodes 100 --hash 65536 --workers 1024 -o o.ogn",
		"book expand --nodes 100 --hash 65536 --workers 1024 -o b.bin",
	} {
		checkRefused(t, dir, line, "MiB is free")
	}
}

// under runs the program with limited address space, in KiB.
func under(t *testing.T, kib, input string, args ...string) (out string, code int) {
	t.Helper()
	cmd := command(t.TempDir(), args...)
	cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", "ulimit -v " + kib + `; exec "$0" "$@"`}, cmd.Args...)
	cmd.Stdin = strings.NewReader(input)
	text, _ := cmd.CombinedOutput() // the exit code is checked
	return string(text), cmd.ProcessState.ExitCode()
}

func TestATableThatDoesNotFitUnderALimitIsRefused(t *testing.T) {
	t.Parallel()
	const limit = "3500000"
	for _, line := range []string{"bench --hash 60000", "play --hash 4000", "uci --hash 4000", "study algorithms --hash 4000"} {
		text, code := under(t, limit, "", strings.Fields(line)...)
		if code != exitFailed || strings.Count(text, "\n") != 1 || !strings.Contains(text, "MiB is free") {
			t.Errorf("%s: exit %d, %.500q: want exit 1 and one line", line, code, text)
		}
	}
	text, code := under(t, limit, "setoption name Hash value 4000\nisready\nsetoption name Hash value 200\nposition startpos\ngo depth 5\nquit\n", "uci")
	for _, want := range []string{"Hash: a table of 4000 MiB", "is free: the table stays at 64 MiB", "readyok", "bestmove"} {
		if code != exitDone || !strings.Contains(text, want) {
			t.Errorf("exit %d, %.800q: want exit 0 and %q", code, text, want)
		}
	}
	testkit.Equal(t, strings.Count(text, "MiB is free"), 1, "%.800q: want 200 MiB to be taken", text)
}

// Building a table takes no more memory than it announces.
func TestBuildingATableTakesTheAnnouncedMemory(t *testing.T) {
	t.Parallel()
	for _, rules := range []string{"awari", "abapa"} {
		cmd := command(t.TempDir(), "endgame", "build", "--rules", rules, "--seeds", "11", "--resolve", "0", "-o", ".")
		text, took := peak(t, cmd)
		var announced int64
		if _, err := fmt.Sscanf(text, "building takes up to %d MiB", &announced); err != nil {
			t.Fatalf("%.200q: %v", text, err)
		}
		if took > announced {
			t.Errorf("%s: it took %d MiB: expected at most %d", rules, took, announced)
		} else {
			t.Logf("%s: %d MiB of %d", rules, took, announced)
		}
	}
}

// peak runs a command and returns its peak memory, in MiB. It polls, because the peak that the system
// reports at the end includes the memory of this process at the start of the command.
func peak(t *testing.T, cmd *exec.Cmd) (out string, most int64) {
	t.Helper()
	var text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &text, &text
	testkit.NoError(t, cmd.Start())
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			status, _ := os.ReadFile(fmt.Sprintf("/proc/%d/status", cmd.Process.Pid)) // it may be over
			if _, line, found := strings.Cut(string(status), "VmHWM:"); found {
				kib := int64(0)
				fmt.Sscan(line, &kib)
				most = max(most, kib>>10)
			}
		case err := <-ended:
			if err != nil || most == 0 {
				t.Fatalf("%v: %v, %s", cmd, err, text.String())
			}
			return text.String(), most
		}
	}
}

// Every command fails if its results cannot be written.
func TestAFullOutputIsAFailure(t *testing.T) {
	full := testkit.Must(os.OpenFile("/dev/full", os.O_WRONLY, 0))(t)
	defer full.Close()
	t.Parallel()
	dir := t.TempDir()
	good(t, dir, "book", "expand", "--weights", "captures", "--expansions", "2", "--nodes", "50", "-o", "b.bin")
	for _, line := range []string{
		"perft --depth 2", "book query b.bin", "book verify b.bin", "book export b.bin", "inspect b.bin",
		"match llr --sprt 0,5 --pairs 1,2,3,2,1", "match --pairs 1 --nodes 10", "match tournament captures thesis4 --pairs 1 --nodes 10",
		"study algorithms --game tictactoe --depth 4", "endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S", "endgame stats",
		"run --print-config", "features --list", "weights export thesis4", "evaluate thesis4 --explain 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N",
		"sample --n 50 -o p.parquet", "--help", "uci", "play --depth 1",
	} {
		cmd := command(dir, strings.Fields(line)...)
		var errs bytes.Buffer
		cmd.Stdout, cmd.Stderr, cmd.Stdin = full, &errs, strings.NewReader("isready\n")
		cmd.Run() // the exit code is checked
		if code := cmd.ProcessState.ExitCode(); code != exitFailed || !strings.Contains(errs.String(), "no space left") {
			t.Errorf("train %s > /dev/full: exit %d, printed %q: want exit 1 and no space left", line, code, errs.String())
		}
	}
}

// If the program cannot read its own file, it does not know its build, and commands that record the
// build do not start.
func TestAProgramWithoutItsFileStartsNothing(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"sample --n 10 -o p.parquet", "run --dir d", "book expand --nodes 100 -o b.bin", "farm worker nats://127.0.0.1:1"} {
		cmd := command(t.TempDir(), strings.Fields(line)...)
		cmd.Path, cmd.Args = "/bin/sh", append([]string{"sh", "-c", `cp "$0" copy; exec 3<copy; rm copy; exec /proc/self/fd/3 "$@"`}, cmd.Args...)
		text, _ := cmd.CombinedOutput() // the exit code is checked
		if cmd.ProcessState.ExitCode() != exitFailed || !strings.Contains(string(text), "cannot read the program to identify its build") {
			t.Errorf("%s: exit %d, %.300q", line, cmd.ProcessState.ExitCode(), text)
		}
	}
}

// onTerminal returns what a command writes to a terminal of the given width on standard error.
func onTerminal(t *testing.T, dir, kind string, columns int, args ...string) string {
	t.Helper()
	cmd := command(dir, args...)
	cmd.Env = append(cmd.Env, "TERM="+kind)
	return withTerminal(t, cmd, columns, func(screen *os.File) { cmd.Stderr = screen })
}

// screenAfter returns what a command writes to a terminal of the given width, results included.
func screenAfter(t *testing.T, dir string, columns int, args ...string) string {
	t.Helper()
	cmd := command(dir, args...)
	cmd.Env = append(cmd.Env, "TERM=xterm")
	return withTerminal(t, cmd, columns, func(screen *os.File) { cmd.Stdout, cmd.Stderr = screen, screen })
}

// withTerminal runs a command with a terminal of 24 lines and returns what is written to it.
func withTerminal(t *testing.T, cmd *exec.Cmd, columns int, attach func(screen *os.File)) string {
	t.Helper()
	keyboard := testkit.Must(os.OpenFile("/dev/ptmx", os.O_RDWR|syscall.O_NOCTTY, 0))(t)
	defer keyboard.Close()
	control := func(request uintptr, value unsafe.Pointer) {
		if _, _, e := syscall.Syscall(syscall.SYS_IOCTL, keyboard.Fd(), request, uintptr(value)); e != 0 {
			t.Fatal(e)
		}
	}
	var locked, number int32
	control(syscall.TIOCSPTLCK, unsafe.Pointer(&locked))
	control(syscall.TIOCGPTN, unsafe.Pointer(&number))
	size := [4]uint16{24, uint16(columns)}
	control(syscall.TIOCSWINSZ, unsafe.Pointer(&size))
	screen := testkit.Must(os.OpenFile("/dev/pts/"+strconv.Itoa(int(number)), os.O_RDWR|syscall.O_NOCTTY, 0))(t)
	written := make(chan string)
	go func() {
		text, _ := io.ReadAll(keyboard) // a closed terminal gives an error
		written <- strings.ReplaceAll(string(text), "\r\n", "\n")
	}()
	attach(screen)
	err := cmd.Run()
	screen.Close()
	text := <-written
	if err != nil {
		t.Fatalf("%v: %v\n%s", cmd.Args, err, text)
	}
	return text
}

// A screen shows each part of the work once, as complete, and then the results, and no line is wider.
func TestAFinishedBarIsOnTheScreenOnce(t *testing.T) {
	t.Parallel()
	for _, columns := range []int{80, 120} {
		dir := t.TempDir()
		for _, line := range []string{
			"sample -o p.parquet --n 600 --split 0.2",
			"label p.parquet -o l.parquet --nodes 500",
			"features l.parquet -o f.parquet --set thesis4",
			"inspect f.parquet",
			"fit f.parquet -o w.json",
			"fit l.parquet --set houses -o w.weights",
			"evaluate w.json l.parquet",
			"match --a captures --b thesis4 --pairs 500 --nodes 20 --sprt=-90,-80",
			"match tournament w.json captures --pairs 1 --nodes 300",
			"book expand --expansions 20 --nodes 500 -o b.bin",
			"bench --depth 4",
		} {
			lines, wraps := testkit.Screen(screenAfter(t, dir, columns, strings.Fields(line)...), columns)
			if wraps > 0 {
				t.Errorf("%s at %d columns: wider than the screen:\n%s", line, columns, strings.Join(lines, "\n"))
			}
			seen := map[string]bool{}
			for _, shown := range lines {
				if !finishedBar.MatchString(shown) {
					continue
				}
				label, rest, _ := strings.Cut(shown, ", ")
				if seen[label] || !strings.Contains(rest, " 100%") || strings.Contains(rest, "to go") {
					t.Errorf("%s at %d columns: printed again or unfinished: %q", line, columns, shown)
				}
				seen[label] = true
			}
			if len(seen) == 0 {
				t.Errorf("%s at %d columns: no bar in\n%s", line, columns, strings.Join(lines, "\n"))
			}
		}
	}
}

// What a program obeys, and the commands for it, are no wider than the screen.
func TestAnEngineCheckFitsOnTheScreen(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testkit.NoError(t, os.Symlink(os.Args[0], dir+"/engine"))
	lines, wraps := testkit.Screen(screenAfter(t, dir, 80, "engine", "check", "cmd=./engine uci --hash 1"), 80)
	text := strings.Join(lines, "\n")
	if wraps > 0 {
		t.Errorf("%d lines are wider than the screen:\n%s", wraps, text)
	}
	testkit.Contains(t, text, " own book ", " label positions.parquet", " book expand ")
}

// finishedBar matches the end of a bar, with or without the bar itself.
var finishedBar = regexp.MustCompile(` \d+%( \|█* *\|)?$`)

// A run prints one line per stage on any terminal, counts from zero, and reaches 100 %.
func TestARunPrintsOneLinePerStage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testkit.NoError(t, os.WriteFile(dir+"/short.toml", []byte(shortRun), 0o666))
	for _, columns := range []int{20, 80, 100} {
		name := strconv.Itoa(columns)
		text := onTerminal(t, dir, "xterm", columns, "run", "--config", "short.toml", "--dir", name)
		lines, wraps := testkit.Screen(text, columns)
		if wraps > 0 || len(lines) < 5 || lines[0] != "run folder: "+name {
			t.Fatalf("%d columns: %d wraps, %d lines: %s", columns, wraps, len(lines), strings.Join(lines, "\n"))
		}
		for i, line := range lines[1:] {
			if number, _, _ := strings.Cut(line, " of "); number != "stage "+strconv.Itoa(i+1) || !strings.Contains(line, " 100%") || strings.Contains(line, "before") {
				t.Errorf("%d columns, line %d: %q", columns, i+1, line)
			}
		}
		for _, want := range []string{"12/12 expansions", "8/8 games", "300/300 positions"} {
			if columns == 100 && !strings.Contains(strings.Join(lines, "\n"), want) {
				t.Errorf("no %q in\n%s", want, strings.Join(lines, "\n"))
			}
		}
	}
}

// A terminal without escape sequences gets lines.
func TestADumbTerminalGetsNoEscapes(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testkit.NoError(t, os.WriteFile(dir+"/short.toml", []byte(shortRun), 0o666))
	for _, args := range [][]string{{"run", "--config", "short.toml", "--dir", "dumb"}, {"book", "expand", "-o", "book.bin", "--expansions", "20", "--nodes", "1000"}} {
		if text := onTerminal(t, dir, "dumb", 20, args...); strings.ContainsAny(text, "\x1b\r") {
			t.Errorf("%v: %q", args, text)
		}
	}
}

// New work reports nothing as done before.
func TestNewWorkHasNothingDoneBefore(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for _, line := range []string{
		"sample -o p.parquet --n 300",
		"label p.parquet -o l.parquet --nodes 500",
		"features l.parquet -o f.parquet --set thesis4",
		"fit f.parquet --validate f.parquet -o w.json",
		"fit l.parquet --set houses -o w.weights",
		"evaluate w.json l.parquet",
		"match --a weights=w.json --b captures --pairs 3 --nodes 300 -o m.ogn",
		"match tournament w.json captures default --pairs 1 --nodes 300 -o t.ogn",
		"match openings -o o.ogn --plies 2 --n 5 --nodes 300",
		"analyse m.ogn -o a.ogn --nodes 300",
		"book expand -o b.bin --expansions 20 --nodes 500",
		"book deepen b.bin -o d.bin --nodes 500",
		"endgame build --seeds 4 -o tables",
		"endgame verify tables",
		"endgame stats tables",
		"study algorithms --depth 4",
		"bench --depth 4",
	} {
		text := onTerminal(t, dir, "xterm", 200, strings.Fields(line)...)
		bar := false
		for _, drawn := range strings.Split(text, "\r")[1:] {
			bar = true
			if strings.Contains(drawn, "done before") {
				t.Errorf("%s: %q", line, drawn)
				break
			}
		}
		if !bar && !strings.HasPrefix(line, "book expand") {
			t.Errorf("%s: no progress: %q", line, text)
		}
	}
}

// Help is as wide as the terminal.
func TestHelpFitsAWideTerminal(t *testing.T) {
	t.Parallel()
	for _, line := range []string{"fit --help", "match --help", "book expand --help"} {
		help := screenAfter(t, t.TempDir(), 120, strings.Fields(line)...)
		checkWidth(t, line, help, 120)
		if !slices.ContainsFunc(strings.Split(help, "\n"), func(s string) bool { return utf8.RuneCountInString(s) > 100 }) {
			t.Errorf("%s uses no more than 100 of 120 columns:\n%s", line, help)
		}
	}
}

// The board keeps its colours on a screen: legal moves in bold, the last move reversed. With NO_COLOR it is
// drawn in place all the same.
func TestABoardInColourReachesTheTerminal(t *testing.T) {
	t.Parallel()
	const redraw, bold, reversed, unstyle = "\x1b[H\x1b[2J", "\x1b[1m", "\x1b[7m", "\x1b[0m"
	play := func(more ...string) string {
		cmd := command(t.TempDir(), "play", "--weights", "captures", "--tables", "none", "--book", "none", "--depth", "2")
		cmd.Env = append(append(cmd.Env, "TERM=xterm"), more...)
		cmd.Stdin = strings.NewReader("F\nquit\n")
		return withTerminal(t, cmd, 80, func(screen *os.File) { cmd.Stdout = screen })
	}
	boards := strings.Split(play("NO_COLOR="), redraw)[1:]
	if len(boards) != 3 {
		t.Fatalf("%d boards, expected the start and one after each move: %q", len(boards), boards)
	}
	for i, want := range []string{bold + "A" + unstyle, reversed + "F" + unstyle + "\n", bold + "A" + unstyle} {
		testkit.Contains(t, boards[i], "You play South, the engine (at its best) plays North.\n", want)
	}
	testkit.Contains(t, boards[1], "thinking, depth 2")
	if before, _, _ := strings.Cut(boards[1], "thinking"); !strings.HasSuffix(before, "\r\x1b[K\x1b[?7l") || !strings.HasSuffix(boards[1], "\r\x1b[K") {
		t.Errorf("the progress is not cleared: %q", boards[1])
	}
	text := strings.NewReplacer(redraw, "", "\x1b[K", "", "\x1b[?7l", "", "\x1b[?7h", "").Replace(play("NO_COLOR=1"))
	if strings.Contains(text, "\x1b") || !strings.Contains(text, "You play South") {
		t.Errorf("drawn without colours: %q", text)
	}
}
