package commands

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"kroo/endgame"
	independent "kroo/endgame/check"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/internal/memory"
	"kroo/internal/revision"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/report"
	"kroo/run/inspect"
)

func endgameCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "endgame",
		Short: "endgame tables of oware: build, verify, query, stats",
		Long: `An endgame table has the value of every position with few seeds in play. Under
awari and simple rules values are exact. Under abapa they are proven bounds, because
the value of a cycle depends on where the game entered it.`,
		Example: "  train endgame build --rules awari --seeds 12 -o tables\n" +
			"  train endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S",
	}, endgameBuildCommand(), endgameVerifyCommand(), endgameQueryCommand(), endgameStatsCommand())
}

type buildArgs struct {
	rulesFlag
	endgame.Config
	Out string `name:"output" flag:"output,o" file:"made" help:"folder for the table"`
}

func endgameBuildCommand() *cobra.Command {
	var b buildArgs
	return newCommand(&cobra.Command{
		Use:   "build",
		Short: "build a table, level by level",
		Long: `Builds the table of all positions with up to --seeds seeds in play and writes it
to DIR/RULES.endgame. A table of the levels finished so far is next to it until then: if
the build is stopped, the same command resumes from it.`,
		Example: "  train endgame build --rules awari --seeds 16 -o tables\n" +
			"  train endgame build --rules abapa --bounds sharp --seeds 12 -o tables",
	}, b.run, &b)
}

func (b *buildArgs) run(j *job) error {
	c := b.Config
	c.Rules = oware.Rules(b.rulesFlag.Rules)
	bounds, err := endgame.ParseBounds(string(c.Bounds), c.Rules)
	if err != nil {
		return asUsage(err)
	}
	c.Bounds = bounds
	c.Resolve = min(c.Resolve, c.Seeds)
	if c.Bounds == endgame.Exact || c.Bounds == endgame.Crude && !j.given("resolve") {
		c.Resolve = 0
	}
	if err := vfs.MkdirAll(b.Out, 0o777); err != nil {
		return err
	}
	path := filepath.Join(b.Out, endgame.FileName(c.Rules))
	by, err := j.claimOutputs([]output{{path: path, kind: inspect.KindTable, journal: path + endgame.PartialSuffix}})
	if err != nil {
		return err
	}
	c.Made = by + ", " + revision.Get()
	j.note("building takes up to %d MiB of memory\n", c.Memory()>>20+1)
	path, err = endgame.BuildFile(j.Context(), c, b.Out, j.progress("endgame", "positions"))
	if err != nil {
		return err
	}
	return j.print(map[string]any{"file": path, "rules": c.Rules.String(), "bounds": c.Bounds, "seeds": c.Seeds},
		"%s, %s values, up to %d seeds: %s\n", c.Rules, c.Bounds, c.Seeds, path)
}

// openTable opens the table of the operand, a file or a folder of tables, or the program's own, until
// the end of the command. Without --rules, the rules of a file are its own.
func (j *job) openTable(asked rules) (*endgame.Table, error) {
	path := append(j.args, "")[0]
	t, err := (*endgame.Table)(nil), errors.New("a table with --rules")
	if path != "" && !j.given("rules") {
		t, err = endgame.Open(path)
	}
	if err != nil {
		t, err = endgame.Find(path, oware.Rules(asked))
		if err != nil {
			return nil, err
		}
	}
	j.closers = append(j.closers, func() { t.Close() })
	return t, nil
}

func endgameQueryCommand() *cobra.Command {
	var f struct {
		rulesFlag
		tableFlag
	}
	return newCommand(&cobra.Command{
		Use:   "query POSITION",
		Short: "show the values of a position in a table",
		Long: `Prints the least and the greatest value of the seeds in play: those that the
player to move will take minus those that the opponent will take. Prints the same
for each move, and a line of best moves. POSITION is
A-…-F-a-…-f-storeS-storeN-S|N.`,
		Example: "  train endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S\n" +
			"  train endgame query --table tables --rules awari 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S",
	}, func(j *job) error {
		r := oware.Rules(f.Rules)
		p, err := oware.Descriptor().Parse(r.String(), j.args[0])
		if err != nil {
			return asUsage(err)
		}
		t, err := endgame.Find(f.Table, r)
		if err != nil {
			return err
		}
		defer t.Close()
		found, err := t.Query(p)
		if err != nil {
			return err
		}
		return j.show("", found.Doc(p))
	}, &f)
}

