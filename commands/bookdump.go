package commands

import (
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
)

func bookDumpCommand() *cobra.Command {
	var flags bookFlags
	var format string
	cmd := &cobra.Command{
		Use:     "dump BOOK",
		Aliases: []string{"export"},
		Short:   "write a book as text: one line per entry, or a tree of lines",
		Long: `Writes a book to standard output: csv or json have one line per entry; ogn is
game records whose main line is the best moves, with the others as variations,
each with its value in points (1000/24 for a seed); ogn-flat writes each of these lines
as a game of its own, for programs that read no variations ("train ogn split" makes a
file of each). "export" is another name of this command.`,
		Example: "  train book dump book.bin --format csv > book.csv\n  train book dump default --format ogn > book.ogn",
		Args:    exactArgs(1, "the book"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := oneOf("format", format, book.Formats()...); err != nil {
				return err
			}
			b, rules, err := flags.open(args[0])
			if err != nil {
				return err
			}
			defer b.Close()
			return book.Dump(cmd.Context(), cmd.OutOrStdout(), b, rules, book.Format(format))
		},
	}
	flags.addRules(cmd)
	cmd.Flags().StringVar(&format, "format", string(book.CSV), strings.Join(book.Formats(), ", ")+"; json is one object a line")
	return cmd
}
