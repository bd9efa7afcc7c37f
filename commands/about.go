package commands

import (
	"fmt"
	"runtime"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/internal/revision"
)

// version is what the program is, as JSON.
type version struct {
	Revision  string `json:"revision"`
	Engine    string `json:"engine"`
	Go        string `json:"go"`
	System    string `json:"system"`
	Processor string `json:"processor"`
}

func printVersion(cmd *cobra.Command) error {
	v := version{revision.Get(), engine.Signature(), runtime.Version(), runtime.GOOS, runtime.GOARCH}
	fmt.Fprintf(text(cmd), "Kroo %s, engine %s, %s %s/%s\n", v.Revision, v.Engine, v.Go, v.System, v.Processor)
	return value(cmd, v)
}

func versionCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "version",
		Short:   "print the program's revision and its engine's signature",
		Example: "  train version",
		Args:    exactArgs(0, "no operands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return printVersion(cmd) },
	}
	jsonFlag(cmd, new(bool))
	return cmd
}
