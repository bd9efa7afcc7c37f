package main

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"kroo/internal/atomicfile"
	"kroo/internal/testkit"
	"kroo/internal/vfs/faults"
)

// failAt is an environment variable: the number of the file system call in the command's folder that
// fails, from 1, the name of the failure, and a file for a report, such as "open out.parquet", or the
// number of calls. With the number 0 no call fails, except those that Windows refuses ([faults.RefuseOpen]).
const failAt = "KROO_FAIL_AT"

// failing makes a call of this process fail, if the environment asks for it. end writes the report.
func failing() (end func()) {
	words := strings.SplitN(os.Getenv(failAt), " ", 3)
	if len(words) < 3 {
		return func() {}
	}
	report := words[2]
	nth, err := strconv.ParseInt(words[0], 10, 64)
	failure, known := faults.ByName(words[1])
	root, werr := os.Getwd()
	if err := errors.Join(err, werr); err != nil || !known {
		panic(fmt.Sprintf("%s: failure %q: %v", failAt, words[1], err))
	}
	isHere := func(path string) bool {
		return filepath.IsLocal(path) || strings.HasPrefix(path, root+string(filepath.Separator))
	}
	if nth == 0 {
		calls := faults.RefuseOpen(isHere)
		return func() { writeReport(report, strconv.FormatInt(calls(), 10)) }
	}
	failed := faults.Inject(failure, nth, isHere)
	return func() {
		calls, call := failed()
		writeReport(report, cmp.Or(call, strconv.FormatInt(calls, 10)))
	}
}

// writeReport writes a report of [failing].
func writeReport(path, text string) {
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		panic(err)
	}
}

// Commands on a failing system lose no work, print no stack trace, and do not claim success. Each
// command refuses outputs of another process, and gets one part of the attack, drawn by a seed, or
// with KROO_LONG=1 all parts with larger samples. KROO_KILLS is the number of kills per command.
func TestAttack(t *testing.T) {
	t.Parallel()
	a := &attack{T: t, setup: copyOf(t, "", attackSetup...)}
	for _, c := range attackedCommands {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			a := &attack{t, a.setup, c}
			want, calls, took := a.whole()
			a.claims(want)
			parts := []attackPart{{"faults", func(a *attack) { a.faults(calls, want) }}}
			if c.journal != "" && (c.companion == "" || long()) { // a companion waits for seconds
				parts = append(parts, attackPart{"cuts", func(a *attack) { a.cuts(calls, want) }}, attackPart{"kills", func(a *attack) { a.kills(want, took, kills(t, 1)) }})
			}
			if !long() {
				one := drawn(t, c.name).IntN(len(parts))
				parts = parts[one : one+1]
			}
			for _, p := range parts {
				t.Run(p.name, func(t *testing.T) { p.do(&attack{t, a.setup, c}) })
			}
		})
	}
}

// attack is the test of one command.
type attack struct {
	*testing.T
	setup string // folder with the files that the command reads
	attacked
}

// attackPart is a part of the attack. -run 'Attack/sample/faults' runs only one, if it is drawn or
// with KROO_LONG=1.
type attackPart struct {
	name string
	do   func(a *attack)
}

// ending is the end of a run of the command.
type ending struct {
	code      int // -1 for a signal
	complaint string
	took      time.Duration
}

// resultsFile is the standard output of a run, in its folder.
const resultsFile = "results.txt"

// run runs the command in a folder to its end. It kills a run that takes too long: minutes, or 20
// minutes with KROO_LONG=1, next to other work.
func (a *attack) run(ctx context.Context, dir, line string, env ...string) ending {
	a.Helper()
	most := 2 * time.Minute
	if long() {
		most *= 10
	}
	ctx, cancel := context.WithTimeout(ctx, most)
	defer cancel()
	address := freeAddress(a.T)
	if strings.Contains(line+a.companion, "ADDRESS.toml") {
		listenAt(a.T, filepath.Dir(dir), address)
	}
	out, err := os.Create(filepath.Join(dir, resultsFile))
	testkit.NoError(a, err)
	defer out.Close()
	cmd := command(dir, strings.Fields(strings.ReplaceAll(line, "ADDRESS", address))...)
	var complaint bytes.Buffer
	cmd.Stdout, cmd.Stderr, cmd.Env = out, &complaint, append(cmd.Env, env...)
	begin := time.Now()
	testkit.NoError(a, cmd.Start())
	defer context.AfterFunc(ctx, func() { cmd.Process.Kill() })()
	end := a.accompany(ctx, dir, address, cmd.Process)
	cmd.Wait() // the exit code is checked
	results, err := os.ReadFile(out.Name())
	testkit.NoError(a, errors.Join(err, os.WriteFile(out.Name(), bytes.ReplaceAll(results, []byte(address), []byte("ADDRESS")), 0o666)))
	e := ending{cmd.ProcessState.ExitCode(), complaint.String(), time.Since(begin)}
	if companion := end(); companion != "" && e.code == 0 {
		e.code, e.complaint = 1, e.complaint+"\nbeside: "+companion
	}
	return e
}

