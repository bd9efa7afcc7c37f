package commands

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/internal/journal"
	"kroo/internal/spec"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/match"
	"kroo/run/inspect"
)

type matchFlags struct {
	rulesFlags
	match.Config
}

const defaultNodes = 20_000

type matchArgs struct {
	matchFlags
	farmFlags
	A   string `name:"a" help:"first player, see train help players (default the game's own evaluation: in oware default)"`
	B   string `name:"b" help:"second player (the same)"`
	Out string `name:"output" flag:"output,o" file:"out" help:"file for the games (OGN)"`
}

func matchCommand() *cobra.Command {
	var m matchArgs
	m.Nodes = defaultNodes
	cmd := newCommand(&cobra.Command{
		Use:   "match",
		Short: "play two evaluations or programs against each other, with Elo and SPRT",
		Long: `Plays pairs of games from random short openings, sides swapped, and prints wins,
draws and losses of the first player, and the Elo difference with its 95 % interval.
With -o, finished pairs are kept in a log (OUTPUT.log): the same command resumes after an
interruption, or with more --pairs. A log of other players, other
options or another build of a program is refused; --force starts over. With
--opening-plies 0 and a player that varies, all games begin at the start position.

A player is a name, a weights file or KEY=VALUE,…: see ` + "`train help players`.",
		Example: `  train match --a weights.json --b captures --pairs 200 --nodes 20000 -o match.ogn
  train match --a new.json --b weights.json --pairs 2000 --farm embedded -o far.ogn
  train match --a new.json --b weights.json --pairs 20000 --sprt 0,10 -o test.ogn
  train match --a 'cmd=./other uci,movetime=20ms' --b weights=weights.json,movetime=20ms
  train match --a 'cmd=./new uci' --b 'cmd=./old uci' --tc 40/10+0.1 --pairs 500
  train match --a weights=w.json,book=book.bin --b weights=w.json,vary=on --opening-plies 0 --pairs 1000`,
	}, func(j *job) error { return m.game().match(j, &m) }, &m)
	forceHelp(cmd)
	spec.Flags(cmd.Flags(), &m.Config, "pairs")
	spec.Flags(cmd.Flags(), &m.Test)
	group(cmd, openingsCommand(), llrCommand(), tournamentCommand())
	cmd.Args = noPlayers
	return cmd
}

// noPlayers refuses players that are given as operands, and unknown subcommands.
func noPlayers(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	err := unknownCommand(cmd, args[0])
	if strings.Contains(err.Error(), "did you mean") {
		return err
	}
	players := "--a " + quotePath(args[0])
	if len(args) == 2 {
		players += " --b " + quotePath(args[1])
	}
	return usagef("%w; players are given by flags: `%s %s`", err, cmd.CommandPath(), players)
}

// forceHelp adds to the help of --force what else it does in commands that play games.
func forceHelp(cmd *cobra.Command) { cmd.Flags().Lookup("force").Usage += "; play all games again" }

func (g gameOf[P]) match(j *job, m *matchArgs) error {
	c, err := m.config(j, m.Out)
	if err != nil {
		return err
	}
	a, err := m.player(j, "--a", m.A)
	if err != nil {
		return err
	}
	b, err := m.player(j, "--b", m.B)
	if err != nil {
		return err
	}
	players := [2]engine.Spec{a, b}
	out, err := m.prepare(j, m.farmFlags, m.output(m.Out, c), &c, players[:])
	if err != nil {
		return err
	}
	sum, err := match.Run(j.Context(), g.kit, c, players[0], players[1], out, j.progress("match", "games"))
	j.endMeter(err == nil)
	if err == nil || sum.Score.Games() > 0 {
		if err := j.show("", sum.Doc(g.info().Unit)); err != nil {
			return err
		}
	}
	return withForce(err)
}

// player returns the player of a flag or an operand, or by default the game's own evaluation.
func (matchFlags) player(j *job, what, text string) (engine.Spec, error) {
	if text == "" {
		return engine.Spec{}, nil
	}
	p, err := engine.ParseSpec(text)
	if err != nil {
		return engine.Spec{}, usagef("%s: %w%s: see `%s help players`", what, err, j.bothPlayers(err), wording.Program())
	}
	err = cmp.Or(checkKind(p.Weights, what, inspect.KindWeights), checkKind(p.Book, what, inspect.KindBook),
		checkKind(p.Search.Tables, what, inspect.KindTable))
	if err != nil {
		return engine.Spec{}, err
	}
	if isProgram(p.Weights) {
		return engine.Spec{}, usagef("%s: %s is a program: did you mean %s? see `%s help players`", what, p.Weights,
			quotePath("cmd="+p.Weights), wording.Program())
	}
	watch(&p.Program)
	return p, nil
}

