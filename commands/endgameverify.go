package commands

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"kroo/endgame"
	independent "kroo/endgame/check"
	"kroo/games/oware"
	"kroo/internal/memory"
	"kroo/internal/outline"
	"kroo/internal/vfs"
)

func endgameVerifyCommand() *cobra.Command {
	var f struct {
		rulesFlag
		Independent bool `name:"independent" help:"check the table with code that shares nothing with the builder"`
	}
	return newCommand(&cobra.Command{
		Use:   "verify [TABLE]",
		Short: "check every entry of a table",
		Long: `Checks that every entry follows from its successors. Prints the first position that is
wrong. TABLE is a file or a folder; the default is the program's own table.

With --independent, a checker that shares no code with the table builder does this
instead, with more memory. It has its own rules and computes the bounds of every position
again from the levels below. Resolved values have to be within them; where the bounds are not equal, the
value depends on history, and the summary counts such positions.`,
		Example: "  train endgame verify --independent\n" +
			"  train endgame verify tables/abapa.endgame\n" +
			"  train endgame verify tables --rules awari",
	}, func(j *job) error {
		if f.Independent {
			return verifyIndependently(j, f.Rules)
		}
		t, err := j.openTable(f.Rules)
		if err != nil {
			return err
		}
		err = t.Verify(j.Context(), j.progress("entries", "positions"))
		if fault, ok := errors.AsType[*endgame.Fault](err); ok {
			fmt.Fprint(j.text(), fault.Position.Diagram())
		}
		if err != nil {
			return err
		}
		const passed = "entries follow from their successors"
		return j.print([]string{passed}, "%s: no problems\n", passed)
	}, &f)
}

// verifyIndependently checks a table with package check, which shares no code with package endgame.
func verifyIndependently(j *job, asked rules) error {
	path := j.operand()
	file, err := tableBytes(path, oware.Rules(asked))
	if err != nil {
		return err
	}
	levels, err := independent.Table(j.Context(), file, j.progress("independent check", "positions").At)
	if err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(path, "the default table"), err)
	}
	t := outline.NewTable("seeds", "positions", "open by bounds")
	positions, open := 0, 0
	for _, l := range levels {
		positions += l.Positions
		open += l.Open
		t.Add(l.Seeds, l.Positions, l.Open)
	}
	d := &outline.Doc{Value: levels}
	if open > 0 {
		d.Add(outline.Section{
			Table: t,
			Note:  fmt.Sprintf("%d of them have a resolved value within their bounds; it depends on history and cannot be checked further", open),
		})
	}
	d.Addf("the bounds of %d positions, computed again: no problems", positions)
	return j.show("", d)
}

// checkBytes is the most memory that the check needs per byte of a table: for the last level two
// numbers, two bytes per role, and up to six moves, in lists that grow.
const checkBytes = 50

// tableBytes returns the file of a table, or of the program's own if the path is "". It refuses a
// table for whose check the memory does not suffice.
func tableBytes(path string, r oware.Rules) ([]byte, error) {
	if path != "" {
		path = endgame.File(path, r)
		info, err := vfs.Stat(path)
		if err != nil {
			return nil, err
		}
		if err := memory.Check("the independent check of "+path, checkBytes*info.Size()); err != nil {
			return nil, err
		}
		return vfs.ReadUpTo(path, info.Size())
	}
	var b bytes.Buffer
	t, err := endgame.Default(r)
	if err != nil {
		return nil, err
	}
	if err := t.Encode(&b); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
