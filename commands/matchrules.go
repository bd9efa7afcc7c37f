package commands

import (
	"slices"
	"time"

	"github.com/spf13/cobra"

	"kroo/games"
	"kroo/match"
	"kroo/match/elo"
)

// testFlags say which SPRT decides a match.
type testFlags struct {
	bounds, model string
	alpha, beta   float64
}

func (f *testFlags) add(cmd *cobra.Command) {
	cmd.Flags().StringVar(&f.bounds, "sprt", "", "stop when a sequential test of these two Elo leads is decided, such as 0,5")
	cmd.Flags().StringVar(&f.model, "model", string(elo.Normalized), "what the leads of --sprt are: normalized or logistic Elo")
	cmd.Flags().Float64Var(&f.alpha, "alpha", 0.05, "of --sprt: chance of accepting the second lead when the first is true")
	cmd.Flags().Float64Var(&f.beta, "beta", 0.05, "of --sprt: chance of accepting the first lead when the second is true")
}

// test is what the flags say, nil without --sprt.
func (f *testFlags) test() (*elo.SPRT, error) {
	if f.bounds == "" {
		return nil, nil
	}
	t := elo.SPRT{Alpha: f.alpha, Beta: f.beta, Model: elo.Model(f.model)}
	var err error
	if t.Elo0, t.Elo1, err = elo.ParseBounds(f.bounds); err == nil {
		err = t.Check()
	}
	if err != nil {
		return nil, usageError{err}
	}
	return &t, nil
}

// ruleFlags say how games begin and end, where a match's configuration has no plain
// value.
type ruleFlags struct{ win, draw, clock string }

func (f *ruleFlags) add(cmd *cobra.Command, c *match.Config) {
	cmd.Flags().StringVar(&c.Openings, "openings", "", "openings to play instead of random ones: a file that train match openings has made, other OGN, or a list of boards")
	cmd.Flags().DurationVar(&c.Margin, "margin", 50*time.Millisecond, "what a player may overrun a clock, or a program the time of a move")
	cmd.Flags().StringVar(&f.win, "adjudicate-win", "", "SCORE:MOVES: a game is won when both players report that lead, in centi-seeds, for so many moves")
	cmd.Flags().StringVar(&f.draw, "adjudicate-draw", "", "SCORE:MOVES:PLIES: a game is drawn when both report no more than that, after so many plies")
	cmd.Flags().BoolVar(&c.AdjudicateTables, "adjudicate-tables", false, "end games that the endgame table of the program, or of --tables, decides")
	cmd.Flags().IntVar(&c.MaxPlies, "max-plies", 0, "end games at this ply by the stores (default never)")
	cmd.Flags().StringVar(&f.clock, "tc", "", "clocks, as BASE+INCREMENT such as 10s+100ms, besides the other limits")
}

// apply reads the flags into a match and checks it. --openings takes the place of
// random openings.
func (f *ruleFlags) apply(c *match.Config) (err error) {
	if c.Openings != "" {
		c.OpeningPlies = 0
	}
	if f.win != "" {
		c.AdjudicateWin, err = match.ParseAdjudicateWin(f.win)
	}
	if f.draw != "" && err == nil {
		c.AdjudicateDraw, err = match.ParseAdjudicateDraw(f.draw)
	}
	if f.clock != "" && err == nil {
		c.TimeControl, err = match.ParseTimeControl(f.clock)
	}
	if err == nil {
		err = c.Check()
	}
	if err != nil {
		return usageError{err}
	}
	return nil
}

// takeRules completes the rules of a match. It refuses those under which it may never end.
func takeRules(info games.Info, c *match.Config) (err error) {
	if c.Rules, err = rulesOf(info, c.Rules); err != nil {
		return err
	}
	if c.MaxPlies == 0 && slices.Contains(info.Endless, c.Rules) {
		return usagef("games under %s rules may go on for ever: give --max-plies", c.Rules)
	}
	return nil
}
