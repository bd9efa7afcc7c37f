package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"time"

	training "kroo/run"
)

// result is how a run of the program ended.
type result struct {
	code      int // -1 for a signal
	complaint string
	took      time.Duration
}

// patience is how long a run may take: a longer one hangs.
const patience = 2 * time.Minute

// resultsFile takes the standard output of a run, in its folder, where faults reach it.
const resultsFile = "results.txt"

// program is the program with arguments in a folder, whose standard output is a file
// there.
func (a *attack) program(ctx context.Context, dir string, args []string) (*exec.Cmd, *bytes.Buffer, error) {
	out, err := os.Create(filepath.Join(dir, resultsFile))
	if err != nil {
		return nil, nil, err
	}
	cmd := exec.CommandContext(ctx, a.train, args...)
	complaint := new(bytes.Buffer)
	cmd.Dir, cmd.Stdout, cmd.Stderr = dir, out, complaint
	return cmd, complaint, nil
}

// execute runs a command, or what goes on from it, to its end.
func (a *attack) execute(ctx context.Context, dir string, c command, args []string) result {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	begin := time.Now()
	cmd, complaint, err := a.program(ctx, dir, args)
	if err != nil {
		return result{code: -1, complaint: err.Error()}
	}
	defer cmd.Stdout.(*os.File).Close()
	if err := cmd.Start(); err != nil {
		return result{code: -1, complaint: err.Error()}
	}
	end, err := a.accompany(ctx, dir, c, cmd.Process)
	if err != nil {
		return result{code: -1, complaint: errors.Join(err, cmd.Process.Kill(), cmd.Wait()).Error()}
	}
	err = cmd.Wait()
	r := result{cmd.ProcessState.ExitCode(), complaint.String(), time.Since(begin)}
	end(&r)
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		return result{code: -1, complaint: err.Error()}
	}
	return r
}

// fresh makes a folder with the files that a command begins with.
func (a *attack) fresh() (dir string, err error) {
	if dir, err = os.MkdirTemp(a.work, "run"); err != nil {
		return "", err
	}
	if err := os.CopyFS(dir, os.DirFS(a.setup)); err != nil {
		return "", err
	}
	return dir, os.WriteFile(filepath.Join(dir, "run.toml"), []byte(runConfig), 0o666)
}

// again is the command that goes on from what is in a folder.
func (c command) goOn(dir string) []string {
	if c.again == "" {
		return words(c.line)
	}
	if _, err := os.Stat(filepath.Join(dir, "out", "config.toml")); err != nil { // it had not begun
		return words(c.line)
	}
	return words(c.again)
}

// contents are the files of a folder by name.
func contents(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, err := filepath.Rel(dir, path)
		if err == nil {
			files[name], err = os.ReadFile(path)
		}
		return err
	})
	return files, err
}

// differences names what is missing, different or left over in a folder, but for what
// may be otherwise. The log of a match or an expansion, or the folder of a tournament's
// logs, stays, and its records come in any order; a worker keeps what it has fetched.
func differences(dir string, want map[string][]byte, may func(name string, there []byte) bool) (string, error) {
	got, err := contents(dir)
	if err != nil {
		return "", err
	}
	got, want = training.Timeless(got), training.Timeless(want)
	var list []string
	skipped := func(name string) bool {
		slashed := filepath.ToSlash(name) + "/"
		return strings.Contains(slashed, ".log/") || strings.HasPrefix(slashed, "cache/") || may(name, got[name])
	}
	for name, data := range want {
		if there, ok := got[name]; (!ok || !bytes.Equal(there, data)) && !skipped(name) {
			list = append(list, name+" differs or is missing")
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok && !skipped(name) {
			list = append(list, name+" is left over")
		}
	}
	slices.Sort(list)
	return strings.Join(list, ", "), nil
}

// otherResults allows for the results of a command that goes on in other words, or that
// counts what there was left to do.
func (c command) otherResults(name string, _ []byte) bool {
	return name == resultsFile && (c.again != "" || c.counts)
}

// whole is what a command leaves when nothing goes wrong.
func (a *attack) whole(ctx context.Context, c command) (files map[string][]byte, r result, err error) {
	dir, err := a.fresh()
	if err != nil {
		return nil, r, err
	}
	defer os.RemoveAll(dir)
	if r = a.execute(ctx, dir, c, words(c.line)); r.code != 0 {
		return nil, r, fmt.Errorf("train %s: exit %d: %s", c.line, r.code, r.complaint)
	}
	files, err = contents(dir)
	return files, r, err
}

// panicked tells whether a complaint is the trace of a panic.
func panicked(complaint string) bool {
	for _, sign := range []string{"panic:", "fatal error:", "goroutine ", "runtime error"} {
		if strings.Contains(complaint, sign) {
			return true
		}
	}
	return false
}