func endgameStatsCommand() *cobra.Command {
	var f struct {
		rulesFlag
		plotsFlag
	}
	return newCommand(&cobra.Command{
		Use:   "stats [TABLE]",
		Short: "count wins, draws, losses and exact values by seeds in play",
		Long: `Prints a line for each number of seeds in play. A win is a position where the
player to move is sure of more than half of them, a loss one where the opponent is,
a draw one where both are sure of half. The gap is the distance between the bounds,
in seeds for the player to move. TABLE is a file or a folder; the default is
the program's own table.`,
		Example: "  train endgame stats tables/awari.endgame\n" +
			"  train endgame stats --json tables --rules abapa\n" +
			"  train endgame stats --plots figures",
	}, func(j *job) error {
		t, err := j.openTable(f.Rules)
		if err != nil {
			return err
		}
		stats, err := t.Stats(j.Context(), j.progress("counting", "positions"))
		if err != nil {
			return err
		}
		d := endgameStats(t, stats)
		if err := f.save(j, d); err != nil {
			return err
		}
		return j.show("", d)
	}, &f)
}

// endgameStats has the numbers of wins, losses, draws and exact values by level, and draws their shares.
func endgameStats(t *endgame.Table, stats []endgame.LevelStats) *doc.Doc {
	resolved := ""
	if t.ResolvedLevel() > 0 {
		resolved = fmt.Sprintf(", resolved up to %d seeds", t.ResolvedLevel())
	}
	kinds := map[endgame.Bounds]string{endgame.Exact: "exact", endgame.Crude: "crude bounds of the",
		endgame.Sharp: "sharp bounds of the"}
	chart := report.Chart{
		Name:  "endgame-" + t.Rules().String(),
		Title: "Endgame table of " + t.Rules().String(),
		Line: fmt.Sprintf("%s values of all positions with up to %d seeds in play, for the player to move",
			kinds[t.Bounds()], t.Seeds()),
		X: "seeds in play", Y: "share of positions, %",
	}
	for _, s := range stats[min(1, len(stats)-1):] {
		for i, n := range []int{s.Wins, s.Losses, s.Draws, s.Exact} {
			chart.Add([]string{"wins", "losses", "draws", "exact"}[i], float64(s.Seeds), 100*float64(n)/float64(s.Positions))
		}
	}
	table := doc.TableOf([]string{"seeds", "positions", "wins", "draws", "losses", "exact", "share", "mean gap"}, stats,
		func(s endgame.LevelStats) []any {
			return []any{s.Seeds, s.Positions, s.Wins, s.Draws, s.Losses, s.Exact,
				fmt.Sprintf("%.2f %%", 100*float64(s.Exact)/float64(s.Positions)), fmt.Sprintf("%.3f", s.MeanGap)}
		})
	return &doc.Doc{
		Title: fmt.Sprintf("%s, %s values%s, made by %s", t.Rules(), t.Bounds(), resolved, wording.WithoutIDs(t.Made())), Value: stats,
		Sections: []doc.Section{{Table: table, Figures: []doc.Drawing{chart}, Drawn: true}},
	}
}

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
			return verifyAlone(j, f.Rules)
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

// verifyAlone checks a table with package check, which shares no code with package endgame.
func verifyAlone(j *job, asked rules) error {
	path := append(j.args, "")[0]
	file, err := tableBytes(path, oware.Rules(asked))
	if err != nil {
		return err
	}
	if err := memory.Check("the check", checkBytes*int64(len(file))); err != nil {
		return err
	}
	levels, err := independent.Table(j.Context(), file, j.progress("independent check", "positions").At)
	if err != nil {
		return fmt.Errorf("%s: %w", cmp.Or(path, "the default table"), err)
	}
	t := doc.NewTable("seeds", "positions", "open by bounds")
	positions, open := 0, 0
	for _, l := range levels {
		positions += l.Positions
		open += l.Open
		t.Add(l.Seeds, l.Positions, l.Open)
	}
	d := &doc.Doc{Value: levels}
	if open > 0 {
		d.Add(doc.Section{
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

// tableBytes returns the file of a table, or that of the program's own if the path is "".
func tableBytes(path string, r oware.Rules) ([]byte, error) {
	if path != "" {
		return vfs.ReadFile(endgame.File(path, r))
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
