package commands

import "github.com/spf13/cobra"

func bookCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "book",
		Short: "opening books of oware: grow, query, compare, merge, verify",
		Long: `Grows opening books and shows what is in them. A book is a file, or "default" for
the program's own, which is for abapa.`,
		Example: "  train book expand --weights weights.json -o book.bin\n  train book info default\n  train book query book.bin",
	}
	group(cmd,
		bookExpandCommand(), bookDeepenCommand(), bookInfoCommand(), bookQueryCommand(), bookStatsCommand(), bookDumpCommand(),
		bookDiffCommand(), bookMergeCommand(), bookPruneCommand(), bookVerifyCommand(),
	)
	return cmd
}
