package main

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/internal/plural"
	"kroo/internal/revision"
	"kroo/internal/vfs"
)

func printVersion(cmd *cobra.Command) error {
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "Kroo %s, engine %s, %s %s/%s\n", revision.Get(), engine.Signature(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "the revision of the program and the signature of its engine",
		Example: "  train version",
		Args:    exactArgs(0, "no operands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return printVersion(cmd) },
	}
}

func manCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "man FOLDER",
		Short:   "write the manual pages of all commands",
		Long:    "Writes a manual page for every command into a folder, which is made if need be.",
		Example: "  train man ~/.local/share/man/man1\n  man train-book-expand",
		Args:    exactArgs(1, "a folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := vfs.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			n, err := writePages(cmd.Root(), args[0])
			if err != nil {
				return err
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s in %s\n", plural.Of(n, "page"), args[0])
			return err
		},
	}
}
