package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/match"
	"kroo/match/elo"
)

// tournamentArgs are what the flags of tournament say.
type tournamentArgs struct {
	matchFlags
	gauntlet int
}

func tournamentCommand() *cobra.Command {
	var t tournamentArgs
	cmd := &cobra.Command{
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
		RunE: func(cmd *cobra.Command, players []string) error {
			return onGame(t.game, func(g game) error { return g.tournament(cmd, &t, players) })
		},
	}
	t.add(cmd, 20)
	cmd.Flags().IntVar(&t.gauntlet, "gauntlet", 0, "the first N players play the others, not each other (default all play all)")
	return cmd
}

func (g gameOf[P]) tournament(cmd *cobra.Command, t *tournamentArgs, players []string) (err error) {
	c := match.TournamentConfig{Gauntlet: t.gauntlet}
	if c.Config, err = t.config(); err != nil {
		return err
	}
	for _, text := range players {
		p, err := engine.ParseSpec(text)
		if err != nil {
			return usagef("%v", err)
		}
		watch(&p.Program)
		c.Players = append(c.Players, p)
	}
	if err := c.Check(); err != nil {
		return usageError{err}
	}
	leave, err := t.begin(cmd, g.info(), &c.Config, c.Players)
	if err != nil {
		return err
	}
	defer leave()
	update, finish := progress("tournament", "games")
	sum, err := match.RunTournament(cmd.Context(), g.kit, c, t.output(), update)
	finish()
	if sum.Standings != nil {
		err = errors.Join(err, t.print(cmd.OutOrStdout(), sum))
	}
	if err != nil {
		return t.stopped(err)
	}
	return nil
}

func (t *tournamentArgs) print(out io.Writer, sum match.TournamentSummary) error {
	if t.asJSON {
		return json.NewEncoder(out).Encode(sum)
	}
	fmt.Fprint(out, elo.FormatStandings(sum.Standings))
	for _, line := range match.ForfeitText(sum.Forfeits) {
		fmt.Fprintln(out, line)
	}
	return nil
}
