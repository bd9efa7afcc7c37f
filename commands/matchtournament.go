package commands

import (
	"github.com/spf13/cobra"

	"kroo/internal/spec"
	"kroo/match"
)

type tournamentArgs struct {
	matchFlags
	farmFlags
	Gauntlet int    `name:"gauntlet" range:"0.." help:"the first N players play only the others (default everyone plays everyone)"`
	Out      string `name:"output" flag:"output,o" file:"out" help:"file for the games (OGN)"`
}

func tournamentCommand() *cobra.Command {
	var t tournamentArgs
	t.Pairs, t.Nodes = 20, defaultNodes
	cmd := newCommand(&cobra.Command{
		Use:   "tournament PLAYER PLAYER…",
		Short: "play several players against each other: cross table and ratings",
		Long: `Plays --pairs pairs of games between every two players, each with the same
openings, or with --gauntlet N between the first N and the others. Prints the
cross table, the strongest first, with ratings (of mean 0), their 95 %
intervals, and the likelihood that a player is stronger than the next.
With -o, finished pairs are kept in a folder (OUTPUT.log): the same command resumes
after an interruption, or with more --pairs.

A player is a name, a weights file or KEY=VALUE,…: see ` + "`train help players`.",
		Example: `  train match tournament captures weights.json patterns.weights --pairs 50 -o t.ogn
  train match tournament new.json old1.json old2.json --gauntlet 1 --movetime 20ms`,
		Args: cobra.ArbitraryArgs,
	}, func(j *job) error { return t.game().tournament(j, &t) }, &t)
	forceHelp(cmd)
	spec.Flags(cmd.Flags(), &t.Config, "pairs")
	return cmd
}

func (g gameOf[P]) tournament(j *job, t *tournamentArgs) error {
	config, err := t.config(j, t.Out)
	if err != nil {
		return err
	}
	c := match.TournamentConfig{Config: config, Gauntlet: t.Gauntlet}
	for _, text := range j.args {
		player, err := t.player(j, "a player", text)
		if err != nil {
			return err
		}
		c.Players = append(c.Players, player)
	}
	if err := asUsage(c.Check()); err != nil {
		return err
	}
	file := t.output(t.Out, c.Config)
	file.inFolder = true
	out, err := t.prepare(j, t.farmFlags, file, &c.Config, c.Players)
	if err != nil {
		return err
	}
	sum, err := match.RunTournament(j.Context(), g.kit, c, out, j.progress("tournament", "games"))
	j.endMeter(err == nil)
	if sum.Standings != nil {
		if err := j.show("", sum.Doc()); err != nil {
			return err
		}
	}
	return withForce(err)
}
