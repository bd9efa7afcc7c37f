//go:build unix

package commands

import (
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/internal/testkit"
)

// pathCommands are used with attackedCommands, so that each command is tried with paths.
var pathCommands = []string{
	"bench --depth 2", "cg", "completion bash", "perft --depth 2", "play", "uci", "version",
	"study algorithms --depth 2 --hash 1",
	"study accuracy --seeds 2-3 --positions 2 --nodes 100 --hash 1 --table small --rules awari",
	"study cycles --seeds 2", "study lamosca",
	"study orders --positions 2 --depth 2", "study othello weights.json", "study solve --positions 2 --nodes 100 --table small --rules awari",
	"study table --positions 1 --depth 2 --sizes 16",
	"engine check cmd=./no-program", "farm status nats://ADDRESS",
	"label positions.parquet -o out.parquet --farm embedded --farm-config weights.json",
}

// strangePaths are what no command can use as a file, or replace. They are in its folder, but
// for the device. Only "notes" may be replaced by force.
var strangePaths = []string{"dangling", "folder", "loop", "notes", "notes.link", "notes/below", "pipe", "zero.link", "/dev/zero"}

// Paths of every kind instead of every operand and every flag that takes text: a command
// ends, without a trace, and replaces nothing, not even by force.
func TestAttackPaths(t *testing.T) {
	t.Parallel()
	a := &attack{T: t, setup: copyOf(t, "", attackSetup...)}
	commands := slices.Clone(attackedCommands)
	for _, line := range pathCommands {
		commands = append(commands, attacked{line: line})
	}
	every := 23 // of a day's tests
	if long() {
		every = 1
	}
	lines, tried, worked := 0, 0, 0
	seen := map[*cobra.Command]bool{}
	root := newRoot()
	for _, a.attacked = range commands {
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
	t.Logf("%d of %d command lines tried, %d of which had nothing to object", tried, lines, worked)
}

// runnable are the commands that do something.
func runnable(cmd *cobra.Command) (list []*cobra.Command) {
	for _, sub := range cmd.Commands() {
		list = append(list, runnable(sub)...)
	}
	if cmd.Runnable() && !cmd.HasSubCommands() && !cmd.Hidden {
		list = append(list, cmd)
	}
	return list
}

// pathLines are variants of a command line, with PATH instead of an operand or the text of
// a flag: those that the line has, and, in the first line of a command, all others.
func pathLines(t *testing.T, root *cobra.Command, line string, seen map[*cobra.Command]bool) (lines []string) {
	t.Helper()
	cmd, rest, err := root.Find(strings.Fields(line))
	testkit.NoError(t, err)
	given := pflag.NewFlagSet("", pflag.ContinueOnError) // values may be none that the flags take
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		if f.Value.Type() == "bool" {
			given.BoolP(f.Name, f.Shorthand, false, "")
		} else {
			given.StringP(f.Name, f.Shorthand, "", "")
		}
	})
	testkit.NoError(t, given.Parse(rest))
	name := strings.TrimPrefix(cmd.CommandPath(), "train ")
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

// path runs the command line with a strange path. worked says that it ended well: it does not
// need the path, or can do something with it.
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
	switch e := a.run(a.Context(), dir, line); {
	case panicked(e.complaint) || e.code < 0 || e.code > exitUsage:
		a.fail("train "+line, e, "it panics, or is killed")
	case e.code != exitDone && (e.complaint == "" || len(e.complaint) > 2000):
		a.fail("train "+line, e, "it does not say in a line what is wrong")
	case before != strange(a.T, dir):
		a.fail("train "+line, e, "before: "+before+"after: "+strange(a.T, dir))
	default:
		return e.code == exitDone
	}
	return false
}

// makeStrange makes the strange paths in a folder, some next to a manifest that is not one of theirs.
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

// strange reports what the strange paths of a folder are and hold.
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

// Each command with its files beyond a link that is followed by "..": the system finds them where
// the link leads to, here on another file system if there is one, and the program does too. It
// leaves the files that it leaves elsewhere, and none where the path would lead if it were folded.
func TestAttackPathsBeyondALink(t *testing.T) {
	t.Parallel()
	a := &attack{T: t, setup: copyOf(t, "", attackSetup...)}
	for i, c := range attackedCommands {
		if every := 4; c.beside != "" || c.visits != nil || !long() && i%every != 1 {
			continue
		}
		a.attacked = c
		plain, linked := a.fresh(), a.fresh()
		if e := a.run(t.Context(), plain, c.line); e.code != exitDone {
			t.Fatalf("train %s: exit %d: %s", c.line, e.code, e.complaint)
		}
		here := otherFileSystem(t)
		testkit.NoError(t, errors.Join(os.Mkdir(filepath.Join(linked, "inside"), 0o777), os.Symlink(filepath.Join(linked, "inside"), filepath.Join(here, "away"))))
		line := beyond(c.line, linked)
		if e := a.run(t.Context(), here, line); e.code != exitDone {
			a.fail("train "+line, e, "it fails")
		}
		os.Remove(filepath.Join(linked, "inside"))
		os.Remove(filepath.Join(plain, resultsFile))
		if got, want := slices.Sorted(maps.Keys(folder(t, linked))), slices.Sorted(maps.Keys(folder(t, plain))); !slices.Equal(got, want) {
			t.Errorf("train %s: it leaves %q, want %q", line, got, want)
		}
		os.Remove(filepath.Join(here, "away"))
		testkit.EqualSlices(t, slices.Collect(maps.Keys(folder(t, here))), []string{resultsFile}, "train %s: in its own folder it leaves", line)
	}
}

// beyond is a command line with the files of a folder, and those that it is to write, beyond the link.
func beyond(line, dir string) string {
	words := strings.Fields(line)
	for i, word := range words {
		if i == 0 {
			continue
		}
		key, file, both := strings.Cut(word, "=")
		if !both {
			key, file = "", word
		} else {
			key += "="
		}
		if _, err := os.Lstat(filepath.Join(dir, file)); err == nil || strings.HasPrefix(file, "out") || file == "tables" {
			words[i] = key + "away/../" + file
		}
	}
	return strings.Join(words, " ")
}

// otherFileSystem is a new folder, on another file system than those of tests if there is one.
func otherFileSystem(t *testing.T) string {
	t.Helper()
	device := func(dir string) uint64 {
		info, err := os.Stat(dir)
		if err != nil {
			return 0
		}
		return uint64(info.Sys().(*syscall.Stat_t).Dev)
	}
	usual := t.TempDir()
	for _, dir := range []string{"/tmp", "/var/tmp", "/dev/shm"} {
		if on := device(dir); on == 0 || on == device(usual) {
			continue
		}
		if dir, err := os.MkdirTemp(dir, "kroo-"); err == nil {
			t.Cleanup(func() { os.RemoveAll(dir) })
			return dir
		}
	}
	return usual
}
