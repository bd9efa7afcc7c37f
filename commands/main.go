// Package commands is the command line of Kroo: it turns flags into settings, runs the libraries
// with them, shows progress and prints results.
//
// A program for games of your own is a main function that calls [Main] with a [GameOf] each. Its first
// garbage collection comes when the heap reaches 96 MiB.
package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"kroo/datasets"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/console"
	_ "kroo/internal/firstcollection" // for a quick start
	"kroo/internal/revision"
	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// Exit codes, the same for every command.
const (
	exitDone   = 0
	exitFailed = 1 // the work failed or was stopped, or a check did not pass
	exitUsage  = 2 // the command line is wrong
)

type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// asUsage marks an error as one of the command line; nil stays nil.
func asUsage(err error) error {
	if err != nil {
		err = usageError{err}
	}
	return err
}

// resumable is the error of work that can be resumed.
type resumable struct {
	error
	command string // command line that resumes
	kept    string // what keeps finished work until then: a journal next to the output, or the folder of a run
}

func (r resumable) Unwrap() error { return r.error }

// isUnwritten reports whether a file could not be written but finished work is kept.
func (r resumable) isUnwritten() bool {
	var output *atomicfile.Error
	var errno syscall.Errno
	isSystem := errors.As(r.error, &errno) && !errors.Is(r.error, fs.ErrNotExist) // a missing file is an input
	if !errors.As(r.error, &output) && !isSystem {
		return false
	}
	return r.isKept()
}

func (r resumable) isKept() bool {
	_, err := vfs.Stat(r.kept)
	return err == nil
}

// isFolder reports whether a run's folder keeps the work.
func (r resumable) isFolder() bool {
	info, err := vfs.Stat(r.kept)
	return err == nil && info.IsDir()
}

// Main runs the program with the arguments of the process, for at least one game, and returns the
// exit code. The first game is the default of --game. The commands for oware only (run, book,
// endgame, serve, cg) exist if oware is one of the games.
func Main(games ...Game) int {
	allGames = games
	return execute(os.Args[1:])
}

func execute(args []string) int {
	root := newRoot(args...)
	root.SetArgs(args)
	out := console.NewWriter(os.Stdout)
	root.SetOut(out)
	root.SetErr(console.NewWriter(os.Stderr))
	err := root.ExecuteContext(untilStopped())
	atomicfile.Release()
	if err == nil && out.Err() != nil {
		err = fmt.Errorf("cannot write the results: %w", out.Err())
	}
	return explain(err)
}

// stopWithin is how long a command may take to stop by itself, so that it ends within two seconds
// of the signal even during a system call or a library call that never returns. Journals survive
// that as they survive a kill.
const stopWithin = 1600 * time.Millisecond

// untilStopped returns a context that the first Ctrl-C, SIGTERM or SIGHUP cancels. If the command
// does not stop in time, the program exits; a second signal kills it. An ignored SIGHUP, as under
// nohup, stays ignored.
func untilStopped() context.Context {
	ctx, cancel := context.WithCancel(context.Background())
	wanted := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) {
		wanted = append(wanted, syscall.SIGHUP)
	}
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, wanted...)
	go func() {
		<-signals
		signal.Stop(signals)
		cancel()
		time.Sleep(stopWithin)
		go fmt.Fprintf(os.Stderr, "\n%s: stopped\n", programName()) // may block
		time.Sleep(100 * time.Millisecond)
		os.Exit(exitFailed)
	}()
	return ctx
}

// explain prints an error with what to do, and returns the exit code.
func explain(err error) int {
	messages := console.NewWriter(os.Stderr)
	if err == nil {
		return exitDone
	}
	var usage usageError
	var filter datasets.WrongFilter
	var resume resumable
	switch {
	case errors.As(err, &usage), errors.As(err, &filter):
		fmt.Fprintf(messages, "%s: %v%s\n", programName(), err, suggestFile(err))
		return exitUsage
	case errors.Is(err, context.Canceled) && errors.As(err, &resume) && resume.isKept():
		fmt.Fprintf(messages, "\n%s: stopped; finished work is kept. To resume:\n%s\n",
			programName(), console.FoldCommand("  "+resume.command, os.Stderr))
	case errors.Is(err, context.Canceled):
		fmt.Fprintf(messages, "\n%s: stopped\n", programName())
	default:
		fmt.Fprintf(messages, "%s: %v%s\n", programName(), err, suggestFile(err))
		if errors.As(err, &resume) && resume.isUnwritten() {
			fmt.Fprintf(messages, "Finished work is kept in %s. When files can be written again, resume with:\n  %s\n",
				resume.kept, resume.command)
			if !resume.isFolder() {
				fmt.Fprintln(messages, "To write elsewhere, copy it along: its name starts with the output's.")
			}
		}
		if _, fault := errors.AsType[*engine.Fault](err); fault && errors.As(err, &resume) && resume.isKept() {
			fmt.Fprintf(messages, "Finished work is kept. To try again and continue:\n  %s\n", resume.command)
		}
	}
	return exitFailed
}