// fresh makes a folder with the files that commands read.
func (a *attack) fresh() (dir string) {
	a.Helper()
	dir, err := os.MkdirTemp(a.TempDir(), "run")
	self, perr := os.Executable()
	if err := errors.Join(err, perr, os.CopyFS(dir, os.DirFS(a.setup)),
		os.WriteFile(filepath.Join(dir, "engine"), fmt.Appendf(nil, "#!/bin/sh\nunset %s\nexec '%s' uci --tables none --weights captures --hash 1\n", failAt, self), 0o777),
		os.WriteFile(filepath.Join(dir, "tune.toml"), []byte("[[parameter]]\noption = \"Contempt\"\nmin = -900\nmax = 900\nc_end = 300\n"), 0o666), os.WriteFile(filepath.Join(dir, "run.toml"), []byte(shortRun), 0o666)); err != nil {
		a.Fatal(err)
	}
	return dir
}

// whole returns the files after an undisturbed run, and its number of file system calls.
func (a *attack) whole() (files map[string][]byte, calls int, took time.Duration) {
	a.Helper()
	dir, counted, e := a.failed(faults.Once, 0)
	if e.code != 0 {
		a.Fatalf("train %s: exit %d: %s", a.line, e.code, e.complaint)
	}
	calls, err := strconv.Atoi(counted)
	testkit.NoError(a, err)
	return folder(a.T, dir), calls, e.took
}

// faults makes file system calls fail, one per run, or all from one on.
func (a *attack) faults(calls int, want map[string][]byte) {
	a.Logf("%d calls on files", calls)
	kinds := faults.All()
	random := drawn(a.T, a.name+" failures")
	for _, n := range sample(a.T, a.name+" faults", calls, 1, 100) {
		a.fault(kinds[random.IntN(len(kinds))], 1+n, want)
	}
}

// failed runs the command with a fault, and returns the failed call.
func (a *attack) failed(f faults.Failure, n int) (dir, call string, e ending) {
	a.Helper()
	dir = a.fresh()
	report := dir + ".call"
	e = a.run(a.Context(), dir, a.line, fmt.Sprintf("%s=%d %s %s", failAt, n, f.Name, report))
	text, err := os.ReadFile(report)
	if err != nil {
		a.Fatalf("%s at %d: exit %d: %s: %v", f.Name, n, e.code, e.complaint, err)
	}
	return dir, string(text), e
}

// fault runs the command with a fault, checks what it did, and runs it again without. The number of
// calls varies a little with the threads, so call n may not exist.
func (a *attack) fault(f faults.Failure, n int, want map[string][]byte) {
	a.Helper()
	dir, call, e := a.failed(f, n)
	defer os.RemoveAll(dir)
	if !strings.Contains(call, " ") {
		return
	}
	what := fmt.Sprintf("%s at call %d (%s)", f.Name, n, call)
	switch {
	case panicked(e.complaint) || e.code < 0:
		a.fail(what, e, "it panics, or is killed")
	case e.code == 0:
		if diff := a.differences(dir, want, refusedVisit); diff != "" {
			a.fail(what, e, "it claims success, but "+diff)
		}
	case e.complaint == "":
		a.fail(what, e, "it prints no error")
	}
	if e.code != 0 {
		a.resume(dir, what, want)
	}
}

// resume runs the command again in the folder of an earlier run. It must end with the files of an
// undisturbed run.
func (a *attack) resume(dir, what string, want map[string][]byte) {
	a.Helper()
	e := a.run(a.Context(), dir, a.resumeLine(dir))
	if e.code != 0 {
		a.fail(what, e, "it does not resume")
	} else if diff := a.differences(dir, want, a.otherResults); diff != "" {
		a.fail(what, e, "it resumes, but "+diff)
	}
}

func (a *attack) fail(what string, e ending, how string) {
	a.Helper()
	a.Errorf("%s: %s\n    exit %d: %.300q", what, how, e.code, e.complaint)
}

