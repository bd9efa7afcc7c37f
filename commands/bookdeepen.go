package commands

import (
	"slices"

	"github.com/spf13/cobra"

	"kroo/dropout"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/internal/console"
	"kroo/run/inspect"
)

type deepenArgs struct {
	engine.Config
	dropout.RefineRequest `name:"."`
	farmFlags
	engineFlag
	bookWeightsFlag
	positionFlag
	Out string `name:"output" flag:"output,o" file:"made" help:"book to write"`
}

func bookDeepenCommand() *cobra.Command {
	d := deepenArgs{Config: engine.Config{HashMB: 64, Nodes: 4_000_000}}
	return newCommand(&cobra.Command{
		Use:   "deepen BOOK",
		Short: "search the leaves of a book again, with more nodes",
		Long: `Searches leaves of a book again and writes a book of the same positions with the new
values. A leaf is a position after a book move that is not in the book. It
searches those on lines where no single move loses more than --loss to the best book move
and all moves together lose at most --total-loss, lines with the least loss first. New
values may bring other lines within the limits; the command ends when every leaf on such
lines is searched, or at --searches or --time.

Use the search settings that made the book ("train inspect BOOK" prints them). Ctrl-C writes
the book as of the last finished round. The log keeps all finished searches: the same command
resumes from it, also with another --searches, --time, --loss, --total-loss or --round.
"train book query" shows where each value comes from.
` + engineHelp,
		Example: "  train book deepen book.bin -o deeper.bin\n" +
			"  train book deepen default --nodes 4000000 --loss 0.3 --total-loss 1 -o deeper.bin\n" +
			"  train book deepen book.bin --time 1h -o deeper.bin --farm embedded",
	}, d.run, &d)
}

func (d *deepenArgs) run(j *job) error {
	req := d.RefineRequest
	if err := asUsage(req.Check()); err != nil {
		return err
	}
	var err error
	req.By, err = d.engineFlag.searcher(j, d.Weights, &d.Config)
	if err != nil {
		return err
	}
	req.Notice, req.Log = console.Warn, d.Out+".log"
	b, r, err := openBook(j.args[0])
	if err != nil {
		return err
	}
	req.Root, err = positionOf(oware.Descriptor(), r.String(), "--position", d.Position)
	if err != nil {
		return err
	}
	req.Rules = r
	outputs := []output{
		{path: d.Out, kind: inspect.KindBook, log: req.Log, unlogged: []string{"position", "rules"}},
		{path: req.Log, kind: inspect.KindJournal},
	}
	req.Made, err = j.claimOutputs(outputs, slices.Concat([]string{j.args[0], d.Weights, d.Tables}, programFiles(req.By))...)
	if err != nil {
		return err
	}
	req.Farm, err = j.dial(d.farmFlags)
	if err != nil {
		return err
	}
	sum, err := dropout.Refine(j.Context(), b, req, d.Out, j.progress("deepen", "leaves"))
	if sum.Entries > 0 {
		if err := j.show("", sum.Doc(d.Out, req)); err != nil {
			return err
		}
	}
	return err
}
