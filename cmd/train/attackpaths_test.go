//go:build unix

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/commands"
	"kroo/internal/testkit"
)

// pathCommands are the commands that attackedCommands lacks.
var pathCommands = []string{
	"bench --depth 2", "cg", "completion bash", "perft --depth 2", "play", "uci", "version",
	"study algorithms --depth 2 --hash 1",
	"study accuracy --seeds 2-3 --positions 2 --nodes 100 --hash 1 --table small --rules awari",
	"study lamosca",
	"study orders --positions 2 --depth 2", "study othello weights.json",
	"engine check cmd=./no-program", "farm status nats://ADDRESS",
	"label positions.parquet -o out.parquet --farm embedded --farm-config weights.json",
}

// attackLines are lines of all commands.
func attackLines() []attacked {
	all := slices.Clone(attackedCommands)
	for _, line := range pathCommands {
		all = append(all, attacked{line: line})
	}
	return all
}

// strangePaths are paths that no command can use as a file, or replace. Only "notes" may be replaced
// with --force.
var strangePaths = []string{"dangling", "folder", "loop", "notes", "notes.link", "notes/below", "pipe", "zero.link", "/dev/zero"}

// With a path of any kind instead of each operand and each text flag, every command ends without a
// stack trace and replaces nothing, even with --force.
func TestAttackPaths(t *testing.T) {
	t.Parallel()
	a := &attack{T: t, setup: copyOf(t, "", attackSetup...)}
	every := 23
	if long() {
		every = 1
	}
	lines, tried, worked := 0, 0, 0
	seen := map[*cobra.Command]bool{}
	root := commands.Tree()
	for _, a.attacked = range attackLines() {
		for _, line := range pathLines(t, root, a.line, seen) {
			for _, path := range strangePaths {
				if lines++; lines%every == 0 {
					tried++
					if a.path(line, path) {
						worked++
					}
				}
			}
		}
	}
	for _, cmd := range runnable(root) {
		if !seen[cmd] {
			t.Errorf("%s is not tried: expected a line of it in pathCommands", cmd.CommandPath())
		}
	}
	t.Logf("%d of %d command lines tried, %d of them accept the path", tried, lines, worked)
}

// pathLines returns variants of a command line with PATH instead of an operand or the value of a text
// flag: those of the line, and in the first line of a command all others.
func pathLines(t *testing.T, root *cobra.Command, line string, seen map[*cobra.Command]bool) (lines []string) {
	t.Helper()
	cmd, rest, err := root.Find(strings.Fields(line))
	testkit.NoError(t, err)
	given := pflag.NewFlagSet("", pflag.ContinueOnError) // values may be invalid
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "bool" {
			given.BoolP(f.Name, f.Shorthand, false, "")
		} else {
			given.StringP(f.Name, f.Shorthand, "", "")
		}
	})
	testkit.NoError(t, given.Parse(rest))
	name := pathOf(cmd)
	if given.Lookup("force") != nil {
		name += " --force"
	}
	operands := strings.Join(append([]string{""}, given.Args()...), " ")
	flags := func(but string) (all string) {
		given.Visit(func(f *pflag.Flag) {
			if f.Name != but {
				all += " --" + f.Name + "=" + f.Value.String()
			}
		})
		return all
	}
	for i := range given.Args() {
		words := slices.Clone(given.Args())
		words[i] = "PATH"
		lines = append(lines, name+flags("")+" "+strings.Join(words, " "))
	}
	given.VisitAll(func(f *pflag.Flag) {
		if strings.HasPrefix(cmd.Flags().Lookup(f.Name).Value.Type(), "string") && (f.Changed || !seen[cmd]) {
			lines = append(lines, name+flags(f.Name)+" --"+f.Name+"=PATH"+operands)
		}
	})
	seen[cmd] = true
	return lines
}

// path runs the command line with a strange path. worked reports success: the command does not need
// the path, or can use it.
func (a *attack) path(line, path string) (worked bool) {
	a.Helper()
	dir := a.fresh()
	defer os.RemoveAll(dir)
	makeStrange(a.T, dir)
	if path == "notes" {
		line = strings.Replace(line, " --force", "", 1)
	}
	before := strange(a.T, dir)
	line = strings.ReplaceAll(line, "PATH", path)
	switch e := a.runTogether(dir, line); {
	case panicked(e.complaint) || e.code < 0 || e.code > exitUsage:
		a.fail("train "+line, e, "it panics, or is killed")
	case strings.Contains(e.complaint, "no such file") && e.code != exitFailed:
		a.fail("train "+line, e, "a missing file is a failure, not wrong usage")
	case e.code != exitDone && (e.complaint == "" || len(e.complaint) > 2000):
		a.fail("train "+line, e, "it does not print one line of error")
	case before != strange(a.T, dir):
		a.fail("train "+line, e, "before: "+before+"after: "+strange(a.T, dir))
	default:
		return e.code == exitDone
	}
	return false
}

// runTogether runs the command in a process of the crew, unless it speaks to a farm.
func (a *attack) runTogether(dir, line string) ending {
	a.Helper()
	if strings.Contains(line+a.companion, "ADDRESS") {
		return a.run(a.Context(), dir, line)
	}
	ctx, cancel := context.WithTimeout(a.Context(), 2*time.Minute)
	defer cancel()
	_, errs, code, err := runInCrew(ctx, order{Dir: dir, Args: strings.Fields(line), Env: os.Environ(), Input: os.DevNull})
	if err != nil {
		return ending{code: -1, complaint: err.Error()}
	}
	return ending{code: code, complaint: errs}
}

// makeStrange creates the strange paths in a folder, some with another dataset's manifest.
func makeStrange(t *testing.T, dir string) {
	t.Helper()
	at := func(name string) string { return filepath.Join(dir, name) }
	manifest, err := os.ReadFile(at("positions.parquet.manifest.json"))
	if err := errors.Join(err, os.WriteFile(at("pipe.manifest.json"), manifest, 0o666), os.WriteFile(at("zero.link.manifest.json"), manifest, 0o666),
		os.Symlink("nowhere", at("dangling")), os.Symlink("loop", at("loop")),
		os.Symlink("notes", at("notes.link")), os.Symlink("/dev/zero", at("zero.link")), os.Mkdir(at("folder"), 0o777), syscall.Mkfifo(at("pipe"), 0o666),
		os.WriteFile(at("notes"), []byte("my notes\n"), 0o666), os.WriteFile(at("folder/inside"), []byte("my notes\n"), 0o666)); err != nil {
		t.Fatal(err)
	}
}

// strange describes the strange paths of a folder and their contents.
func strange(t *testing.T, dir string) (all string) {
	t.Helper()
	for _, name := range append([]string{"folder/inside"}, strangePaths...) {
		path := filepath.Join(dir, name)
		if filepath.IsAbs(name) {
			path = name
		}
		info, err := os.Lstat(path)
		if err != nil {
			all += err.Error() + "\n"
			continue
		}
		all += name + " " + info.Mode().Type().String() + "\n"
		if info.Mode().IsRegular() {
			data := testkit.Read(t, path)
			all += string(data)
		}
	}
	return all
}
