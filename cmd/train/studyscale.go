package main

import (
	"github.com/spf13/cobra"

	"kroo/study"
)

func studyScale() *cobra.Command {
	var s studyFlags
	var player string
	cmd := &cobra.Command{
		Use:   "scale GAMES.ogn...",
		Short: "what scores are worth: seeds at the end of the game, and chances to win",
		Long: `Reads games with scores in comments, as train match -o writes them, and relates
each score to the end of its game: the line of least squares through the final
differences, by seeds in play and by size of the score, and the likeliest model
of the chances of a win, a draw and a loss. Proven scores are left out. Games
with the same moves count once. Only games that the rules ended have a final
difference: play without adjudication. For a program of your own, 100 divided by the
slope of its line is the unit=N of its descriptions: how many of its cp are a seed.`,
		Example: "  train match --a weights=default,vary=on --b weights=default,vary=on --nodes 10000 -o games.ogn\n  train study scale games.ogn --plots figures",
		Args:    someArgs(1, 1000, "files of games with scores"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := gameOfRecords(s.game, args[0])
			if err != nil {
				return err
			}
			return g.scale(cmd, &s, args, player)
		},
	}
	s.addOutput(cmd)
	recordedGameFlag(cmd, &s.game)
	cmd.Flags().StringVar(&player, "player", "", "count the scores of this player alone, by the name in the records (default all)")
	return cmd
}

// scale studies the games of files.
func (g gameOf[P]) scale(cmd *cobra.Command, s *studyFlags, files []string, player string) error {
	var all []study.GameFile[P]
	for _, name := range files {
		records, err := readGames(g.kit.Game, name)
		if err != nil {
			return err
		}
		all = append(all, study.GameFile[P]{Name: name, Records: records})
	}
	result, err := study.Scale(g.kit.Game, all, player)
	if err != nil {
		return err
	}
	return s.show(cmd, result)
}
