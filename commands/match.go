package commands

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/journal"
	"kroo/internal/spec"
	"kroo/match"
	"kroo/run/inspect"
)

// matchArgs are what the flags of match say.
type matchArgs struct {
	matchFlags
	a, b string
}

func matchCommand() *cobra.Command {
	var m matchArgs
	cmd := &cobra.Command{
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
  train match --a weights=w.json,book=book.bin --b weights=w.json,vary=on --opening-plies 0 --pairs 1000`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return onGame(m.game, func(g game) error { return g.match(cmd, &m) })
		},
	}
	group(cmd, openingsCommand(), llrCommand(), tournamentCommand())
	m.add(cmd, 100)
	f := cmd.Flags()
	spec.Flags(f, &m.match.Test)
	f.StringVar(&m.a, "a", "", "first player, see train help players (default the game's own evaluation: in oware default)")
	f.StringVar(&m.b, "b", "", "second player (the same)")
	return cmd
}

func (g gameOf[P]) match(cmd *cobra.Command, m *matchArgs) error {
	c, err := m.config()
	if err != nil {
		return err
	}
	var players [2]engine.Spec
	for i, text := range []string{m.a, m.b} {
		if !cmd.Flags().Changed("ab"[i : i+1]) {
			continue
		}
		if players[i], err = engine.ParseSpec(text); err != nil {
			return usagef("--%c: %v", 'a'+i, err)
		}
		watch(&players[i].Program)
	}
	leave, err := m.begin(cmd, g.info(), &c, players[:])
	if err != nil {
		return err
	}
	defer leave()
	update, finish := progress("match", "games")
	sum, err := match.Run(cmd.Context(), g.kit, c, players[0], players[1], m.output(), update)
	finish()
	if err == nil || sum.Score.Games() > 0 {
		err = errors.Join(err, m.print(cmd.OutOrStdout(), sum, g.info().Unit))
	}
	if err != nil {
		return m.stopped(err)
	}
	return nil
}

func (m *matchArgs) print(out io.Writer, sum match.Summary, unit string) error {
	if m.asJSON {
		return json.NewEncoder(out).Encode(sum)
	}
	fmt.Fprintln(out, sum.Text(unit))
	if sum.Test != "" {
		fmt.Fprintln(out, sum.Test)
	}
	for _, line := range match.ForfeitText(sum.Forfeits) {
		fmt.Fprintln(out, line)
	}
	return nil
}

// matchFlags are what matches, tournaments and tunings have in common.
type matchFlags struct {
	search          searchFlags
	farm            farmFlags
	match           match.Config
	game, out, made string
	asJSON          bool
}

// output is where the games go.
func (m *matchFlags) output() match.Output {
	return match.Output{File: m.out, Made: m.made}
}

func (m *matchFlags) add(cmd *cobra.Command, pairs int) {
	m.addPlay(cmd)
	m.farm.add(cmd)
	m.match.Pairs = pairs
	spec.Flags(cmd.Flags(), &m.match, "pairs")
	jsonFlag(cmd, &m.asJSON)
	outFlag(cmd, &m.out, "file for the games (OGN)")
	cmd.Flags().Lookup("force").Usage += "; play all games again"
}

// addPlay adds the flags that say how games are played.
func (m *matchFlags) addPlay(cmd *cobra.Command) {
	spec.Default(&m.match)
	spec.Flags(cmd.Flags(), &m.match)
	m.search.take(cmd, &m.match.Config, engine.Config{Nodes: 20_000})
	gameFlag(cmd, &m.game)
	gameRulesFlag(cmd, &m.match.Rules)
}

// config is what the flags say.
func (m *matchFlags) config() (c match.Config, err error) {
	c = m.match
	if c.TimeControl != (engine.TimeControl{}) { // the clock is limit enough
		m.search.fallback = engine.Config{Depth: search.MaxPly}
	}
	if c.Config, err = m.search.config(); err != nil {
		return c, err
	}
	if m.out != "" {
		c.Log = m.out + ".log"
	}
	if err := c.Check(); err != nil {
		return c, usageError{err}
	}
	return c, nil
}

// begin fills in the rules of a match, takes its output and connects with the farm. It
// refuses an output that the match reads, or one of another kind, and players that cannot be
// made where the games are. Call leave at the end.
func (m *matchFlags) begin(cmd *cobra.Command, info games.Info, c *match.Config, players []engine.Spec) (leave func(), err error) {
	inputs := []string{c.Openings, c.Tables}
	for _, p := range players {
		inputs = slices.Concat(inputs, []string{p.Weights, p.Book, p.Search.Tables}, p.Program.Files())
		if err := p.CheckFarm(m.farm.url != ""); err != nil {
			return nil, usageError{err}
		}
	}
	out := output{path: m.out, holds: inspect.KindGames, log: c.Log, headed: true, grows: "pairs|split|sprt|model|alpha|beta", extent: cmd.Flags().Lookup("pairs")}
	if m.made, err = takeOutputs(cmd, []output{out}, inputs...); err != nil {
		return nil, err
	}
	if c.Anew, err = anew(cmd, m.out); err != nil {
		return nil, err
	}
	if err = takeRules(info, c); err != nil {
		return nil, err
	}
	c.Farm, leave, err = m.farm.dial(cmd.Context())
	return leave, err
}

// stopped is the error of a match that was not finished.
func (m *matchFlags) stopped(err error) error {
	switch {
	case m.out == "": // nothing was kept
		return err
	case errors.Is(err, journal.ErrOther):
		return fmt.Errorf("%w; --force plays all games again", err)
	}
	return resumable{err, thisCommand(), m.out + ".log"}
}

// takeRules completes the rules of a match. It refuses those under which it may never end.
func takeRules(info games.Info, c *match.Config) (err error) {
	if c.Rules, err = rulesOf(info, c.Rules); err != nil {
		return err
	}
	if c.MaxPlies == 0 && slices.Contains(info.Endless, c.Rules) {
		return usagef("games under %s rules may never end: give --max-plies", c.Rules)
	}
	return nil
}
