package match

import (
	"cmp"
	"encoding/binary"
	"errors"

	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/internal/journal"
)

// journalKind changes with the meaning of the log.
const journalKind = "kroo-match 5"

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

// pairLog is one record of the log: a pair of games, from 0.
type pairLog struct {
	Pair  int
	Games [2]gameLog
}

// gameLog is all that is kept of a game; the rest follows by replaying it.
type gameLog struct {
	Answers []engine.Answer // one for each move after the opening
	Forfeit *forfeit
}

// forfeit tells who lost without the rules saying so, and why ("time" if the
// flag fell).
type forfeit struct {
	Side   int
	Reason string
}

// pairCodec writes a pair in varints, for the log and for a farm: its number; for each game its
// answers after how many there are; 0, or the side that forfeits from 1 on with its reason.
var pairCodec = journal.Codec[pairLog]{
	Append: func(b []byte, p pairLog) ([]byte, error) {
		b = binary.AppendUvarint(b, uint64(p.Pair))
		for _, g := range p.Games {
			b = binary.AppendUvarint(b, uint64(len(g.Answers)))
			for _, a := range g.Answers {
				if err := a.Check(); err != nil {
					return b, err
				}
				b = a.Append(b)
			}
			if g.Forfeit == nil {
				b = append(b, 0)
				continue
			}
			b = append(b, byte(1+g.Forfeit.Side))
			b = append(binary.AppendUvarint(b, uint64(len(g.Forfeit.Reason))), g.Forfeit.Reason...)
		}
		return b, nil
	},
	Decode: func(b []byte) (p pairLog, err error) {
		number := func(most int) int {
			v, n := binary.Uvarint(b)
			if n <= 0 || v > uint64(most) {
				b, err = nil, errPair
				return 0
			}
			b = b[n:]
			return int(v)
		}
		p.Pair = number(maxPairs)
		for i := range p.Games {
			g := &p.Games[i]
			for range number(len(b)) {
				a, rest, failed := engine.ParseAnswer(b)
				if b, err = rest, cmp.Or(err, failed); err != nil {
					return p, err
				}
				g.Answers = append(g.Answers, a)
			}
			if side := number(2); side > 0 {
				n := min(number(len(b)), len(b))
				g.Forfeit, b = &forfeit{side - 1, string(b[:n])}, b[n:]
			}
		}
		if err == nil && len(b) > 0 {
			err = errPair
		}
		return p, err
	},
}

var errPair = errors.New("not a pair of games")
