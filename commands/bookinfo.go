package commands

import (
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/games/oware"
)

// bookInfo is what a book says of itself.
type bookInfo struct {
	Signature   string            `json:"signature"` // first line of the header
	Fields      map[string]string `json:"fields"`    // rules, engine, weights, limits, …
	Rules       string            `json:"rules"`
	Entries     int               `json:"entries"`
	Checksum    string            `json:"checksum"`    // of the entries, CRC-32C
	Checksummed bool              `json:"checksummed"` // the header has one, and it is right
	Start       *book.Named       `json:"start,omitempty"`
}

func bookInfoCommand() *cobra.Command {
	var flags bookFlags
	cmd := &cobra.Command{
		Use:   "info BOOK",
		Short: "show a book's header, its size, and the values at the start",
		Long: `Prints the header of a book: what made it, with which rules, weights and
limits; the number of entries and their checksum; and the values of the moves at
the start, if the book has that position.`,
		Example: "  train book info default\n  train book info book.bin --json",
		Args:    exactArgs(1, "the book"),
		RunE: func(cmd *cobra.Command, args []string) error {
			b, rules, err := flags.open(args[0])
			if err != nil {
				return err
			}
			defer b.Close()
			info := bookInfo{
				Signature: b.Header().Signature, Fields: map[string]string{}, Rules: rules.String(), Entries: b.Len(),
				Checksum: b.Checksum(), Checksummed: b.Header().Get(book.FieldChecksum) != "",
			}
			for _, f := range b.Header().Told() {
				info.Fields[f.Name] = f.Value
			}
			start := oware.Start(rules)
			e, found := b.Lookup(start.BookKey())
			if err := b.Err(); err != nil {
				return err
			}
			if found {
				j := e.Named(start)
				info.Start = &j
			}
			if flags.asJSON {
				return printJSON(cmd.OutOrStdout(), info)
			}
			printBookInfo(cmd.OutOrStdout(), b, info)
			if found {
				fmt.Fprintf(cmd.OutOrStdout(), "at the start: %s\n", book.ScoresText(e.Scores, start.ToMove()))
			}
			return nil
		},
	}
	flags.add(cmd)
	return cmd
}

func printBookInfo(w io.Writer, b *book.Book, info bookInfo) {
	sum := info.Checksum + ", as the header says"
	if !info.Checksummed {
		sum = info.Checksum + "; the header has none to compare"
	}
	fmt.Fprintf(w, "%s\n%d entries, rules %s, checksum %s\n", info.Signature, info.Entries, info.Rules, sum)
	for _, f := range b.Header().Told() {
		switch f.Name {
		case book.FieldEntries, book.FieldChecksum, book.FieldHeaderChecksum, book.FieldRules:
		default:
			fmt.Fprintf(w, "  %s: %s\n", f.Name, f.Value)
		}
	}
}
