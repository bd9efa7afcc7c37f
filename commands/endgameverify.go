package commands

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"math"

	"github.com/spf13/cobra"

	"kroo/endgame"
	independent "kroo/endgame/check"
	"kroo/games/oware"
	"kroo/internal/mapfile"
	"kroo/internal/memory"
	"kroo/internal/outline"
)

func endgameVerifyCommand() *cobra.Command {
	var f struct {
		rulesFlag
		Independent bool `name:"independent" help:"check the table with code that shares nothing with the builder"`
		Sample      int  `name:"sample" help:"with --independent, random positions to check of each level that is too large for the memory"`
	}
	return newCommand(&cobra.Command{
		Use:   "verify [TABLE]",
		Short: "check every entry of a table",
		Long: `Checks that every entry follows from its successors. Prints the first position that is
wrong. TABLE is a file or a folder; the default is the program's own table.

With --independent, a checker that shares no code with the table builder does this
instead, with more memory. It has its own rules and computes the bounds of every position
again from the levels below. Resolved values have to be within them; where the bounds are not equal, the
value depends on history, and the summary counts such positions. A level for which the memory does not
suffice is an error, or with --sample it is checked at random positions: their values must be those
that their moves give.`,
		Example: "  train endgame verify --independent\n" +
			"  train endgame verify tables/abapa.endgame\n" +
			"  train endgame verify tables --independent --sample 1000000\n" +
			"  train endgame verify tables --rules awari",
	}, func(j *job) error {
		if f.Sample < 0 || f.Sample > 0 && !f.Independent {
			return usagef("--sample is %d: expected a number of positions, together with --independent", f.Sample)
		}
		if f.Independent {
			return verifyIndependently(j, f.Rules, f.Sample)
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
func verifyIndependently(j *job, asked rules, sample int) error {
	path := j.operand()
	file, err := openTableFile(path, oware.Rules(asked))
	if err != nil {
		return err
	}
	defer file.Close()
	limits := independent.Limits{Memory: math.MaxInt64, Sample: sample}
	if free, known := memory.Free(); known {
		limits.Memory = free
	}
	var levels []independent.Level
	unreadable := file.Guard(func() {
		levels, err = independent.Table(j.Context(), file.Data, limits, j.progress("independent check", "positions").At)
	})
	err = cmp.Or(unreadable, file.Err(), err)
	if errors.Is(err, independent.ErrMemory) && sample == 0 {
		err = fmt.Errorf("%w; --sample 1000000 checks a million positions of each such level", err)
	}
	if err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(path, "the default table"), err)
	}
	return j.show("", describeCheck(levels))
}

// describeCheck describes the levels of a table that has passed.
func describeCheck(levels []independent.Level) *outline.Doc {
	t := outline.NewTable("seeds", "positions", "checked", "open by bounds")
	var whole, sampled, open int
	for _, l := range levels {
		if l.Sampled {
			sampled += l.Checked
		} else {
			whole += l.Checked
		}
		open += l.Open
		t.Add(l.Seeds, l.Positions, l.Checked, l.Open)
	}
	d := &outline.Doc{Value: levels}
	if open > 0 || sampled > 0 {
		s := outline.Section{Table: t}
		if open > 0 {
			s.Note = fmt.Sprintf("%d of them have a resolved value within their bounds; it depends on history and cannot be checked further", open)
		}
		d.Add(s)
	}
	d.Addf("the bounds of %d positions, computed again: no problems", whole)
	if sampled > 0 {
		d.Addf("%d positions of larger levels have the values that their moves give", sampled)
	}
	return d
}

// openTableFile opens the file of a table for the rules, or of the program's own if the path is "".
func openTableFile(path string, r oware.Rules) (*mapfile.File, error) {
	if path != "" {
		t, err := endgame.Find(path, r) // refuses a table for other rules
		if err != nil {
			return nil, err
		}
		if err := t.Close(); err != nil {
			return nil, err
		}
		return mapfile.Open(endgame.File(path, r), "an endgame table")
	}
	var b bytes.Buffer
	t, err := endgame.Default(r)
	if err != nil {
		return nil, err
	}
	if err := t.Encode(&b); err != nil {
		return nil, err
	}
	return &mapfile.File{Data: b.Bytes()}, nil
}
