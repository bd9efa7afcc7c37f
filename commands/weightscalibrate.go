package commands

import (
	"cmp"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"kroo/features"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/regress"
	"kroo/run/inspect"
)

type calibrateArgs struct {
	recordedGameFlag
	Player string `name:"player" help:"count only the scores of this player, by its name in the records (default the weights' own, or all)"`
	Out    string `name:"output" flag:"output,o" file:"out" help:"weights to write, with the calibration"`
}

func weightsCalibrateCommand() *cobra.Command {
	var a calibrateArgs
	return newCommand(&cobra.Command{
		Use:   "calibrate [WEIGHTS] GAMES.ogn...",
		Short: "calibrate scores against game results: winning chances, expected margin",
		Long: `Reads games with scores in comments, as train match -o writes them, and fits the
chances of a win, a draw and a loss, and the expected final margin, to the scores.
With WEIGHTS, only scores of these weights count, and -o writes the weights with the
calibration: analysis, train uci (UCI_ShowWDL) and train serve then show chances. Proven
scores are left out, and identical games count once. Only games that the
rules ended have a final margin: play without adjudication. Without WEIGHTS, all scores
count, or only those by --player. For another program, 100 divided by the slope is the
unit=N of its description: how many of its centipawns are one seed.`,
		Example: "  train match --a weights=mine.weights,vary=on --b weights=mine.weights,vary=on --nodes 10000 --pairs 200 --opening-plies 8 -o games.ogn\n" +
			"  train weights calibrate mine.weights games.ogn -o calibrated.weights",
	}, func(j *job) error {
		weights, files := "", j.args
		if !games.IsRecords(files[0]) {
			weights, files = files[0], files[1:]
		}
		if len(files) == 0 {
			return usagef("no games given: expected files of games (.ogn) after the weights")
		}
		if a.Out != "" && weights == "" {
			return usagef("-o needs weights: name the weights to calibrate before the games")
		}
		g, err := a.gameOf(files[0])
		if err != nil {
			return err
		}
		return g.calibrate(j, &a, weights, files)
	}, &a)
}

// weightsForms returns the extensions of weights in the form of these.
func weightsForms(weights string) []string {
	data, err := features.ReadFile(weights)
	switch {
	case err != nil:
		return nil // an error of the calibration
	case !features.IsPacked(data):
		return jsonForm
	}
	return []string{cmp.Or(filepath.Ext(weights), features.CompiledSuffix)} // those of the program have names without
}

func (g gameOf[P]) calibrate(j *job, a *calibrateArgs, weights string, files []string) error {
	made := ""
	if a.Out != "" {
		out := output{path: a.Out, kind: inspect.KindWeights, forms: weightsForms(weights)}
		var err error
		made, err = j.claimOutputs([]output{out}, append(files, weights)...)
		if err != nil {
			return err
		}
	}
	report, err := g.calibrateGames(a.Player, weights, files)
	if err != nil {
		return err
	}
	d := report.Doc()
	if a.Out != "" && report.Calibration != nil {
		if err := writeCalibrated(a.Out, weights, report.Calibration, made); err != nil {
			return err
		}
		d.Addf("weights with this calibration in %s", a.Out)
	}
	if err := j.show(strings.Join(files, " "), d); err != nil {
		return err
	}
	if a.Out != "" && report.Calibration == nil {
		return fmt.Errorf("%s not written: %s", a.Out, report.NotCalibrated)
	}
	return nil
}

// calibrateGames calibrates the scores of a player of the games, by default the one with the weights, if any.
func (g gameOf[P]) calibrateGames(player, weights string, files []string) (*regress.CalibrationReport, error) {
	var all []regress.GameFile[P]
	for _, name := range files {
		records, err := readGames(g.kit.Game, name)
		if err != nil {
			return nil, err
		}
		all = append(all, regress.GameFile[P]{Name: name, Records: records})
	}
	if weights != "" {
		e, err := g.kit.Serving(g.kit.Game.RulesOf(all[0].Records[0].Start), weights)
		if err != nil {
			return nil, err
		}
		player = cmp.Or(player, e.Name[strings.LastIndexByte(e.Name, ' ')+1:])
	}
	return regress.CalibrateGames(g.kit.Game, all, player)
}

// writeCalibrated writes the weights with a calibration.
func writeCalibrated(path, weights string, c *features.Calibration, made string) error {
	data, err := features.Recalibrate(weights, c, made)
	if err != nil {
		return err
	}
	return atomicfile.WriteBytes(path, data)
}