// isProgram reports whether a path names a program instead of one of Kroo's files.
func isProgram(path string) bool {
	info, err := vfs.Stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Mode().Perm()&0o111 == 0 {
		return false
	}
	kind, err := inspect.KindOf(path)
	return err == nil && kind == inspect.KindUnknown
}

// bothPlayers adds to the error for an unknown key of a player that it is a flag of the match, if it is one.
func (j *job) bothPlayers(err error) string {
	unknown, ok := errors.AsType[*spec.UnknownError](err)
	if !ok || j.Flags().Lookup(strings.ReplaceAll(unknown.Key, "_", "-")) == nil {
		return ""
	}
	return fmt.Sprintf("; the flag --%s is for all players", strings.ReplaceAll(unknown.Key, "_", "-"))
}

// config returns the configuration of a match that writes its games to out; "" discards them.
func (m *matchFlags) config(j *job, out string) (match.Config, error) {
	c := m.Config
	if c.TimeControl.IsSet() && !j.hasLimit() { // the clock limits searches
		c.Nodes, c.Depth = 0, search.MaxPly
	}
	if out != "" {
		c.Log = out + ".log"
	}
	if err := j.limit(&c.Config); err != nil {
		return match.Config{}, err
	}
	if err := asUsage(c.Check()); err != nil {
		return match.Config{}, err
	}
	if err := m.refuseUnused(j); err != nil {
		return match.Config{}, err
	}
	return c, nil
}

// refuseUnused refuses flags that have no effect with others.
func (m *matchFlags) refuseUnused(j *job) error {
	if m.Openings != "" {
		if err := j.notWith("--openings", "opening-plies"); err != nil {
			return err
		}
	}
	if m.Tables == engine.NoTables {
		if err := j.notWith("--tables none", "adjudicate-tables"); err != nil {
			return err
		}
	}
	if !m.Test.Given() {
		return j.notWithout("--sprt", "model", "alpha", "beta")
	}
	return nil
}

// refuseMargin refuses --margin if time limits neither the games nor a player.
func (m *matchFlags) refuseMargin(j *job, players ...engine.Spec) error {
	if m.TimeControl.IsSet() || m.MoveTime.Duration > 0 {
		return nil
	}
	for _, p := range players {
		if p.Clock.IsSet() || p.Search.MoveTime.Duration > 0 || p.Program.Protocol == client.CG {
			return nil
		}
	}
	return j.notWithout("--tc or --movetime", "margin")
}

// output returns the file for the games of a match.
func (matchFlags) output(file string, c match.Config) output {
	return output{path: file, kind: inspect.KindGames, log: c.Log, restarts: true}
}

// prepare completes the rules of a match, claims its output and connects to the farm. It refuses
// players that the farm's workers cannot run.
func (m *matchFlags) prepare(j *job, f farmFlags, file output, c *match.Config, players []engine.Spec) (match.Output, error) {
	if err := m.refuseMargin(j, players...); err != nil {
		return match.Output{}, err
	}
	inputs := []string{c.Openings, c.Tables}
	for _, p := range players {
		inputs = slices.Concat(inputs, []string{p.Weights, p.Book, p.Search.Tables}, p.Program.Files())
		if err := asUsage(p.CheckFarm(f.Farm != "")); err != nil {
			return match.Output{}, err
		}
	}
	made, err := j.claimOutputs([]output{file}, inputs...)
	if err != nil {
		return match.Output{}, err
	}
	out := match.Output{File: file.path, Made: made}
	if err := m.setRules(j, file.path, c); err != nil {
		return match.Output{}, err
	}
	c.Farm, err = j.dial(f)
	if err != nil {
		return match.Output{}, err
	}
	return out, nil
}

// setRules completes the rules of a match, and makes it start over with --force. It refuses rules
// under which games may never end.
func (m *matchFlags) setRules(j *job, out string, c *match.Config) error {
	restart, err := j.restart(out)
	if err != nil {
		return err
	}
	rules, err := m.rules()
	if err != nil {
		return err
	}
	c.Restart, c.Rules = restart, rules
	if c.MaxPlies == 0 && slices.Contains(m.game().info().Endless, c.Rules) {
		return usagef("games under %s rules may never end: give --max-plies", c.Rules)
	}
	return nil
}

// withForce adds what --force does to the error for the log of another match.
func withForce(err error) error {
	if errors.Is(err, journal.ErrOther) {
		return fmt.Errorf("%w; --force plays all games again", err)
	}
	return err
}
