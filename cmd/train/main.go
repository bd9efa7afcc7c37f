// Train is Kroo's command: it samples oware positions, labels, fits, plays
// matches, grows opening books and plays. `train --help` lists the commands.
package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"github.com/spf13/cobra"
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

// resumable is an interruption that a command can go on from.
type resumable struct {
	error
	command string // that goes on
}

func (r resumable) Unwrap() error { return r.error }

func main() { os.Exit(execute(os.Args[1:])) }

func execute(args []string) int {
	root := newRoot()
	root.SetArgs(args)
	return explain(root.ExecuteContext(untilStopped()))
}

// untilStopped returns a context that the first Ctrl-C, SIGTERM or SIGHUP cancels: it
// asks for a clean stop. A second one ends the program. Where SIGHUP is ignored, as
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
	}()
	return ctx
}

// explain prints an error for a person and says what the program exits with.
func explain(err error) int {
	if err == nil {
		return exitDone
	}
	var usage usageError
	var stopped resumable
	switch {
	case errors.As(err, &usage):
		fmt.Fprintf(os.Stderr, "train: %v\n", err)
		return exitUsage
	case errors.Is(err, context.Canceled) && errors.As(err, &stopped):
		fmt.Fprintf(os.Stderr, "\ntrain: stopped; what was finished is kept. To go on:\n  %s\n", stopped.command)
	case errors.Is(err, context.Canceled):
		fmt.Fprintln(os.Stderr, "\ntrain: stopped")
	default:
		fmt.Fprintf(os.Stderr, "train: %v\n", err)
	}
	return exitFailed
}

func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:   "train",
		Short: "train evaluation weights and opening books for oware",
		Long: `Kroo trains evaluation weights and builds opening books for the mancala game
oware, and plays it. "train run" walks through everything once.`,
		Example:       "  train run\n  train run --preset thesis --print-config > my.toml\n  train play",
		SilenceErrors: true,
		SilenceUsage:  true,
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%v: see `%s --help`", err, cmd.CommandPath())
	})
	group(root,
		runCommand(), sampleCommand(), labelCommand(), featuresCommand(), fitCommand(),
		inspectCommand(), matchCommand(), bookCommand(), uciCommand(), playCommand(),
		perftCommand(), endgameCommand(), studyCommand(), benchCommand(),
		evaluateCommand(), weightsCommand(),
	)
	return root
}

// someArgs asks for min to max operands, named in usage.
func someArgs(min, max int, usage string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < min || len(args) > max {
			return usagef("%s takes %s, got %d operands: see `%s --help`", cmd.CommandPath(), usage, len(args), cmd.CommandPath())
		}
		return nil
	}
}

// exactArgs asks for n operands, named in usage.
func exactArgs(n int, usage string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) != n {
			return usagef("%s takes %s, got %d operands: see `%s --help`", cmd.CommandPath(), usage, len(args), cmd.CommandPath())
		}
		return nil
	}
}