// suggestFile suggests a file of the same folder for one that does not exist; "" if none has a similar name.
func suggestFile(err error) string {
	missing, ok := errors.AsType[*fs.PathError](err)
	if !ok || !errors.Is(missing, fs.ErrNotExist) {
		return ""
	}
	entries, err := vfs.ReadDir(filepath.Dir(missing.Path))
	if err != nil {
		return "" // the folder does not exist either
	}
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
	}
	like := wording.FindSimilar(filepath.Base(missing.Path), names)
	if len(like) == 0 {
		return ""
	}
	return fmt.Sprintf("; did you mean the file %s?", filepath.Join(filepath.Dir(missing.Path), like[0]))
}

// Help lists commands in the order of a new user's work.
func init() { cobra.EnableCommandSorting = false }

// Tree returns all commands of Kroo's own program, with their flags and help.
func Tree() *cobra.Command { return newRoot() }

// newRoot returns the tree of commands. If args call one of the root's own, the tree has only that
// one: making the flags of the others would take a tenth of a start.
func newRoot(args ...string) *cobra.Command {
	root := &cobra.Command{
		Use:   programName(),
		Short: "train evaluation weights and opening books for oware",
		Long:  "Kroo for " + wording.List(gameNames(), "and") + " trains evaluation weights, and plays with them.",
		Example: "  train play\n  train sample --n 10000 -o positions.parquet\n" +
			"  train label positions.parquet -o labels.parquet --nodes 10000",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	// Cobra's own flag would link text/template, and then the linker removes no unused methods.
	version := root.Flags().BoolP("version", "v", false, "version for "+programName())
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return (&job{Command: cmd}).do(printVersion)
		}
		return cmd.Help()
	}
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		return cmp.Or(checkEmpty(cmd), checkOutput(cmd), resolvePaths(cmd, args), checkKinds(cmd, args))
	}
	root.CompletionOptions.DisableDefaultCmd = true
	root.DisableAutoGenTag = true
	root.SetFlagErrorFunc(flagError)
	if hasOware() {
		root.Long = `Kroo trains evaluation weights and builds opening books for the mancala game
oware, and plays it. "train run" walks through everything once.`
		root.Example = "  train run\n  train run --preset thesis --print-config > my.toml\n  train play"
	}
	group(root)
	only := ""
	if len(args) > 0 && slices.ContainsFunc(commandGroups(), func(g commandGroup) bool { return g.has(args[0]) }) {
		only = args[0]
	}
	for _, g := range append(commandGroups(), commandGroup{title: topics()}) {
		root.AddGroup(&cobra.Group{ID: g.title, Title: g.title + ":"})
		for _, m := range g.commands {
			if only != "" && m.name != only || slices.Contains(forOware, m.name) && !hasOware() {
				continue
			}
			cmd := m.command()
			cmd.GroupID = g.title
			root.AddCommand(cmd)
		}
	}
	help := helpCommand()
	help.GroupID = "More"
	root.SetHelpCommand(help)
	root.AddCommand(helpTopics()...)
	nameProgram(root)
	root.SetUsageFunc(printUsage)
	root.SetHelpFunc(printHelp)
	return root
}

var forOware = []string{"run", "book", "endgame", "serve", "cg"}

func hasOware() bool { return slices.Contains(gameNames(), oware.Descriptor().Name) }

func printVersion(j *job) error {
	v := struct {
		Revision  string `json:"revision"`
		Engine    string `json:"engine"`
		Go        string `json:"go"`
		System    string `json:"system"`
		Processor string `json:"processor"`
	}{revision.Get(), engine.Signature(), runtime.Version(), runtime.GOOS, runtime.GOARCH}
	return j.print(v, "Kroo %s, engine %s, %s %s/%s\n", v.Revision, v.Engine, v.Go, v.System, v.Processor)
}

func versionCommand() *cobra.Command {
	return newCommand(&cobra.Command{
		Use:     "version",
		Short:   "print the program's revision and its engine's signature",
		Example: "  train version",
	}, printVersion)
}
