package commands

import (
	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/games/oware"
)

// bookFlags are those of the commands that read a book.
type bookFlags struct {
	rules  string
	asJSON bool
}

func (f *bookFlags) add(cmd *cobra.Command) {
	f.addRules(cmd)
	jsonFlag(cmd, &f.asJSON)
}

func (f *bookFlags) addRules(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.rules, "rules", "", servedRules()+" (default: as the book says, or abapa)")
}

// open opens a book, under the rules of the flag or else its own.
func (f *bookFlags) open(path string) (*book.Book, oware.Rules, error) {
	if f.rules != "" {
		if _, err := parseRules(f.rules); err != nil {
			return nil, 0, err
		}
	}
	return book.FindNamed(path, f.rules)
}

// openTwo opens two books for the same rules.
func (f *bookFlags) openTwo(paths []string) (a, b *book.Book, err error) {
	if a, _, err = f.open(paths[0]); err != nil {
		return nil, nil, err
	}
	if b, _, err = f.open(paths[1]); err != nil {
		a.Close()
		return nil, nil, err
	}
	return a, b, nil
}
