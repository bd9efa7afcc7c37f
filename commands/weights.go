package commands

import (
	"io"

	"github.com/spf13/cobra"

	"kroo/internal/atomicfile"
	"kroo/run/inspect"
)

func weightsCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "weights",
		Short:   "show weights, calibrate them, or write them for other programs",
		Example: "  train weights info default\n  train weights export default --format c -o champion.c",
	}
	group(cmd, weightsInfoCommand(), weightsExportCommand(), weightsCalibrateCommand())
	return cmd
}

func weightsInfoCommand() *cobra.Command {
	var asJSON bool
	cmd := &cobra.Command{
		Use:     "info WEIGHTS",
		Short:   "show set, hashes, rules and origin of weights",
		Long:    "Prints set, size, hashes, rules and origin of a weights file, or of an evaluation\nby name: " + evaluationNames() + ".",
		Example: "  train weights info champion.weights\n  train weights info thesis4 --json",
		Args:    exactArgs(1, "a weights file or a name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			w, err := inspected().Weights(args[0])
			if err != nil {
				return err
			}
			d := w.Facts().Doc()
			d.Value = w.Facts() // of weights of all kinds
			return show(cmd, args[0], d)
		},
	}
	jsonFlag(cmd, &asJSON)
	return cmd
}

func weightsExportCommand() *cobra.Command {
	var format, out string
	cmd := &cobra.Command{
		Use:   "export WEIGHTS",
		Short: "write weights as JSON, CSV, C, or a bot in C++",
		Long: `Writes weights for your own programs. json and csv contain the weight of every
column by name, in points, if the model of pattern weights is there (NAME.model,
given or next to NAME.weights); otherwise the integers of the engine's tables, by
table and index. c is a C99 source file with these tables and a function that
reads them. docs/formats.md has a reader of each. bot is a complete bot for the
CodinGame arena in one C++ file of less than 100 000 characters: a search, and the
weights reduced to pairs of houses; docs/tasks/your-engine.md shows how to play it.`,
		Example: "  train weights export default --format c -o champion.c\n  train weights export default -o champion.json\n  train weights export champion.model --format csv > champion.csv\n  train weights export default --format bot -o bot.cpp",
		Args:    exactArgs(1, "a weights file or a name"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, "json", "csv", "c", "bot"); err != nil {
				return err
			}
			w, err := inspected().Weights(args[0])
			if err != nil {
				return err
			}
			write := func(to io.Writer) error { return w.Export(to, format) }
			if out == "" || out == "-" {
				return write(cmd.OutOrStdout())
			}
			holds := inspect.KindUnknown
			if format == "json" && w.Facts().Thesis != nil { // a file that can be read back
				holds = inspect.KindWeights
			}
			if _, err := takeOutputs(cmd, []output{{path: out, holds: holds, compared: true}}, args[0]); err != nil {
				return err
			}
			return atomicfile.WriteFile(out, write)
		},
	}
	cmd.Flags().StringVar(&format, "format", "json", "json, csv, c or bot")
	outFlag(cmd, &out, "file to write (default -, the standard output)")
	cmd.Flags().Lookup("output").Annotations = map[string][]string{printable: {}}
	return cmd
}
