package commands

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"kroo/internal/testkit"
)

// If the output cannot be written at the end, the work is in the journal.
func TestOutputThatFailsAtTheEndLeavesTheJournal(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	good(t, dir, "sample", "--n", "60", "-o", "p.parquet")
	line := strings.Fields("label p.parquet --nodes 60000 --hash 1 --workers 1 --tables none -o l.parquet")
	cmd := command(dir, line...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	testkit.NoError(t, cmd.Start())
	for started := false; !started; time.Sleep(time.Millisecond) {
		_, err := os.Stat(filepath.Join(dir, "l.parquet.journal"))
		started = err == nil
	}
	inTheWay := filepath.Join(dir, "l.parquet")
	testkit.NoError(t, os.Mkdir(inTheWay, 0o777))
	cmd.Wait() // the exit code is checked
	if code := cmd.ProcessState.ExitCode(); code != exitFailed || !strings.Contains(errs.String(), "kept in l.parquet.journal") ||
		!strings.Contains(errs.String(), "  train label p.parquet") {
		t.Fatalf("exit %d, printed %q: want exit 1, the journal, and the command that resumes", code, errs.String())
	}
	testkit.NoError(t, os.Remove(inTheWay))
	begin := time.Now()
	good(t, dir, line...)
	t.Logf("written from the journal in %v", time.Since(begin))
}
