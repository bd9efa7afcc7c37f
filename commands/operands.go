package commands

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"kroo/games"
	"kroo/internal/spec"
	"kroo/internal/wording"
)

// group adds subcommands to a command. An unknown subcommand is an error that suggests similar
// ones. A command that does nothing itself prints its help.
func group(cmd *cobra.Command, subcommands ...*cobra.Command) *cobra.Command {
	cmd.AddCommand(subcommands...)
	cmd.SuggestionsMinimumDistance = 2
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		if len(args) > 0 {
			return unknownCommand(cmd, args[0])
		}
		return nil
	}
	if cmd.RunE == nil {
		cmd.RunE = func(cmd *cobra.Command, _ []string) error { return cmd.Help() }
	}
	return cmd
}

// fewCommands is the number of commands that an error lists.
const fewCommands = 6

// flagError completes the error of a flag that cannot be parsed. If the command is unknown, the
// error is about its name.
func flagError(cmd *cobra.Command, err error) error {
	if words := cmd.Flags().Args(); cmd.HasSubCommands() && len(words) > 0 {
		return unknownCommand(cmd, words[0])
	}
	nearest := ""
	if unknown, ok := errors.AsType[*pflag.NotExistError](err); ok {
		if err := checkFlag(cmd, unknown.GetSpecifiedName()); err != nil {
			return err
		}
		nearest = nearestFlags(cmd, unknown.GetSpecifiedName())
	}
	if wrong, ok := errors.AsType[*pflag.InvalidValueError](err); ok && wrong.GetFlag().Annotations[spec.Group] != nil {
		err = fmt.Errorf("--%s is %q: %w", wrong.GetFlag().Name, wrong.GetValue(), wrong.Unwrap())
		if _, failed := strconv.ParseFloat(wrong.GetValue(), 64); failed == nil {
			err = fmt.Errorf("--%s is %s: %w", wrong.GetFlag().Name, wrong.GetValue(), wrong.Unwrap())
		}
	}
	return usagef("%v: %ssee `%s --help`", err, nearest, cmd.CommandPath())
}

// nearestFlags suggests flags similar to a name, as cobra does for commands; "" if there are none.
func nearestFlags(cmd *cobra.Command, name string) string {
	all := &cobra.Command{SuggestionsMinimumDistance: 2}
	cmd.Flags().VisitAll(func(f *pflag.Flag) {
		all.AddCommand(&cobra.Command{Use: f.Name, Hidden: f.Hidden, Run: func(*cobra.Command, []string) {}})
	})
	like := all.SuggestionsFor(name)
	if len(like) == 0 || len(name) < 2 {
		return ""
	}
	return fmt.Sprintf("did you mean --%s? ", strings.Join(like, " or --"))
}

// unknownCommand returns the error for an unknown subcommand.
func unknownCommand(cmd *cobra.Command, name string) error {
	_, path, _ := strings.Cut(cmd.CommandPath()+" "+name, " ")
	if err := checkName(path, cmd.CommandPath()+" "+name); err != nil {
		return err
	}
	var names []string
	for _, c := range cmd.Commands() {
		if c.IsAvailableCommand() {
			names = append(names, c.Name())
		}
	}
	var nearest string
	if like := cmd.SuggestionsFor(name); len(like) > 0 {
		nearest = fmt.Sprintf("did you mean %s? ", games.OrList(like))
	}
	if len(names) > fewCommands {
		return usagef("unknown command %q: %s`%s --help` lists the commands", name, nearest, cmd.CommandPath())
	}
	return usagef("unknown command %q: %s`%s` has the commands %s", name, nearest, cmd.CommandPath(), games.OrList(names))
}

// someArgs requires min to max operands, described by usage.
func someArgs(min, max int, usage string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) < min || len(args) > max {
			given := "nothing"
			if n := len(args); n > 0 {
				given = wording.Count(n, "argument")
			}
			return usagef("%s: expected %s, got %s: see `%s --help`", cmd.Name(), usage, given, cmd.CommandPath())
		}
		return nil
	}
}

// exactArgs requires n operands, described by usage.
func exactArgs(n int, usage string) cobra.PositionalArgs { return someArgs(n, n, usage) }
