package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"kroo/match"
)

func tournamentCommand() *cobra.Command {
	var games matchFlags
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

` + match.SpecHelp,
		Example: `  train match tournament captures weights.json weights-full.json --pairs 50 -o t.ogn
  train match tournament new.json old1.json old2.json --gauntlet 1 --movetime 20ms`,
		Args: cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, players []string) error {
			if len(players) < 2 || len(players) > 64 || gauntlet < 0 || gauntlet >= len(players) {
				return usagef("%d players, --gauntlet %d: expected 2 to 64, and a gauntlet of fewer than there are", len(players), gauntlet)
			}
			common, err := games.request()
			if err != nil {
				return err
			}
			req := match.TournamentRequest{Request: common, Gauntlet: gauntlet}
			for _, text := range players {
				p, err := openPlayer(cmd, "player", text, req.Rules)
				if err != nil {
					return err
				}
				req.Players = append(req.Players, p)
			}
			update, finish := tournamentProgress()
			sum, err := match.RunTournament(cmd.Context(), req, games.out, update)
			finish()
			if err != nil {
				return games.stopped(err)
			}
			if games.asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(sum)
			}
			fmt.Fprint(cmd.OutOrStdout(), match.FormatCrossTable(sum.Table))
			return nil
		},
	}
	games.add(cmd, 20)
	cmd.Flags().IntVar(&gauntlet, "gauntlet", 0, "so many of the first players play the others, not each other (default all play all)")
	return cmd
}
