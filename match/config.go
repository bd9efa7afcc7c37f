package match

import (
	"cmp"
	"fmt"
	"time"

	"kroo/engine"
	"kroo/farm"
	"kroo/games"
	"kroo/match/elo"
)

// Config says how a match is played, whatever the game. Its tags name the
// settings that configuration files hold; the others are not part of a file's
// text, nor of JSON.
type Config struct {
	Pairs        int `toml:"pairs"`         // of games, 1 to a million
	OpeningPlies int `toml:"opening_plies"` // random moves before the players', 0 to 40
	// Config bounds the searches of players inside that have no limits of their
	// own. It binds no other players.
	engine.Config

	Rules string `toml:"-" json:"-"` // "" is the game's default
	Seed  uint64 `toml:"-" json:"-"` // of the random openings, and of what varying players draw

	// Openings is a file of openings to play in order, one a pair, instead of
	// random ones: game records if its name ends in .ogn, of which the first
	// OpeningsPlies moves count (0 is all), else a board a line. OpeningPlies is then 0. More pairs than openings are an
	// error unless RepeatOpenings lets them begin again from the first, or a
	// player varies. Reproducible players play repeated openings alike.
	Openings       string `toml:"-" json:"-"`
	OpeningsPlies  int    `toml:"-" json:"-"`
	RepeatOpenings bool   `toml:"-" json:"-"`

	Concurrency int `toml:"-" json:"-"` // pairs played at a time; 0 is one a processor

	// MaxPlies ends games at that ply, opening included: who leads then wins,
	// and nobody in games that have no such lead. 0 lets the rules end them all.
	MaxPlies int `toml:"-" json:"-"`
	// AdjudicateWin and AdjudicateDraw end games that both players think are
	// decided. Zero values leave them to the rules. The final difference of
	// such a game is not known: its pair is left out of that statistic.
	AdjudicateWin  AdjudicateWin  `toml:"-" json:"-"`
	AdjudicateDraw AdjudicateDraw `toml:"-" json:"-"`
	// AdjudicateTables ends games that the endgame tables of engine.Config
	// decide, as soon as an irreversible move leads to such a position.
	AdjudicateTables bool `toml:"-" json:"-"`

	// TimeControl puts both players under clocks, except for a player with
	// another of its own. Who oversteps the time loses, a forfeit by "time".
	TimeControl TimeControl `toml:"-" json:"-"`
	// Margin is what a player may overrun a clock, or a program the time of a
	// move: the price of measuring on a busy machine. It is no thinking time.
	Margin time.Duration `toml:"-" json:"-"`
	// MoveTimes records the time of each move. A match that is not reproducible
	// does so anyway.
	MoveTimes bool `toml:"-" json:"-"`

	// Test, if not nil, ends the match as soon as it is decided. Pairs count in
	// their order, so that the decision does not depend on Concurrency: pairs
	// finished ahead of the deciding one are left out of the result. It is no
	// part of the log: a match may go on under another test.
	Test *elo.SPRT `toml:"-" json:"-"`
	// Farm, if not nil, has workers on other machines that play the pairs. Its
	// workers play no [PlayerConfig] that its CheckFarm refuses.
	Farm farm.Network `toml:"-" json:"-"`
	// Log is the file that each finished pair is appended to, "" for none. If
	// it is there already, the match goes on from it. It must be of the same
	// match but may be of more pairs or fewer.
	Log string `toml:"-" json:"-"`
	// Anew, if not "", has the match begin anew, without the games of a log that is
	// there. A log that was begun with the same words is of this match, which was
	// interrupted: it goes on.
	Anew string `toml:"-" json:"-"`
}

// maxPairs is far more than a test of strength needs.
const maxPairs = 1_000_000

// Check refuses a match that cannot be played. What bounds the searches is
// checked for each player as it is opened.
func (c Config) Check() error {
	switch {
	case c.Pairs < 1 || c.Pairs > maxPairs:
		return fmt.Errorf("%d pairs: expected 1 to %d", c.Pairs, maxPairs)
	case c.OpeningPlies < 0 || c.OpeningPlies > maxOpeningPlies:
		return fmt.Errorf("openings of %d plies: expected 0 to %d", c.OpeningPlies, maxOpeningPlies)
	case c.Openings != "" && c.OpeningPlies != 0:
		return errOpeningsGiven(c.OpeningPlies)
	case c.OpeningsPlies < 0:
		return fmt.Errorf("the first %d plies of the openings: expected 0 (all) or more", c.OpeningsPlies)
	case c.Concurrency < 0:
		return fmt.Errorf("concurrency %d: expected 0 (one pair a processor) or more", c.Concurrency)
	case c.MaxPlies != 0 && c.MaxPlies <= c.OpeningPlies:
		return fmt.Errorf("at most %d plies: expected 0 (no maximum) or more than the opening's %d", c.MaxPlies, c.OpeningPlies)
	case c.Margin < 0 || c.Margin > longestControl:
		return fmt.Errorf("a margin of %s: expected 0 to %s", c.Margin, longestControl)
	}
	if c.Test != nil {
		if err := c.Test.Check(); err != nil {
			return err
		}
	}
	return cmp.Or(c.AdjudicateWin.check(), c.AdjudicateDraw.check(), c.TimeControl.check())
}

// rulesOf are the rules of the match under a game.
func (c Config) rulesOf(info games.Info) (string, error) {
	rules := cmp.Or(c.Rules, info.Rules[0])
	return rules, info.CheckRules(rules)
}
