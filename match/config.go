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

// Config configures a match of any game. Its tags define flags, sections of configuration files, and
// the settings in the log of a match and in tasks of a farm.
type Config struct {
	Pairs        int `name:"pairs" flag:"-" default:"100" range:"1..1000000" made:"-" help:"pairs of games"`
	OpeningPlies int `name:"opening_plies" default:"6" range:"0..40" group:"Games" help:"random moves before the players take over"`
	// Config bounds the searches of the engine's players without limits of their own. It does not
	// apply to other programs.
	engine.Config

	Rules string // "" means the game's default
	// Seed is the seed of random openings and of varying players.
	Seed uint64 `name:"seed" default:"1" file:"-" help:"random seed: the same seed gives the same files"`

	// Openings are played in order, one per pair, and OpeningPlies is ignored: game records if the
	// name ends in .ogn, or else boards, see [datasets.Boards]. More pairs than openings are an error
	// unless a player varies: reproducible players repeat the same games.
	Openings string `name:"openings" file:"in" group:"Games" help:"openings to play instead of random ones: a file from train match openings, other OGN, a list of boards, or a table with a column board"`

	Concurrency int `name:"workers" file:"-" range:"0..1024" group:"Search" made:"-" help:"searches at a time (default one per processor)"`

	// MaxPlies ends games at that ply, opening included: the leader wins; in games without such a
	// lead it is a draw. 0 leaves the end to the rules.
	MaxPlies int `name:"max_plies" range:"1.." group:"Games" help:"end games at this ply by the stores (default never)"`
	// AdjudicateWin and AdjudicateDraw end games that both players consider decided. Zero values
	// disable them. The final difference of such a game is unknown: its pair is left out of that
	// statistic.
	AdjudicateWin  AdjudicateWin  `name:"adjudicate_win" json:",omitzero" group:"Games" help:"SCORE:MOVES: a game is won when both players report that lead, in centi-seeds, for MOVES moves"`
	AdjudicateDraw AdjudicateDraw `name:"adjudicate_draw" json:",omitzero" group:"Games" help:"SCORE:MOVES:PLIES: a game is drawn when both players report at most that score for MOVES moves, after PLIES plies"`
	// AdjudicateTables ends games decided by the endgame tables of engine.Config, as soon as an
	// irreversible move leads to such a position.
	AdjudicateTables bool `name:"adjudicate_tables" group:"Games" help:"end games that the endgame table of the program, or of --tables, decides"`

	// TimeControl is the clock of both players, unless a player has its own. A player that oversteps
	// the time loses, a forfeit by "time".
	TimeControl engine.TimeControl `name:"tc" json:",omitzero" group:"Games" help:"clocks, in addition to other limits: BASE+INCREMENT in seconds, such as 10+0.1, 40/10+0.1 (10 s more after every 40 moves) or 0+0.1"`
	// Margin allows for the overhead of a busy machine. It is not thinking time.
	Margin engine.Duration `name:"margin" default:"50ms" group:"Games" help:"grace by which a player may overrun its clock or move time"`
	// MoveTimes records the time of each move. Matches that are not reproducible always do.
	MoveTimes bool

	// Test ends the match as soon as it is decided. Pairs count in their order, so that the decision
	// does not depend on Concurrency: pairs finished ahead of the deciding one are left out of the
	// result. It is not part of the log: a match may resume with another test.
	Test elo.SPRT `name:"." flag:"-"`
	// Farm, if not nil, plays the pairs on workers of other machines. They cannot play an
	// [engine.Spec] that its CheckFarm refuses.
	Farm farm.Network `json:"-"`
	// Log is the file that each finished pair is appended to, "" for no log. If it exists, the match
	// resumes from it. It must be of the same match, but may be of fewer pairs.
	Log string `json:"-"`
	// Restart, if not "", starts the match over, without the games of an existing log, unless that
	// log was started with the same text: then it is this match, interrupted, and resumes.
	Restart string `json:"-"`
}

// maxPairs is the maximum number of pairs in a match.
const maxPairs = 1_000_000

// Check returns an error for a match that cannot be played. The limits of the searches are checked
// when each player is opened.
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

// randomPlies is the number of random moves of an opening: 0 if openings are given.
func (c Config) randomPlies() int {
	if c.Openings != "" {
		return 0
	}
	return c.OpeningPlies
}

// rulesOf returns the rules of the match in a game.
func (c Config) rulesOf(info games.Info) (string, error) {
	rules := cmp.Or(c.Rules, info.Rules[0])
	return rules, info.CheckRules(rules)
}
