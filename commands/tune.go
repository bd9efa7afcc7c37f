package commands

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/internal/outline"
	"kroo/internal/spec"
	"kroo/match"
	"kroo/match/tune"
	"kroo/run/inspect"
)

type tuneArgs struct {
	matchFlags
	Player     string `name:"player" help:"the program, see train help players: cmd=PROGRAM,option.NAME=VALUE…"`
	Iterations int    `name:"iterations" default:"10000" range:"1..1000000" help:"pairs of games"`
	Ahead      int    `name:"ahead" default:"8" range:"1..1024" help:"pairs played before the result of one counts"`
	Verify     int    `name:"verify" range:"0..1000000" help:"then play this number of pairs of the tuned values against the start (default none)"`
	Out        string `name:"output" flag:"output,o" file:"made" help:"file for the values (JSON)"`
}

func tuneCommand() *cobra.Command {
	var a tuneArgs
	a.Nodes = defaultNodes
	cmd := newCommand(&cobra.Command{
		Use:   "tune PARAMETERS.toml",
		Short: "tune numeric options of a program by games against itself",
		Long: `Tunes options of a program that speaks UCI by SPSA (Spall 1998): every iteration
moves all options a step up or down at random, plays a pair of games
of these values against the opposite ones, and moves towards the winner.

PARAMETERS.toml has a table for each option:
  [[parameter]]
  option = "Contempt"
  start = 0        # start, min and max default to what the program announces
  min = -100
  max = 100
  c_end = 10       # the step of the last iterations
  r_end = 0.002    # one more game won moves the last values by r_end times c_end

Finished pairs are kept in a journal (OUTPUT.log): the same command resumes after an
interruption. With limits by nodes the values depend on --seed and
--ahead, not on --workers; at most --ahead pairs are played at a time.
With --verify N the tuned values then play up to N pairs against the start.
"train inspect OUTPUT --html PAGE" draws a curve of each option.`,
		Example: `  train tune margins.toml --player 'cmd=./engine uci' --iterations 20000 --nodes 10000 -o tuned.json
  train tune margins.toml --player 'cmd=./engine,option.Hash=16' --movetime 20ms -o tuned.json --verify 20000 --sprt 0,10`,
	}, func(j *job) error { return a.game().tune(j, &a) }, &a)
	forceHelp(cmd)
	spec.Flags(cmd.Flags(), &a.Test)
	return cmd
}

func (g gameOf[P]) tune(j *job, a *tuneArgs) error {
	c, err := a.tuning(j)
	if err != nil {
		return err
	}
	inputs := slices.Concat([]string{j.args[0], c.Openings, c.Tables}, c.Player.Program.Files())
	out := output{path: a.Out, kind: inspect.KindTuning, compared: true, log: c.Log, restarts: true}
	if _, err := j.claimOutputs([]output{out}, inputs...); err != nil {
		return err
	}
	if err := a.setRules(j, a.Out, &c.Config); err != nil {
		return err
	}
	res, err := tune.Run(j.Context(), g.kit, c, j.progress("tuning", "pairs"))
	if _, unfit := errors.AsType[tune.Unfit](err); unfit {
		return fmt.Errorf("%s: %w", j.args[0], err)
	}
	if err := withForce(err); err != nil {
		return err
	}
	if err := res.Write(a.Out); err != nil {
		return err
	}
	fmt.Fprint(j.text(), res.Doc().Text(a.Out))
	verified, err := g.verify(j, a, c, res)
	if err != nil {
		return err
	}
	if verified == nil {
		return j.print(res, "%s", "")
	}
	return j.print(struct {
		*tune.Result
		Verified any `json:"verified"`
	}{res, verified.Value}, "\n%s", verified.Text(""))
}

// tuning returns the configuration, with the parameters of the file.
func (a *tuneArgs) tuning(j *job) (tune.Config, error) {
	if a.Player == "" {
		return tune.Config{}, usagef("no program to tune: give --player PROGRAM, such as --player 'cmd=./engine uci'")
	}
	if a.Verify == 0 {
		if err := j.notWithout("--verify", "sprt"); err != nil {
			return tune.Config{}, err
		}
	}
	a.Pairs = a.Iterations
	config, err := a.config(j, a.Out)
	if err != nil {
		return tune.Config{}, err
	}
	player, err := a.player(j, "--player", a.Player)
	if err != nil {
		return tune.Config{}, err
	}
	if err := a.refuseMargin(j, player); err != nil {
		return tune.Config{}, err
	}
	c := tune.Config{Config: config, Player: player, Ahead: a.Ahead}
	if c.Player.Program.Path == "" {
		return tune.Config{}, usagef("--player: %w", engine.MissingProgram(a.Player))
	}
	c.Parameters, err = tune.ReadParameters(j.args[0])
	if err != nil {
		return tune.Config{}, err
	}
	return c, nil
}

// verify plays the tuned values against the start, if asked for, and returns the result.
func (g gameOf[P]) verify(j *job, a *tuneArgs, c tune.Config, res *tune.Result) (*outline.Doc, error) {
	if a.Verify == 0 {
		return nil, nil
	}
	tuned, start := c.Player, c.Player
	tuned.Name, start.Name = "tuned", "start"
	tuned.Program.Options = slices.Concat(tuned.Program.Options, res.Options())
	start.Program.Options = slices.Concat(start.Program.Options, res.Starts())
	c.Pairs, c.Log = a.Verify, a.Out+".verify.log"
	c.Seed++ // other openings
	sum, err := match.Run(j.Context(), g.kit, c.Config, tuned, start, match.Output{}, j.progress("match", "games"))
	if err != nil {
		return nil, resumable{err, commandLine("--force"), c.Log} // the values are written
	}
	return sum.Doc(g.info().Unit), nil
}
