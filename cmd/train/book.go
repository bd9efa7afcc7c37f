package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/games/oware"
)

func bookCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "book",
		Short: "opening books of oware: expand, look at, compare, merge, prune, verify",
		Long: `Grows opening books and shows what is in them. A book is a file, or "default" for
the program's own, which is for abapa.`,
		Example: "  train book expand --weights weights.json -o book.bin\n  train book info default\n  train book query book.bin",
	}
	owareOnly(cmd, "opening books")
	group(cmd,
		bookExpandCommand(), bookInfoCommand(), bookQueryCommand(), bookStatsCommand(), bookDumpCommand(),
		bookDiffCommand(), bookMergeCommand(), bookPruneCommand(), bookVerifyCommand(),
	)
	return cmd
}

// scores writes the values of the six moves and marks the best.
func scores(values [oware.Houses]int16, side oware.Side) string {
	e := book.Entry{Scores: values}
	var words []string
	for i, v := range values {
		word := oware.MoveName(oware.Move(i), side) + " –"
		if v != book.Illegal {
			word = fmt.Sprintf("%s %+d", oware.MoveName(oware.Move(i), side), v)
			if e.IsBest(oware.Move(i)) {
				word += "*"
			}
		}
		words = append(words, word)
	}
	return strings.Join(words, "  ") + "  (points; 41.7 are a seed)"
}
