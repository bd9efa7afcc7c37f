package commands

// Only Linux runs a program whose file is gone.

import (
	"strings"
	"testing"
)

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
