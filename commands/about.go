package commands

import (
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

func printVersion(j *job) error {
	v := version{revision.Get(), engine.Signature(), runtime.Version(), runtime.GOOS, runtime.GOARCH}
	return j.say(v, "Kroo %s, engine %s, %s %s/%s\n", v.Revision, v.Engine, v.Go, v.System, v.Processor)
}

func versionCommand() *cobra.Command {
	return newCommand(&cobra.Command{
		Use:     "version",
		Short:   "print the program's revision and its engine's signature",
		Example: "  train version",
	}, printVersion)
}
