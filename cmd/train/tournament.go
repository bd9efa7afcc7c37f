package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/match"
	"kroo/match/elo"
)

// tournamentRun plays a tournament of one game.
type tournamentRun func(ctx context.Context, c match.TournamentConfig, out string, progress match.TournamentProgress) (match.TournamentSummary, error)

var tournamentRuns = perGame[tournamentRun]{tournamentWith(engine.Oware()), tournamentWith(engine.TicTacToe())}

func tournamentWith[P search.Position[P]](k engine.Kit[P]) tournamentRun {
	return func(ctx context.Context, c match.TournamentConfig, out string, progress match.TournamentProgress) (match.TournamentSummary, error) {
		var err error
		if c.Rules, err = rulesOf(k.Game.Info, c.Rules); err != nil {
			return match.TournamentSummary{}, err
		}
		return match.RunTournament(ctx, k, c, out, progress)
	}
}

func tournamentCommand() *cobra.Command {
	var flags matchFlags
	var gauntlet int
	cmd := &cobra.Command{
		Use:   "tournament PLAYER PLAYER…",
		Short: "play several players against each other: cross table and ratings",
		Long: `Plays --pairs pairs of games between every two players, each with the same
openings, or with --gauntlet N between the first N and the others. Prints the
cross table, the strongest first, with ratings (of mean 0), their 95 % error
bars, and the likelihood that a player is stronger than the next.
With -o, finished pairs are kept in a folder (OUTPUT.log): the same command goes
on from it after an interruption, or with more --pairs.

` + match.PlayerHelp,
		Example: `  train match tournament captures weights.json weights-full.json --pairs 50 -o t.ogn
  train match tournament new.json old1.json old2.json --gauntlet 1 --movetime 20ms`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, players []string) error {
			if len(players) < 2 || len(players) > 64 || gauntlet < 0 || gauntlet >= len(players) {
				return usagef("%d players, --gauntlet %d: expected 2 to 64, and a gauntlet of fewer than there are", len(players), gauntlet)
			}
			run, err := tournamentRuns.of(flags.game)
			if err != nil {
				return err
			}
			c := match.TournamentConfig{Gauntlet: gauntlet}
			if c.Config, err = flags.config(); err != nil {
				return err
			}
			for _, text := range players {
				p, err := match.ParsePlayer(text)
				if err != nil {
					return usagef("%v", err)
				}
				c.Players = append(c.Players, p)
			}
			if err := flags.checkOutput(cmd, c.Config, c.Players); err != nil {
				return err
			}
			update, finish := tournamentProgress()
			sum, err := run(cmd.Context(), c, flags.out, update)
			finish()
			if err != nil {
				return flags.stopped(err)
			}
			if flags.asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(sum)
			}
			fmt.Fprint(cmd.OutOrStdout(), elo.FormatStandings(sum.Standings))
			return nil
		},
	}
	flags.add(cmd, 20)
	cmd.Flags().IntVar(&gauntlet, "gauntlet", 0, "so many of the first players play the others, not each other (default all play all)")
	return cmd
}
