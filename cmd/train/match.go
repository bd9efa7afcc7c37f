package main

import (
	"encoding/json"
	"fmt"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/games/oware"
	"kroo/pipeline"
)

func matchCommand() *cobra.Command {
	var search searchFlags
	var req pipeline.MatchRequest
	var rules, out string
	var a, b string
	var asJSON bool
	var test testFlags
	var games ruleFlags
	cmd := &cobra.Command{
		Use:   "match",
		Short: "play two evaluations against each other and say what the result is worth",
		Long: `Plays pairs of games from random short openings, sides swapped, and prints wins,
draws and losses of the first player with Elo difference and 95 % error bar.
With -o, finished pairs are kept in a log (OUTPUT.log): the same command goes on
from it after an interruption, or with more --pairs.

` + pipeline.SpecHelp,
		Example: "  train match --a 'cmd=./train uci --weights new.json,movetime=20ms' --b weights=weights.json,movetime=20ms\n  train match --a weights.json --b captures --pairs 200 --nodes 20000 -o match.ogn\n  train match --a new.json --b weights.json --pairs 20000 --sprt 0,10 -o test.ogn",
		Args:    exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error {
			if req.Pairs < 1 || req.Pairs > 1_000_000 || req.OpeningPlies < 0 || req.OpeningPlies > 40 {
				return usagef("--pairs %d, --opening-plies %d: expected 1 to 1000000 and 0 to 40", req.Pairs, req.OpeningPlies)
			}
			if err := workersInRange(req.Concurrency); err != nil {
				return err
			}
			var err error
			if req.Rules, err = parseRules(rules); err != nil {
				return err
			}
			byDefault := pipeline.SearchConfig{Nodes: 20_000}
			if games.clock != "" { // the clock is limit enough
				byDefault = pipeline.SearchConfig{Depth: engine.MaxPly}
			}
			if req.SearchConfig, err = search.config(byDefault); err != nil {
				return err
			}
			if req.Test, err = test.test(); err != nil {
				return err
			}
			if err := games.apply(&req); err != nil {
				return err
			}
			if req.A, err = openPlayer(cmd, "a", a, req.Rules); err != nil {
				return err
			}
			if req.B, err = openPlayer(cmd, "b", b, req.Rules); err != nil {
				return err
			}
			if out != "" {
				req.Log = out + ".log"
			}
			update, finish := matchProgress("match", req.Test)
			sum, err := pipeline.PlayMatch(cmd.Context(), req, out, update)
			finish()
			if err != nil {
				if req.Log == "" { // nothing was kept
					return err
				}
				return resumable{err, thisCommand()}
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(sum)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s against %s: %s\n", sum.A, sum.B, sum.Score)
			if sum.Test != "" {
				fmt.Fprintln(cmd.OutOrStdout(), sum.Test)
			}
			return nil
		},
	}
	cmd.AddCommand(openingsCommand(), llrCommand())
	test.add(cmd)
	games.add(cmd)
	search.add(cmd, 16)
	workersFlag(cmd, &req.Concurrency)
	rulesFlag(cmd, &rules)
	f := cmd.Flags()
	f.StringVar(&a, "a", "captures", "first player")
	f.StringVar(&b, "b", "captures", "second player")
	f.IntVar(&req.Pairs, "pairs", 100, "pairs of games")
	f.IntVar(&req.OpeningPlies, "opening-plies", 6, "random moves before the players take over")
	f.Uint64Var(&req.Seed, "seed", 1, "of the openings")
	f.BoolVar(&asJSON, "json", false, "print the result as JSON")
	outFlag(cmd, &out, "file for the games (OGN)")
	return cmd
}

// openPlayer loads the player that a flag describes.
func openPlayer(cmd *cobra.Command, flag, text string, rules oware.Rules) (pipeline.Contender, error) {
	spec, err := pipeline.ParsePlayer(text)
	if err != nil {
		return pipeline.Contender{}, usagef("--%s: %v", flag, err)
	}
	return spec.Open(cmd.Context(), rules)
}
