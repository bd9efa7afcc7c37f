package commands

import (
	"path/filepath"

	"github.com/spf13/cobra"

	"kroo/endgame"
	"kroo/games/oware"
	"kroo/internal/revision"
	"kroo/internal/vfs"
	"kroo/run/inspect"
)

type buildArgs struct {
	rulesFlag
	endgame.Config
	Out folderName `name:"output" flag:"output,o" file:"made" help:"folder for the table"`
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
			"  train endgame build --rules abapa --seeds 24 --resolve 24 -o tables",
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
	if c.Bounds == endgame.Exact && c.Resolve > 0 {
		if err := j.notWith("exact values", "resolve"); err != nil {
			return err
		}
	}
	c.Resolve = min(c.Resolve, c.Seeds)
	if c.Bounds == endgame.Exact || c.Bounds == endgame.Crude && !j.given("resolve") {
		c.Resolve = 0
	}
	if err := vfs.MkdirAll(string(b.Out), 0o777); err != nil {
		return err
	}
	path := filepath.Join(string(b.Out), endgame.FileName(c.Rules))
	by, err := j.claimOutputs([]output{{path: path, kind: inspect.KindTable, journal: path + endgame.PartialSuffix}})
	if err != nil {
		return err
	}
	c.Made = by + ", " + revision.Get()
	j.note("building takes up to %d MiB of memory\n", c.Memory()>>20+1)
	path, err = endgame.BuildFile(j.Context(), c, string(b.Out), j.progress("endgame", "positions"))
	if err != nil {
		return err
	}
	return j.print(map[string]any{"file": path, "rules": c.Rules.String(), "bounds": c.Bounds, "seeds": c.Seeds},
		"%s, %s values, up to %d seeds: %s\n", c.Rules, c.Bounds, c.Seeds, path)
}
