package commands

import (
	"github.com/spf13/cobra"

	"kroo/book"
)

// games shows how far the games of a file stay inside a book.
func (f *statsFlags) games(cmd *cobra.Command, path, recorded string) error {
	if f.draw != "" {
		return usagef("--draw makes pictures of a book: expected no file of games")
	}
	b, rules, err := f.open(path)
	if err != nil {
		return err
	}
	defer b.Close()
	records, err := gamesUnder(rules, recorded)
	if err != nil {
		return err
	}
	s, err := book.Play(cmd.Context(), b, rules, records)
	if err != nil {
		return err
	}
	return show(cmd, "", s.Doc())
}
