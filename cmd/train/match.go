package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games/oware"
	"kroo/match"
)

func matchCommand() *cobra.Command {
	var games matchFlags
	var test testFlags
	var a, b string
	cmd := &cobra.Command{
		Use:   "match",
		Short: "play two evaluations or programs against each other and say what the result is worth",
		Long: `Plays pairs of games from random short openings, sides swapped, and prints wins,
draws and losses of the first player with Elo difference and 95 % error bar.
With -o, finished pairs are kept in a log (OUTPUT.log): the same command goes on
from it after an interruption, or with more --pairs.

` + match.SpecHelp,
		Example: `  train match --a weights.json --b captures --pairs 200 --nodes 20000 -o match.ogn
  train match --a new.json --b weights.json --pairs 20000 --sprt 0,10 -o test.ogn
  train match --a 'cmd=./other uci,movetime=20ms' --b weights=weights.json,movetime=20ms`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			req, err := games.request()
			if err != nil {
				return err
			}
			if req.Test, err = test.test(); err != nil {
				return err
			}
			if req.A, err = openPlayer(cmd, "--a", a, req.Rules); err != nil {
				return err
			}
			if req.B, err = openPlayer(cmd, "--b", b, req.Rules); err != nil {
				return err
			}
			update, finish := matchProgress("match", req.Test)
			sum, err := match.Run(cmd.Context(), req, games.out, update)
			finish()
			if err != nil {
				return games.stopped(err)
			}
			if games.asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(sum)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s against %s: %s\n", sum.A, sum.B, sum.Score)
			if sum.Test != "" {
				fmt.Fprintln(cmd.OutOrStdout(), sum.Test)
			}
			return nil
		},
	}
	group(cmd, openingsCommand(), llrCommand(), tournamentCommand())
	games.add(cmd, 100)
	test.add(cmd)
	f := cmd.Flags()
	f.StringVar(&a, "a", "captures", "first player")
	f.StringVar(&b, "b", "captures", "second player")
	return cmd
}

// openPlayer loads the player that a flag or an operand describes.
func openPlayer(cmd *cobra.Command, where, text string, rules oware.Rules) (match.Contender, error) {
	spec, err := match.ParsePlayer(text)
	if err != nil {
		return match.Contender{}, usagef("%s: %v", where, err)
	}
	return spec.Open(cmd.Context(), rules)
}

// matchFlags are what matches and tournaments have in common.
type matchFlags struct {
	search searchFlags
	rules  string
	play   ruleFlags
	req    match.Request
	out    string
	asJSON bool
}

func (m *matchFlags) add(cmd *cobra.Command, pairs int) {
	m.play.add(cmd)
	m.search.add(cmd, 16)
	workersFlag(cmd, &m.req.Concurrency)
	rulesFlag(cmd, &m.rules)
	f := cmd.Flags()
	f.IntVar(&m.req.Pairs, "pairs", pairs, "pairs of games")
	f.IntVar(&m.req.OpeningPlies, "opening-plies", 6, "random moves before the players take over")
	f.Uint64Var(&m.req.Seed, "seed", 1, "of the openings")
	f.BoolVar(&m.asJSON, "json", false, "print the result as JSON")
	outFlag(cmd, &m.out, "file for the games (OGN)")
}

// request is what the flags say.
func (m *matchFlags) request() (match.Request, error) {
	req := m.req
	if req.Pairs < 1 || req.Pairs > 1_000_000 || req.OpeningPlies < 0 || req.OpeningPlies > 40 {
		return req, usagef("--pairs %d, --opening-plies %d: expected 1 to 1000000 and 0 to 40", req.Pairs, req.OpeningPlies)
	}
	if err := workersInRange(req.Concurrency); err != nil {
		return req, err
	}
	var err error
	if req.Rules, err = parseRules(m.rules); err != nil {
		return req, err
	}
	byDefault := engine.Config{Nodes: 20_000}
	if m.play.clock != "" { // the clock is limit enough
		byDefault = engine.Config{Depth: search.MaxPly}
	}
	if req.Config, err = m.search.config(byDefault); err != nil {
		return req, err
	}
	if m.out != "" {
		req.Log = m.out + ".log"
	}
	return req, m.play.apply(&req)
}

// stopped is the error of a match that was not finished.
func (m *matchFlags) stopped(err error) error {
	if m.out == "" { // nothing was kept
		return err
	}
	return resumable{err, thisCommand()}
}
