package commands

import (
	"io"
	"os"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"kroo/internal/testkit"
)

// onTerminal returns what a command writes to a terminal of the given width on standard error.
func onTerminal(t *testing.T, dir, kind string, columns int, args ...string) string {
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
	cmd := command(dir, args...)
	cmd.Env = append(cmd.Env, "TERM="+kind)
	cmd.Stderr = screen
	err := cmd.Run()
	screen.Close()
	text := <-written
	if err != nil {
		t.Fatalf("%v: %v\n%s", args, err, text)
	}
	return text
}

// A run prints one line per stage on any terminal, counts from zero, and reaches 100 %.
func TestARunPrintsOneLinePerStage(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	testkit.NoError(t, os.WriteFile(dir+"/short.toml", []byte(shortRun), 0o666))
	for _, columns := range []int{20, 80, 100} {
		name := strconv.Itoa(columns)
		text := onTerminal(t, dir, "xterm", columns, "run", "--config", "short.toml", "--dir", name)
		lines, wraps := screen(text, columns)
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
		"match openings -o o.ogn --plies 2 -n 5 --nodes 300",
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
