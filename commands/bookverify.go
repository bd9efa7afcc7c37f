package commands

import (
	"fmt"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/endgame"
	"kroo/engine"
	"kroo/games/oware"
)

func bookVerifyCommand() *cobra.Command {
	var f tablesFlag
	return newCommand(&cobra.Command{
		Use:   "verify BOOK",
		Short: "check a book for errors; exit 1 if there are any",
		Long: `Checks the checksums and the order of a book, that its positions and moves are
legal, that a move to another entry has the negative of the best value there (or, if
it closes a cycle, the value of the repetition by the rules), and that no value
contradicts the endgame tables. A book without checksums, as other programs write
them, gives a warning only.`,
		Example: "  train book verify book.bin\n  train book verify default --tables none --json",
	}, func(j *job) error { return verifyBook(j, f.Tables) }, &f)
}

// verifyBook checks the book of the operand, also by the endgame tables if there are any.
func verifyBook(j *job, tables string) error {
	path := j.args[0]
	var table *endgame.Table
	open := func(rules oware.Rules) (_ book.Prober, err error) {
		table, err = engine.OpenTable(tables, rules.String())
		if table == nil {
			return nil, err
		}
		j.closers = append(j.closers, func() { table.Close() })
		return table, nil
	}
	r, err := book.Verify(j.Context(), path, open)
	if err != nil {
		return err
	}
	if table != nil && table.Err() != nil {
		return table.Err()
	}
	if err := j.show(path, r.Doc()); err != nil {
		return err
	}
	if !r.OK() {
		return fmt.Errorf("%s: the book has errors", path)
	}
	return nil
}
