package match

import (
	"cmp"
	"fmt"

	"kroo/engine"
	"kroo/farm"
	"kroo/games"
	"kroo/internal/spec"
	"kroo/match/elo"
)

// Config says how a match is played, whatever the game. Its tags are those of package spec: they
// make flags, sections of configuration files, the settings in the log of a match and in a
// task of a farm.
type Config struct {
	Pairs        int `name:"pairs" flag:"-" default:"100" range:"1..1000000" made:"-" help:"pairs of games"`
	OpeningPlies int `name:"opening_plies" default:"6" range:"0..40" group:"Games" help:"random moves before the players take over"`
	// Config bounds the searches of players inside that have no limits of their
	// own. It binds no other players.
	engine.Config

	Rules string // "" is the game's default
	// Seed is that of the random openings, and of what varying players draw.
	Seed uint64 `name:"seed" default:"1" file:"-" help:"random seed: the same seed gives the same files"`

	// Openings are played in order, one a pair, and OpeningPlies does not count: game
	// records if the name ends in .ogn, else a board a line. More pairs than openings are an
	// error unless a player varies. Reproducible players play repeated openings alike.
	Openings string `name:"openings" file:"in" group:"Games" help:"openings to play instead of random ones: a file that train match openings has made, other OGN, or a list of boards"`

	Concurrency int `name:"workers" file:"-" range:"0..1024" group:"Search" made:"-" help:"searches at a time (default one a processor)"`

	// MaxPlies ends games at that ply, opening included: who leads then wins,
	// and nobody in games that have no such lead. 0 lets the rules end them all.
	MaxPlies int `name:"max_plies" range:"1.." group:"Games" help:"end games at this ply by the stores (default never)"`
	// AdjudicateWin and AdjudicateDraw end games that both players think are
	// decided. Zero values leave them to the rules. The final difference of
	// such a game is not known: its pair is left out of that statistic.
	AdjudicateWin  AdjudicateWin  `name:"adjudicate_win" json:",omitzero" group:"Games" help:"SCORE:MOVES: a game is won when both players report that lead, in centi-seeds, for MOVES moves"`
	AdjudicateDraw AdjudicateDraw `name:"adjudicate_draw" json:",omitzero" group:"Games" help:"SCORE:MOVES:PLIES: a game is drawn when both report no more than that for MOVES moves, after PLIES plies"`
	// AdjudicateTables ends games that the endgame tables of engine.Config
	// decide, as soon as an irreversible move leads to such a position.
	AdjudicateTables bool `name:"adjudicate_tables" group:"Games" help:"end games that the endgame table of the program, or of --tables, decides"`

	// TimeControl puts both players under clocks, except for a player with
	// another of its own. Who oversteps the time loses, a forfeit by "time".
	TimeControl engine.TimeControl `name:"tc" json:",omitzero" group:"Games" help:"clocks, as BASE+INCREMENT such as 10s+100ms, besides the other limits"`
	// Margin is the price of measuring on a busy machine. It is no thinking time.
	Margin engine.Duration `name:"margin" default:"50ms" group:"Games" help:"what a player may overrun a clock, or a program the time of a move"`
	// MoveTimes records the time of each move. A match that is not reproducible
	// does so anyway.
	MoveTimes bool

	// Test ends the match as soon as it is decided. Pairs count in
	// their order, so that the decision does not depend on Concurrency: pairs
	// finished ahead of the deciding one are left out of the result. It is no
	// part of the log: a match may continue under another test.
	Test elo.SPRT `name:"." flag:"-"`
	// Farm, if not nil, has workers on other machines that play the pairs. Its
	// workers play no [engine.Spec] that its CheckFarm refuses.
	Farm farm.Network `json:"-"`
	// Log is the file that each finished pair is appended to, "" for none. If
	// it is there already, the match continues from it. It must be of the same
	// match but may be of more pairs or fewer.
	Log string `json:"-"`
	// Anew, if not "", has the match begin again, without the games of a log that is
	// there. A log that was begun with the same words is of this match, which was
	// interrupted: it continues.
	Anew string `json:"-"`
}

// maxPairs is the most that a match may have.
const maxPairs = 1_000_000

// Check refuses a match that cannot be played. What bounds the searches is
// checked for each player as it is opened.
func (c Config) Check() error {
	c.Config = engine.Config{HashMB: 1}
	if err := spec.Check(&c); err != nil {
		return err
	}
	if c.MaxPlies != 0 && c.MaxPlies <= c.randomPlies() {
		return fmt.Errorf("max_plies is %d: expected more than the opening's %d", c.MaxPlies, c.OpeningPlies)
	}
	if c.Test.Given() {
		if err := c.Test.Check(); err != nil {
			return err
		}
	}
	return cmp.Or(c.AdjudicateWin.check(), c.AdjudicateDraw.check(), c.TimeControl.Check())
}

// randomPlies are the random moves of an opening: none where openings are given.
func (c Config) randomPlies() int {
	if c.Openings != "" {
		return 0
	}
	return c.OpeningPlies
}

// rulesOf are the rules of the match under a game.
func (c Config) rulesOf(info games.Info) (string, error) {
	rules := cmp.Or(c.Rules, info.Rules[0])
	return rules, info.CheckRules(rules)
}
