package commands

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/internal/revision"
)

func printVersion(cmd *cobra.Command) error {
	_, err := fmt.Fprintf(cmd.OutOrStdout(), "Kroo %s, engine %s, %s %s/%s\n", revision.Get(), engine.Signature(), runtime.Version(), runtime.GOOS, runtime.GOARCH)
	return err
}

func versionCommand() *cobra.Command {
	return &cobra.Command{
		Use:     "version",
		Short:   "print the program's revision and its engine's signature",
		Example: "  train version",
		Args:    exactArgs(0, "no operands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return printVersion(cmd) },
	}
}
