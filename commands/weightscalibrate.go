package commands

import (
	"cmp"
	"strings"

	"github.com/spf13/cobra"

	"kroo/features"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/regress"
	"kroo/run/inspect"
)

// calibrateRequest is what weights calibrate is given.
type calibrateRequest struct {
	game, player, weights, out string
	asJSON                     bool
}

func weightsCalibrateCommand() *cobra.Command {
	var r calibrateRequest
	cmd := &cobra.Command{
		Use:   "calibrate [WEIGHTS] GAMES.ogn...",
		Short: "calibrate scores against game results: winning chances, expected margin",
		Long: `Reads games with scores in comments, as train match -o writes them, and fits the
chances of a win, a draw and a loss, and the expected final margin, to the scores.
With WEIGHTS, only scores of these weights count, and -o writes the weights with the
calibration: analysis, train uci (UCI_ShowWDL) and train serve then show chances. Proven
scores are left out, and identical games count once. Only games that the
rules ended have a final margin: play without adjudication. Without WEIGHTS, all scores
count, or those of --player. For another program, 100 divided by the slope over all
positions is the unit=N of its description: how many of its centipawns are one seed.`,
		Example: "  train match --a weights=mine.weights,vary=on --b weights=mine.weights,vary=on --nodes 10000 --pairs 200 --opening-plies 8 -o games.ogn\n  train weights calibrate mine.weights games.ogn -o calibrated.weights",
		Args:    someArgs(1, 1000, "weights and files of games with scores"),
		RunE: func(cmd *cobra.Command, args []string) error {
			if !games.IsRecords(args[0]) {
				r.weights, args = args[0], args[1:]
			}
			if len(args) == 0 {
				return usagef("no games given: expected files of games (.ogn) after the weights")
			}
			if r.out != "" && r.weights == "" {
				return usagef("-o is given without weights: name those to calibrate, before the games")
			}
			g, err := gameOfRecords(r.game, args[0])
			if err != nil {
				return err
			}
			return g.calibrate(cmd, &r, args)
		},
	}
	recordedGameFlag(cmd, &r.game)
	jsonFlag(cmd, &r.asJSON)
	cmd.Flags().StringVar(&r.player, "player", "", "count only the scores of this player, by its name in the records (default that of the weights, or all)")
	outFlag(cmd, &r.out, "weights to write, with the calibration")
	return cmd
}

func (g gameOf[P]) calibrate(cmd *cobra.Command, r *calibrateRequest, files []string) error {
	if r.out != "" {
		if _, err := takeOutputs(cmd, []output{{path: r.out, holds: inspect.KindWeights}}, append(files, r.weights)...); err != nil {
			return err
		}
	}
	var all []regress.GameFile[P]
	for _, name := range files {
		records, err := readGames(g.kit.Game, name)
		if err != nil {
			return err
		}
		all = append(all, regress.GameFile[P]{Name: name, Records: records})
	}
	player := r.player
	if r.weights != "" {
		rules := g.info().Rules[0]
		if len(all[0].Records) > 0 {
			rules = g.kit.Game.RulesOf(all[0].Records[0].Start)
		}
		e, err := g.kit.Serving(rules, r.weights)
		if err != nil {
			return err
		}
		player = cmp.Or(player, e.Name[strings.LastIndexByte(e.Name, ' ')+1:])
	}
	report, err := regress.CalibrateGames(g.kit.Game, all, player)
	if err != nil {
		return err
	}
	if r.out != "" {
		if report.Calibration == nil {
			return usagef("%s is not written: %s", r.out, report.NoModel)
		}
		data, err := features.Calibrated(r.weights, report.Calibration)
		if err == nil {
			err = atomicfile.WriteBytes(r.out, data)
		}
		if err != nil {
			return err
		}
	}
	return show(cmd, strings.Join(files, " "), report.Doc())
}
