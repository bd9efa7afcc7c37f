package commands

// Other systems have no /dev/full.

import (
	"bytes"
	"os"
	"strings"
	"testing"

	"kroo/internal/testkit"
)

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
		"sample --n 50 -o p.parquet", "--help", "uci",
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
