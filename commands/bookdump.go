package commands

import (
	"github.com/spf13/cobra"

	"kroo/book"
)

func bookDumpCommand() *cobra.Command {
	return withoutJSON(&cobra.Command{
		Use:     "dump BOOK",
		Aliases: []string{"export"},
		Short:   "write a book as CSV: one line per entry",
		Long: `Writes a book to standard output: one line per entry, with the board and the values of
its moves in points (1000/24 per seed). "export" is another name of this command.`,
		Example: "  train book dump book.bin > book.csv",
	}, func(j *job) error {
		b, r, err := openBook(j.args[0])
		if err != nil {
			return err
		}
		return book.Dump(j.OutOrStdout(), b, r)
	})
}
