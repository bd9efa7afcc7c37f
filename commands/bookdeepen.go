package commands

import (
	"cmp"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/spec"
	"kroo/run/inspect"
)

// deepenFlags are the flags of `book deepen`.
type deepenFlags struct {
	bookFlags
	search              searchFlags
	farm                farmFlags
	engine              engineFlag
	req                 dropout.DeepenRequest
	board, weights, out string
}

func bookDeepenCommand() *cobra.Command {
	var d deepenFlags
	cmd := &cobra.Command{
		Use:   "deepen BOOK",
		Short: "search the leaves of a book again, with more nodes",
		Long: `Searches leaves of a book again and writes a book of the same positions with the new
values. A leaf is a position after a book move that is not in the book. Only leaves on
lines count along which no single move loses more than --loss to the best book move, nor
all moves together more than --total-loss. Lines with the least loss come first. New
values may bring other lines within the limits; the command ends when every leaf on such
lines is searched, or at --searches or --time.

Use the search settings that made the book ("train book info" prints them). Ctrl-C writes
the book as it is. The log keeps all finished searches: the same command resumes from it,
also with another --searches, --time, --loss, --total-loss or --round.
"train book query" shows where each value comes from.`,
		Example: "  train book deepen book.bin -o deeper.bin\n" +
			"  train book deepen default --nodes 4000000 --loss 0.3 --total-loss 1 -o deeper.bin\n" +
			"  train book deepen book.bin --time 1h -o deeper.bin --farm embedded",
		Args: exactArgs(1, "the book"),
		RunE: func(cmd *cobra.Command, args []string) error { return d.run(cmd, args[0]) },
	}
	d.add(cmd)
	return cmd
}

func (d *deepenFlags) add(cmd *cobra.Command) {
	d.search.add(cmd, 64, engine.Config{Nodes: 4_000_000})
	spec.Default(&d.req)
	spec.Flags(cmd.Flags(), &d.req)
	d.farm.add(cmd)
	d.engine.add(cmd)
	d.bookFlags.add(cmd)
	outFlag(cmd, &d.out, "book to write")
	bookWeightsFlag(cmd, &d.weights)
	positionFlag(cmd, &d.board)
}

func (d *deepenFlags) run(cmd *cobra.Command, path string) error {
	b, err := d.take(cmd, path)
	if err != nil {
		return err
	}
	defer b.Close()
	if err := d.read(cmd, path); err != nil {
		return err
	}
	var leave func()
	if d.req.Farm, leave, err = d.farm.dial(cmd.Context()); err != nil {
		return err
	}
	defer leave()
	d.search.tellDefault("")
	m := newMeter("deepen", "leaves")
	sum, err := dropout.Deepen(cmd.Context(), b, d.req, d.out, func(p dropout.DeepeningProgress) {
		move, points := book.Entry{Scores: p.Scores}.Best()
		m.update(int64(p.Done), int64(p.All), fmt.Sprintf("%s %+.2f", oware.MoveName(move, d.req.Root.ToMove()), book.Seeds(points)))
	})
	m.finish()
	if sum.Entries > 0 {
		err = cmp.Or(err, d.print(cmd.OutOrStdout(), sum))
	}
	if err != nil {
		return resumable{err, thisCommand(), d.req.Log}
	}
	return nil
}

// take checks the flags that have to do with no file, and opens the book.
func (d *deepenFlags) take(cmd *cobra.Command, path string) (b *book.Book, err error) {
	if err := needOut(d.out); err != nil {
		return nil, err
	}
	if err := d.req.Check(); err != nil {
		return nil, usageError{err}
	}
	if d.req.By.Search, err = d.search.config(); err != nil {
		return nil, err
	}
	if err := d.engine.take(cmd, "weights", "hash"); err != nil {
		return nil, err
	}
	d.engine.tables(cmd, &d.req.By.Search.Tables)
	b, d.req.Rules, err = d.open(path)
	return b, err
}

// read makes the request of the other flags.
func (d *deepenFlags) read(cmd *cobra.Command, path string) (err error) {
	if d.req.Root, err = positionOf(oware.Descriptor(), d.req.Rules.String(), d.board); err != nil {
		return err
	}
	d.req.By.Weights, d.req.By.Program, d.req.Notice = d.weights, d.engine.program, tell
	d.req.Log = d.out + ".log"
	outputs := []output{
		{path: d.out, holds: inspect.KindBook, log: d.req.Log, grows: "searches|time|loss|total-loss|round"},
		{path: d.req.Log, holds: inspect.KindJournal},
	}
	d.req.Made, err = takeOutputs(cmd, outputs, path, d.weights, d.search.given.Tables)
	return err
}

func (d *deepenFlags) print(out io.Writer, sum dropout.Deepened) error {
	if d.asJSON {
		return printJSON(out, sum)
	}
	fmt.Fprintf(out, `%d leaves searched again (%d million positions visited), %d left on the lines; ended: %s
%d entries, in %s
now: %s
with %s it can go on
`, sum.Searched, sum.Visited/1e6, sum.Left, sum.Ended, sum.Entries, d.out, book.ScoresText(sum.Scores, d.req.Root.ToMove()), d.req.Log)
	return nil
}
