// Package commands is the command line of Kroo: it turns flags into the settings of libraries,
// runs them, shows their progress and prints what they found.
//
// A program for games of your own is a main function that calls [Main] with [GameOf] each of them.
package commands

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"slices"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/atomicfile"
	"kroo/internal/vfs"
)

// Exit codes, the same for every command.
const (
	exitDone   = 0
	exitFailed = 1 // the work failed, or a check did not pass
	exitUsage  = 2 // the command line is wrong
)

// usageError marks an error that is the command line's.
type usageError struct{ error }

func usagef(format string, args ...any) error { return usageError{fmt.Errorf(format, args...)} }

// resumable is an interruption that a command can continue from.
type resumable struct {
	error
	command string // that continues
	journal string // where finished work is kept until the output is written
}

func (r resumable) Unwrap() error { return r.error }

// Main is a program for some games, at least one: it does what the arguments of the process say,
// and returns the exit code. The first game is the one of commands that do not name any. Commands
// for oware alone (run, book, endgame, serve, cg) are there if one of the games is oware.
func Main(games ...Game) int {
	delayFirstCollection()
	allGames = games
	return execute(os.Args[1:])
}

func execute(args []string) int {
	root := newRoot(args...)
	root.SetArgs(args)
	out := &results{to: os.Stdout}
	root.SetOut(out)
	root.SetErr(&results{to: os.Stderr})
	err := root.ExecuteContext(untilStopped())
	atomicfile.Release()
	if err == nil && out.err != nil {
		err = fmt.Errorf("cannot write the results: %w", out.err)
	}
	return explain(err)
}

// stopWithin is how long a command has to stop by itself: two seconds after the signal it must
// have ended, whatever it is in the middle of, a system call or a library that never returns.
// What it leaves then is what a kill leaves, and every journal survives that.
const stopWithin = 1600 * time.Millisecond

// untilStopped returns a context that the first Ctrl-C, SIGTERM or SIGHUP cancels: it
// asks for a clean stop, and ends the program if that takes too long. A second one ends it at once. Where SIGHUP is ignored, as
// under nohup, it stays so.
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
		go fmt.Fprintln(os.Stderr, "\ntrain: stopped") // nobody may be reading it
		time.Sleep(100 * time.Millisecond)
		os.Exit(exitFailed)
	}()
	whenTimeIsUp(cancel)
	return ctx
}

// explain prints an error for a person and says what the program exits with.
func explain(err error) int {
	messages := &results{to: os.Stderr}
	if err == nil {
		return exitDone
	}
	var usage usageError
	var stopped resumable
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(messages, "train: %v\n", err)
		return exitUsage
	case errors.Is(err, context.Canceled) && errors.As(err, &stopped) && stopped.kept():
		fmt.Fprintf(messages, "\ntrain: stopped; finished work is kept. To resume:\n  %s\n", stopped.command)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(messages, "\ntrain: stopped")
	default:
		fmt.Fprintf(messages, "train: %v\n", err)
		if errors.As(err, &stopped) && stopped.unwritten() {
			fmt.Fprintf(messages, "Finished work is kept in %s. When files can be written again, resume with:\n  %s\n"+
				"To write elsewhere, copy it along: its name starts with that of the output.\n", stopped.journal, stopped.command)
		}
		if _, fault := errors.AsType[*engine.Fault](err); fault && errors.As(err, &stopped) && stopped.kept() {
			fmt.Fprintf(messages, "Finished work is kept. To try again and continue:\n  %s\n", stopped.command)
		}
	}
	return exitFailed
}

// unwritten reports whether the system did not write a file, and the journal has kept
// the work.
func (r resumable) unwritten() bool {
	var output *atomicfile.Error
	var errno syscall.Errno
	if !errors.As(r.error, &output) && !errors.As(r.error, &errno) {
		return false
	}
	return r.kept()
}

// kept reports whether there is a journal.
func (r resumable) kept() bool {
	_, err := vfs.Stat(r.journal)
	return err == nil
}

// newRoot makes the tree of commands. If args call one of the root's own, the tree has only that
// one: flags of all others would take a tenth of a start.
func newRoot(args ...string) *cobra.Command {
	root := &cobra.Command{
		Use:   "train",
		Short: "train evaluation weights and opening books for oware",
		Long:  "Kroo for " + games.List(gameNames(), "and") + " trains evaluation weights, and plays with them.",
		Example: "  train play\n  train sample --n 10000 -o positions.parquet\n" +
			"  train label positions.parquet -o labels.parquet --nodes 10000",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	// cobra's own flag would link text/template, with which no method can be left out.
	version := root.Flags().BoolP("version", "v", false, "version for train")
	root.RunE = func(cmd *cobra.Command, _ []string) error {
		if *version {
			return printVersion(&job{Command: cmd})
		}
		return cmd.Help()
	}
	cobra.EnableTraverseRunHooks = true // a group's own check comes behind this one
	root.PersistentPreRunE = func(cmd *cobra.Command, args []string) error {
		return cmp.Or(noneRemoved(cmd, args), noneEmpty(cmd), noneMissing(cmd), resolvePaths(cmd, args))
	}
	root.SetHelpCommand(helpCommand())
	root.CompletionOptions.DisableDefaultCmd = true
	root.DisableAutoGenTag = true
	root.SetFlagErrorFunc(flagError)
	if hasOware() {
		root.Long = `Kroo trains evaluation weights and builds opening books for the mancala game
oware, and plays it. "train run" walks through everything once.`
		root.Example = "  train run\n  train run --preset thesis --print-config > my.toml\n  train play"
	}
	group(root)
	all := makers()
	called := func(m maker) bool { return len(args) > 0 && args[0] == m.name }
	if i := slices.IndexFunc(all, called); i >= 0 {
		all = all[i : i+1]
	}
	for _, m := range all {
		root.AddCommand(m.command())
	}
	root.AddCommand(helpTopics()...)
	groupCommands(root)
	root.SetUsageFunc(usage)
	addRemoved(root)
	completeFlags(root)
	return root
}

// maker makes the command of a name.
type maker struct {
	name    string
	command func() *cobra.Command
}

// makers make the root's commands: for any game, and for oware where that is one of the games.
func makers() []maker {
	list := []maker{
		{"sample", sampleCommand}, {"label", labelCommand}, {"features", featuresCommand}, {"fit", fitCommand},
		{"inspect", inspectCommand}, {"match", matchCommand}, {"tune", tuneCommand}, {"uci", uciCommand},
		{"play", playCommand}, {"perft", perftCommand}, {"study", studyCommand}, {"bench", benchCommand},
		{"farm", farmCommand}, {"engine", engineCommand}, {"evaluate", evaluateCommand}, {"weights", weightsCommand},
		{"ogn", ognCommand}, {"convert", convertCommand}, {"adopt", adoptCommand}, {"analyse", analyseCommand},
		{"version", versionCommand}, {"completion", completionCommand},
	}
	if !hasOware() {
		return list
	}
	return append(list, []maker{
		{"run", runCommand}, {"book", bookCommand}, {"endgame", endgameCommand}, {"serve", serveCommand}, {"cg", cgCommand},
	}...)
}

func hasOware() bool { return slices.Contains(gameNames(), oware.Descriptor().Name) }