// claims runs the command while another process has claimed its outputs: it must fail, and change
// nothing.
func (a *attack) claims(want map[string][]byte) {
	dir := a.fresh()
	before, outputs := folder(a.T, dir), 0
	for name := range want {
		path := filepath.Join(dir, name)
		if _, there := before[name]; there || a.companion != "" || a.visits != nil || name == resultsFile || strings.Contains(name, ".log") {
			continue
		}
		testkit.NoError(a, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), atomicfile.Claim(path)))
		outputs++
	}
	if outputs == 0 {
		return
	}
	e := a.run(a.Context(), dir, a.line)
	if e.code != exitFailed || !strings.Contains(e.complaint, "another process") && !strings.Contains(e.complaint, "is not empty") {
		a.fail("outputs of another process", e, "it does not say that they are another's")
	}
	if diff := a.differences(dir, before, func(name string, _ []byte) bool { return name == resultsFile }); diff != "" {
		a.fail("outputs of another process", e, diff)
	}
}

// cuts truncates the journal, as a crash may.
func (a *attack) cuts(calls int, want map[string][]byte) {
	journal := a.leftJournal(calls)
	a.Logf("%d bytes", len(journal))
	for _, size := range sample(a.T, a.name+" cuts", len(journal)+1, 2, 200) {
		dir := a.fresh()
		path := filepath.Join(dir, a.journal)
		testkit.NoError(a, errors.Join(os.MkdirAll(filepath.Dir(path), 0o777), os.WriteFile(path, journal[:size], 0o666)))
		a.resume(dir, fmt.Sprintf("its journal truncated to %d of %d bytes", size, len(journal)), want)
		os.RemoveAll(dir)
	}
}

// leftJournal returns the longest journal of the command: the one that stays, or that of the last
// fault before its end.
func (a *attack) leftJournal(calls int) []byte {
	a.Helper()
	for n := calls + 1; n > 0; n-- {
		dir, _, _ := a.failed(faults.Once, n)
		journal, err := os.ReadFile(filepath.Join(dir, a.journal))
		os.RemoveAll(dir)
		if err == nil {
			return journal
		}
		if !errors.Is(err, fs.ErrNotExist) {
			a.Fatal(err)
		}
	}
	a.Fatalf("no fault leaves %s", a.journal)
	return nil
}

// kills kills the command at random times until it ends. The time to the next kill grows, so that it
// does end.
func (a *attack) kills(want map[string][]byte, took time.Duration, wanted int) {
	random := drawn(a.T, a.name+" kills")
	for done := 0; done < wanted; {
		dir, line := a.fresh(), a.line
		for tries := time.Duration(1); ; tries++ {
			ctx, cancel := context.WithTimeout(a.Context(), time.Duration(random.Int64N(int64(took+tries*took/4))))
			e := a.run(ctx, dir, line)
			killed := ctx.Err() != nil && e.code != 0
			cancel()
			if !killed {
				if diff := a.differences(dir, want, a.otherResults); e.code != 0 || diff != "" {
					a.fail("kills", e, diff)
				}
				break
			}
			done++
			line = a.resumeLine(dir)
		}
		if a.Failed() {
			return
		}
		os.RemoveAll(dir)
	}
}

// resumeLine returns the command line that resumes in a folder.
func (c attacked) resumeLine(dir string) string {
	if _, err := os.Stat(filepath.Join(dir, "out", "config.toml")); err != nil || c.again == "" {
		return c.line
	}
	return c.again
}

// differences lists what is missing, different or left over in a folder, except what may differ:
// logs, whose records are in any order, a worker's cache, and lock files that could not be removed.
func (a *attack) differences(dir string, want map[string][]byte, may func(name string, there []byte) bool) string {
	a.Helper()
	got := folder(a.T, dir)
	var list []string
	skipped := func(name string) bool {
		slashed := filepath.ToSlash(name) + "/"
		return strings.Contains(slashed, ".log/") || strings.HasPrefix(slashed, "cache/") || strings.HasSuffix(slashed, ".lock/") || may(name, got[name])
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
	return strings.Join(list, ", ")
}

// otherResults allows other results of a command that resumes with another command line, or that
// counts only its own work.
func (c attacked) otherResults(name string, _ []byte) bool {
	return name == resultsFile && (c.again != "" || c.counts)
}

// panicked reports whether an error output has the trace of a panic.
func panicked(complaint string) bool {
	return slices.ContainsFunc([]string{"panic:", "fatal error:", "goroutine ", "runtime error"},
		func(sign string) bool { return strings.Contains(complaint, sign) })
}
