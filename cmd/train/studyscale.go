package main

import (
	"github.com/spf13/cobra"

	"kroo/internal/vfs"
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
difference: play without adjudication.`,
		Example: "  train match --a weights=default,vary=on --b weights=default,vary=on --nodes 10000 -o games.ogn\n  train study scale games.ogn --plots figures",
		Args:    someArgs(1, 1000, "files of games with scores"),
		RunE: func(cmd *cobra.Command, args []string) error {
			g, err := gameOfRecords(s.game, args[0])
			if err != nil {
				return err
			}
			result, err := g.scale(args, player)
			if err != nil {
				return err
			}
			return s.show(cmd, result)
		},
	}
	s.addOutput(cmd)
	recordedGameFlag(cmd, &s.game)
	cmd.Flags().StringVar(&player, "player", "", "count the scores of this player alone, by the name in the records (default all)")
	return cmd
}

// scale studies the games of files.
func (g gameOf[P]) scale(files []string, player string) (study.Result, error) {
	var all []study.GameFile[P]
	for _, name := range files {
		f, err := vfs.Open(name)
		if err != nil {
			return nil, err
		}
		records, err := g.kit.Game.ParseRecords(f, name)
		f.Close()
		if err != nil {
			return nil, err
		}
		all = append(all, study.GameFile[P]{Name: name, Records: records})
	}
	return study.Scale(g.kit.Game, all, player)
}
