package match

import (
	"cmp"

	"kroo/engine/uci/client"
)

// journalKind changes with the meaning of the log.
const journalKind = "kroo-match 4"

// header begins the log: what a pair's games depend on. The number of pairs is
// not among it, so that a match can be made longer: the first openings of a
// longer one are the same.
type header struct {
	Game         string       `json:"game"`
	A            playerHeader `json:"player_A"`
	B            playerHeader `json:"player_B"`
	Rules        string       `json:"rules"`
	Engine       string       `json:"engine,omitempty"` // our own
	OpeningPlies int          `json:"opening_plies"`
	MaxPlies     int          `json:"maximum_plies"`
	Seed         uint64       `json:"seed"`
	Openings     string       `json:"openings,omitempty"` // hash of those given
	WinBy        string       `json:"adjudicated_wins,omitempty"`
	DrawBy       string       `json:"adjudicated_draws,omitempty"`
	Tables       string       `json:"adjudicating_table,omitempty"`
	Margin       string       `json:"margin,omitempty"`
	Times        bool         `json:"move_times,omitempty"`
	Anew         string       `json:"recorded,omitempty"` // as Config has it
}

// playerHeader is what a player's moves depend on.
type playerHeader struct {
	Name       string           `json:"name"`
	Limits     string           `json:"limits"`
	Clock      string           `json:"clock,omitempty"`
	Evaluation string           `json:"evaluation,omitempty"`
	Program    *client.Identity `json:"program,omitempty"`
}

func (r *referee[P]) header() header {
	h := header{
		Game: r.Game.Name, A: r.playerHeader(0), B: r.playerHeader(1), Rules: r.rules, Engine: r.Engine,
		OpeningPlies: r.OpeningPlies, MaxPlies: r.MaxPlies, Seed: r.Seed, Openings: openingsHash(r.Game, r.Suite),
		WinBy: r.AdjudicateWin.String(), DrawBy: r.AdjudicateDraw.String(), Times: r.MoveTimes, Anew: r.Anew,
	}
	if r.Margin > 0 {
		h.Margin = r.Margin.String()
	}
	if r.Tables != nil {
		h.Tables = cmp.Or(r.TablesName, "unnamed")
	}
	return h
}

func (r *referee[P]) playerHeader(i int) playerHeader {
	e := r.entrant(i)
	h := playerHeader{Name: e.Name, Limits: e.Limits, Evaluation: e.evaluation, Program: e.program}
	if clock := r.control(i); clock != (TimeControl{}) {
		h.Clock = clock.String()
	}
	return h
}

// pairLog is one record of the log.
type pairLog struct {
	Pair  int        `json:"pair"` // from 0
	Games [2]gameLog `json:"games"`
}
