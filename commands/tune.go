package commands

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/internal/doc"
	"kroo/internal/spec"
	"kroo/match"
	"kroo/match/tune"
	"kroo/report"
	"kroo/run/inspect"
)

// tuneArgs are what the flags of tune say.
type tuneArgs struct {
	matchFlags
	file, player string
	page         string
	ahead        int
	verify       int
}

// pageEvery is how often the page of a tuning in progress is written.
const pageEvery = time.Minute

func tuneCommand() *cobra.Command {
	var a tuneArgs
	cmd := &cobra.Command{
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
The page is written every minute: reload it to see how the values move.
With --verify N the tuned values then play up to N pairs against the start.`,
		Example: `  train tune margins.toml --player 'cmd=./engine uci' --iterations 20000 --nodes 10000 -o tuned.json
  train tune margins.toml --player 'cmd=./engine,option.Hash=16' --movetime 20ms -o tuned.json --page tuned.html --verify 20000 --sprt 0,10`,
		Args: exactArgs(1, "the file of parameters"),
		RunE: func(cmd *cobra.Command, args []string) error {
			a.file = args[0]
			return onGame(a.game, func(g game) error { return g.tune(cmd, &a) })
		},
	}
	a.addPlay(cmd)
	f := cmd.Flags()
	spec.Flags(f, &a.match.Test)
	f.StringVar(&a.player, "player", "", "the program, see train help players: cmd=PROGRAM,option.NAME=VALUE…")
	intFlag(cmd, &a.match.Pairs, "iterations", 10_000, 1, 1_000_000, "pairs of games")
	intFlag(cmd, &a.ahead, "ahead", 8, 1, 1024, "pairs that are played before the result of one counts")
	intFlag(cmd, &a.verify, "verify", 0, 0, 1_000_000, "then play this number of pairs of the tuned values against the start (default none)")
	f.StringVar(&a.page, "page", "", "page to write, with a curve of each option (HTML)")
	outFlag(cmd, &a.out, "file for the values (JSON)")
	f.Lookup("force").Usage += "; play all games again"
	jsonFlag(cmd, new(bool))
	return cmd
}

func (g gameOf[P]) tune(cmd *cobra.Command, a *tuneArgs) error {
	if err := needOut(a.out); err != nil {
		return err
	}
	c, err := a.tuning()
	if err != nil {
		return err
	}
	outputs := []output{{path: a.out, holds: inspect.KindTuning, compared: true}, {path: a.page, holds: inspect.KindPage, log: c.Log, headed: true, grows: "verify|sprt|alpha|beta|model"}}
	made, err := takeOutputs(cmd, outputs, slices.Concat([]string{a.file, c.Openings, c.Tables}, c.Player.Program.Files())...)
	if err != nil {
		return err
	}
	if c.Anew, err = anew(cmd, a.out); err != nil {
		return err
	}
	if err = takeRules(g.info(), &c.Config); err != nil {
		return err
	}
	update, finish := progress("tuning", "pairs")
	drawn := time.Now()
	res, err := tune.Run(cmd.Context(), g.kit, c, update, func(so *tune.Result) error {
		if a.page == "" || time.Since(drawn) < pageEvery {
			return nil
		}
		drawn = time.Now()
		return writePage(a.page, so.Doc(), "", made)
	})
	finish()
	if _, unfit := errors.AsType[tune.Unfit](err); unfit {
		return fmt.Errorf("%s: %w", a.file, err)
	}
	if err != nil {
		return a.stopped(err)
	}
	if err := res.Write(a.out); err != nil {
		return err
	}
	d := res.Doc()
	fmt.Fprint(text(cmd), d.Text(a.out))
	verified, err := g.verify(cmd, a, c, res)
	if err == nil {
		err = value(cmd, tuneFound{res, verified})
	}
	if err != nil || a.page == "" {
		return err
	}
	return writePage(a.page, d, verified, made)
}

// tuneFound is what tune has found, as JSON.
type tuneFound struct {
	*tune.Result
	Verified string `json:"verified,omitempty"` // what a match of the values against the start has shown
}

// writePage writes the page of a tuning. verified is what a match of the tuned values against the
// start has shown, "" for none, and made the command that makes the page.
func writePage(path string, d *doc.Doc, verified, made string) error {
	if verified != "" {
		d.Lead = append(d.Lead, "The tuned values against the start: "+verified)
	}
	d.Lead = append(d.Lead, "Made by "+made+".")
	return report.WriteHTML(path, d)
}

// tuning is what the flags say.
func (a *tuneArgs) tuning() (c tune.Config, err error) {
	if c.Config, err = a.config(); err != nil {
		return c, err
	}
	if c.Player, err = engine.ParseSpec(a.player); err != nil {
		return c, usagef("--player: %v", err)
	}
	watch(&c.Player.Program)
	if c.Player.Program.Path == "" {
		return c, usagef("--player %s: expected a program, cmd=PROGRAM", a.player)
	}
	c.Ahead = a.ahead
	if c.Parameters, err = tune.ReadParameters(a.file); err != nil {
		return c, err
	}
	return c, nil
}

// verify plays the tuned values against the start.
func (g gameOf[P]) verify(cmd *cobra.Command, a *tuneArgs, c tune.Config, res *tune.Result) (string, error) {
	if a.verify == 0 {
		return "", nil
	}
	tuned, start := c.Player, c.Player
	tuned.Name, start.Name = "tuned", "start"
	tuned.Program.Options = slices.Concat(tuned.Program.Options, res.Options())
	start.Program.Options = slices.Concat(start.Program.Options, res.Starts())
	c.Pairs, c.Log = a.verify, a.out+".verify.log"
	c.Seed++ // other openings
	update, finish := progress("match", "games")
	sum, err := match.Run(cmd.Context(), g.kit, c.Config, tuned, start, match.Output{}, update)
	finish()
	if err != nil {
		return "", resumable{err, thisCommand("--force"), c.Log} // the values are there
	}
	said := sum.Text(g.info().Unit)
	if sum.Test != "" {
		said += "; " + sum.Test
	}
	for _, line := range match.ForfeitText(sum.Forfeits) {
		said += "; " + line
	}
	_, err = fmt.Fprintln(text(cmd), said)
	return said, err
}
