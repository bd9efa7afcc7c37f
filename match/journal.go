package match

import (
	"cmp"
	"fmt"

	"kroo/internal/journal"
)

// journalKind changes with the meaning of the log.
const journalKind = "kroo-match 2"

// header begins the log: what a pair's games depend on. The number of pairs is
// not among it, so that a match can be made longer: the first openings of a
// longer one are the same.
type header struct {
	A            string `json:"player_A"`
	B            string `json:"player_B"`
	Rules        string `json:"rules"`
	Limits       string `json:"limits"`
	OpeningPlies int    `json:"opening_plies"`
	MaxPlies     int    `json:"maximum_plies"`
	Seed         uint64 `json:"seed"`
	Openings     string `json:"openings,omitempty"` // hash of those given
	WinBy        string `json:"adjudicated_wins,omitempty"`
	DrawBy       string `json:"adjudicated_draws,omitempty"`
	Table        string `json:"adjudicating_table,omitempty"`
	Clock        string `json:"clock,omitempty"`
	ClockB       string `json:"clock_of_player_B,omitempty"`
}

func (c *Config) header(a, b string) header {
	h := header{
		A: a, B: b, Rules: c.Rules.String(), Limits: c.Limits,
		OpeningPlies: c.OpeningPlies, MaxPlies: c.MaxPlies, Seed: c.Seed, Openings: openingsHash(c.Openings),
		WinBy: c.AdjudicateWin.String(), DrawBy: c.AdjudicateDraw.String(),
	}
	if c.AdjudicateTable != nil {
		h.Table = cmp.Or(c.TableName, "unnamed")
	}
	h.Clock, h.ClockB = c.TimeControl.inFull(), c.TimeControlB.inFull()
	return h
}

// inFull is the time control with its margin, "" for none.
func (tc TimeControl) inFull() string {
	if tc == (TimeControl{}) {
		return ""
	}
	return tc.String() + ", margin " + tc.Margin.String()
}

// pairLog is one record of the log.
type pairLog struct {
	Pair  int        `json:"pair"` // from 0
	Games [2]gameLog `json:"games"`
}

// openJournal opens the log or starts it, and hands over the pairs it holds.
func openJournal(path string, settings header, found func(pairLog) error) (*journal.Journal[pairLog], error) {
	j, err := journal.Open(path, journalKind, settings, journal.JSON[pairLog](), found)
	return j, wrap(err)
}

func wrap(err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("match: %w", err)
}
