package match

import (
	"cmp"
	"time"
)

// journalKind changes with the meaning of the log.
const journalKind = "kroo-match 3"

// header begins the log: what a pair's games depend on. The number of pairs is
// not among it, so that a match can be made longer: the first openings of a
// longer one are the same.
type header struct {
	Game         string `json:"game"`
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
	Tables       string `json:"adjudicating_table,omitempty"`
	Clock        string `json:"clock,omitempty"`
	ClockB       string `json:"clock_of_player_B,omitempty"`
	ProgramA     string `json:"program_of_player_A,omitempty"` // that workers of a farm have
	ProgramB     string `json:"program_of_player_B,omitempty"`
}

func (r *referee[P]) header() header {
	h := header{
		Game: r.Game.Name, A: r.A.Name, B: r.B.Name, Rules: r.rules, Limits: r.limits(),
		OpeningPlies: r.OpeningPlies, MaxPlies: r.MaxPlies, Seed: r.Seed, Openings: openingsHash(r.Game, r.Suite),
		WinBy: r.AdjudicateWin.String(), DrawBy: r.AdjudicateDraw.String(),
		Clock: r.control(0).inFull(r.Margin), ProgramA: r.A.far.program(), ProgramB: r.B.far.program(),
	}
	if b := r.control(1); b != r.control(0) {
		h.ClockB = b.inFull(r.Margin)
	}
	if r.Tables != nil {
		h.Tables = cmp.Or(r.TablesName, "unnamed")
	}
	return h
}

// inFull is the time control with its margin, "" for none.
func (tc TimeControl) inFull(margin time.Duration) string {
	if tc == (TimeControl{}) {
		return ""
	}
	return tc.String() + ", margin " + margin.String()
}

// pairLog is one record of the log.
type pairLog struct {
	Pair  int        `json:"pair"` // from 0
	Games [2]gameLog `json:"games"`
}
