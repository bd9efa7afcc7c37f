package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"kroo/internal/testkit"
)

// shortRun is the configuration of a run that takes about a quarter of a second.
const shortRun = `
rules = "abapa"
seed = 5
workers = 2
[training]
method = "uniform"
n = 300
[validation]
method = "pps"
n = 200
[label]
nodes = 1000
hash_mb = 1
[features]
set = "thesis4"
[fit]
select = "backward"
tolerance = 0.004
ridge = 0.0
[match]
pairs = 4
opening_plies = 4
nodes = 600
hash_mb = 1
[book]
expansions = 12
sides = "both"
omega = 2.0
nodes = 800
hash_mb = 1
[book_play]
pairs = 2
opening_plies = 2
nodes = 600
hash_mb = 1
`

// wholeRun returns a folder with an undisturbed run, and the files of that run.
func wholeRun(t *testing.T) (dir string, files map[string][]byte) {
	t.Helper()
	dir = copyOf(t, shortRun, "run --config short.toml --dir whole")
	testkit.Contains(t, testkit.Text(t, filepath.Join(dir, "printed")), "correlation R", "What next")
	return dir, folder(t, filepath.Join(dir, "whole"))
}

// filesIn reads all files of a folder and its subfolders, without the times of runs, so that equal
// runs give equal files. For other than regular files it has the type.
func filesIn(dir string) (files map[string][]byte, err error) {
	files = map[string][]byte{}
	err = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		if !d.Type().IsRegular() { // reading a FIFO would wait forever
			files[name] = []byte(d.Type().String())
			return nil
		}
		files[name], err = os.ReadFile(path)
		return err
	})
	return files, err
}

func folder(t *testing.T, dir string) map[string][]byte {
	t.Helper()
	return testkit.Must(filesIn(dir))(t)
}

func sameFiles(t *testing.T, got, want map[string][]byte) {
	t.Helper()
	for name := range want {
		if !bytes.Equal(got[name], want[name]) {
			t.Errorf("%s differs or is missing", name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			t.Errorf("%s is left over", name)
		}
	}
}

// kills returns how often to kill a command, KROO_KILLS or few.
func kills(t *testing.T, few int) int {
	text := os.Getenv("KROO_KILLS")
	if text == "" {
		return few
	}
	return testkit.Must(strconv.Atoi(text))(t)
}

// A run that is killed and resumed repeatedly ends with the same files.
func TestKilledRunResumesToTheSameFiles(t *testing.T) {
	t.Parallel()
	a := &attack{t, t.TempDir(), attackedRun}
	want, _, took := a.whole()
	a.kills(want, took, kills(t, 2))
}

// Ctrl-C stops cleanly with exit code 1 and prints the command that resumes.
func TestInterruptedRunPrintsHowToResume(t *testing.T) {
	t.Parallel()
	dir, want := wholeRun(t)
	const next = "train run --resume --dir stopped"
	code, errs := exitDone, ""
	// If the run ends before the signal, try again.
	for tries := 0; code == exitDone && tries < 20; tries++ {
		testkit.NoError(t, os.RemoveAll(filepath.Join(dir, "stopped")))
		p := start(t, command(dir, "run", "--config", "short.toml", "--dir", "stopped"))
		for there := false; !there && len(p.ended) == 0; time.Sleep(time.Millisecond) {
			_, err := os.Stat(filepath.Join(dir, "stopped", "positions.parquet"))
			there = err == nil
		}
		_ = p.Process.Signal(syscall.SIGINT) // it may have ended
		<-p.ended
		code, errs = p.ProcessState.ExitCode(), p.output()
	}
	if code != exitFailed || !strings.Contains(errs, next) {
		t.Fatalf("exit %d, printed %q: want exit 1 and %q", code, errs, next)
	}
	good(t, dir, strings.Fields(next)[1:]...)
	sameFiles(t, folder(t, filepath.Join(dir, "stopped")), want)
}
