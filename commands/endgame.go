package commands

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/revision"
	"kroo/internal/vfs"
	"kroo/run/inspect"
)

func endgameCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:   "endgame",
		Short: "endgame tables of oware: build, verify, query, stats",
		Long: `An endgame table has the value of every position with few seeds in play. Under
awari and simple rules values are exact. Under abapa they are proven bounds, because
the value of a cycle depends on where the game entered it.`,
		Example: "  train endgame build --rules awari --seeds 12 -o tables\n  train endgame query 0-1-0-0-2-0-1-0-0-0-1-0-21-22-S",
	}
	group(cmd, endgameBuildCommand(), endgameVerifyCommand(), endgameQueryCommand(), endgameStatsCommand())
	return cmd
}

// buildArgs are what the flags of endgame build say.
type buildArgs struct {
	endgame.Config
	rules, bounds, folder string
}

func endgameBuildCommand() *cobra.Command {
	var b buildArgs
	cmd := &cobra.Command{
		Use:   "build",
		Short: "build a table, level by level",
		Long: `Builds the table of all positions with up to --seeds seeds in play and writes it
to DIR/RULES.endgame. A journal next to it keeps finished levels: if the build is
stopped, the same command resumes from it.`,
		Example: "  train endgame build --rules awari --seeds 16 -o tables\n  train endgame build --rules abapa --bounds sharp --seeds 12 -o tables",
		Args:    exactArgs(0, "no operands"),
		RunE:    func(cmd *cobra.Command, _ []string) error { return b.run(cmd) },
	}
	b.add(cmd)
	return cmd
}

func (b *buildArgs) add(cmd *cobra.Command) {
	f := cmd.Flags()
	servedRulesFlag(cmd, &b.rules)
	workersFlag(cmd, &b.Workers)
	f.StringVar(&b.bounds, "bounds", "", "kind of bounds for abapa: crude or sharp (default sharp); other rules have exact values")
	intFlag(cmd, &b.Seeds, "seeds", 12, 0, endgame.MaxSeeds, "most seeds in play")
	f.IntVar(&b.Resolve, "resolve", 7, "search levels of up to this many seeds for exact values (sharp bounds)")
	outFlag(cmd, &b.folder, "folder for the table")
}

func (b *buildArgs) run(cmd *cobra.Command) error {
	c, err := b.config(cmd)
	if err != nil {
		return err
	}
	fmt.Fprintf(cmd.ErrOrStderr(), "building takes up to %d MiB of memory\n", c.Memory()>>20+1)
	update, finish := progress("endgame", "positions")
	path, err := endgame.BuildFile(cmd.Context(), c, b.folder, update)
	finish()
	if err != nil {
		return resumable{err, thisCommand(), path + ".journal"}
	}
	fmt.Fprintf(cmd.OutOrStdout(), "%s, %s values, up to %d seeds: %s\n", c.Rules, c.Bounds, c.Seeds, path)
	return nil
}

// config is what the flags say.
func (b *buildArgs) config(cmd *cobra.Command) (endgame.Config, error) {
	c := b.Config
	var err error
	if c.Rules, err = parseRules(b.rules); err != nil {
		return c, err
	}
	if c.Bounds, err = endgame.ParseBounds(b.bounds, c.Rules); err != nil {
		return c, usageError{err}
	}
	if b.folder == "" {
		return c, usagef("no output folder: give -o DIR")
	}
	if c.Resolve < 0 {
		return c, usagef("--resolve %d: expected 0 or more", c.Resolve)
	}
	if c.Resolve = min(c.Resolve, c.Seeds); c.Bounds == endgame.Exact || c.Bounds == endgame.Crude && !cmd.Flags().Changed("resolve") {
		c.Resolve = 0
	}
	if err := vfs.MkdirAll(b.folder, 0o777); err != nil {
		return c, err
	}
	made, err := takeOutputs(cmd, []output{{path: filepath.Join(b.folder, endgame.FileName(c.Rules)), holds: inspect.KindTable}})
	c.Made = made + ", " + revision.Get()
	return c, err
}

// openTable opens a table. path is a file, a folder of tables, or "" for the table
// that comes with the program. Without --rules the file tells its rules.
func openTable(cmd *cobra.Command, path, rules string) (*endgame.Table, error) {
	r, err := parseRules(rules)
	if err != nil {
		return nil, err
	}
	if path != "" && !cmd.Flags().Changed("rules") {
		if t, err := endgame.Open(path); err == nil {
			return t, nil
		}
		r = onlyTable(path, r)
	}
	return endgame.Find(path, r)
}

// onlyTable returns the rules of the only table in a folder, or otherwise if there is
// not exactly one.
func onlyTable(folder string, otherwise oware.Rules) oware.Rules {
	var found []oware.Rules
	for _, r := range oware.RuleSets() {
		if t, err := endgame.Find(folder, r); err == nil {
			t.Close()
			found = append(found, r)
		}
	}
	if len(found) == 1 {
		return found[0]
	}
	return otherwise
}
