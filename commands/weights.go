package commands

import (
	"cmp"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/features"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/regress"
	"kroo/run/inspect"
)

func weightsCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:     "weights",
		Short:   "calibrate weights, or write them for other programs",
		Example: "  train weights calibrate mine.weights games.ogn -o calibrated.weights\n  train weights export default --format c -o champion.c",
	}, weightsExportCommand(), weightsCalibrateCommand())
}

// evaluationNames lists the named evaluations of oware.
func evaluationNames() string { return strings.Join(engine.Oware().Names, ", ") }

func weightsExportCommand() *cobra.Command {
	var f struct {
		Format string `name:"format" default:"json" choices:"json c" help:"json or c"`
		Out    string `name:"output" flag:"output,o" file:"out" help:"file to write (default -, the standard output)"`
	}
	cmd := withoutJSON(&cobra.Command{
		Use:   "export WEIGHTS",
		Short: "write weights as JSON or C",
		Long: `Writes weights for your own programs. json contains the weight of every column by
name, in points, if the model of pattern weights is there (NAME.model, given or next
to NAME.weights); otherwise the integers of the engine's tables. c is a C99 source
file with these tables and a function that reads them. docs/formats.md has a reader
of each.`,
		Example: "  train weights export default --format c -o champion.c\n  train weights export default -o champion.json",
		Args:    exactArgs(1, "a weights file or a name"),
	}, func(j *job) {
		w := must(inspectGames().Weights(j.args[0]))
		write := func(to io.Writer) error { return w.Export(to, f.Format) }
		if f.Out == "" || f.Out == "-" {
			check(write(j.OutOrStdout()))
			return
		}
		kind := inspect.KindUnknown
		if f.Format == "json" && w.Facts().Thesis != nil { // a file that can be read back
			kind = inspect.KindWeights
		}
		j.claimOutputs([]output{{path: f.Out, kind: kind, compared: true}}, j.args[0])
		check(atomicfile.WriteFile(f.Out, write))
	}, &f)
	cmd.Flags().Lookup("output").Annotations[printable] = []string{}
	return cmd
}

// calibrateArgs is the settings of weights calibrate.
type calibrateArgs struct {
	recordedGameFlag
	Player string `name:"player" help:"count only the scores of this player, by its name in the records (default that of the weights, or all)"`
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
		Example: "  train match --a weights=mine.weights,vary=on --b weights=mine.weights,vary=on --nodes 10000 --pairs 200 --opening-plies 8 -o games.ogn\n  train weights calibrate mine.weights games.ogn -o calibrated.weights",
		Args:    someArgs(1, 1000, "weights and files of games with scores"),
	}, func(j *job) {
		weights, files := "", j.args
		if !games.IsRecords(files[0]) {
			weights, files = files[0], files[1:]
		}
		if len(files) == 0 {
			wrong("no games given: expected files of games (.ogn) after the weights")
		}
		if a.Out != "" && weights == "" {
			wrong("-o needs weights: name the weights to calibrate before the games")
		}
		g := a.of(files[0])
		g.calibrate(j, &a, weights, files)
	}, &a)
}

func (g gameOf[P]) calibrate(j *job, a *calibrateArgs, weights string, files []string) {
	if a.Out != "" {
		j.claimOutputs([]output{{path: a.Out, kind: inspect.KindWeights}}, append(files, weights)...)
	}
	var all []regress.GameFile[P]
	for _, name := range files {
		records := must(readGames(g.kit.Game, name))
		all = append(all, regress.GameFile[P]{Name: name, Records: records})
	}
	player := a.Player
	if weights != "" {
		e := must(g.kit.Serving(g.kit.Game.RulesOf(all[0].Records[0].Start), weights))
		player = cmp.Or(player, e.Name[strings.LastIndexByte(e.Name, ' ')+1:])
	}
	report := must(regress.CalibrateGames(g.kit.Game, all, player))
	if a.Out != "" {
		if report.Calibration == nil {
			wrong("%s is not written: %s", a.Out, report.NoModel)
		}
		data, err := features.Calibrated(weights, report.Calibration)
		if err == nil {
			err = atomicfile.WriteBytes(a.Out, data)
		}
		check(err)
	}
	j.show(strings.Join(files, " "), report.Doc())
}
