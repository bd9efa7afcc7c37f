package match

import (
	"cmp"
	"encoding/binary"
	"errors"

	"kroo/engine"
	"kroo/engine/uci/client"
	"kroo/internal/journal"
	"kroo/internal/spec"
)

// journalKind changes with the format or meaning of the log.
const journalKind = "kroo-match 6"

// playerHeader is what a player's moves depend on.
type playerHeader struct {
	Name       string           `json:"name"`
	Limits     string           `json:"limits"`
	Clock      string           `json:"clock,omitempty"`
	Evaluation string           `json:"evaluation,omitempty"`
	Program    *client.Identity `json:"program,omitempty"`
}

// header is the header of the log: what a pair's games depend on. It excludes the number of pairs,
// so that a match can be extended: the first openings of a longer match are the same.
func (r *referee[P]) header() map[string]any {
	settings := r.Config
	settings.Config, settings.Openings = engine.Config{}, "" // covered by the players and the hash
	spec.Default(&settings.Config)
	h := spec.Record(&settings)
	h["game"] = r.Game.Name
	h["rules"] = r.Rules
	h["engine"] = r.Signature
	h["player_A"], h["player_B"] = r.playerHeader(0), r.playerHeader(1)
	h["openings"], h["move_times"] = openingsHash(r.Game, r.Suite), r.MoveTimes
	if r.Adjudicator != nil {
		h["adjudicating_table"] = r.Adjudicator.Name()
	}
	if r.Restart != "" {
		h["recorded"] = r.Restart
	}
	return h
}

func (r *referee[P]) playerHeader(i int) playerHeader {
	e := r.contestant(i)
	h := playerHeader{Name: e.Name, Limits: e.LimitsText}
	if p := e.engine.Program(); p != nil {
		h.Program = &p.Identity
	} else {
		h.Evaluation = e.engine.Eval.Name
	}
	if clock := r.control(i); clock.IsSet() {
		h.Clock = clock.String()
	}
	return h
}

// pairLog is one record of the log: a pair of games, numbered from 0.
type pairLog struct {
	Pair  int
	Games [2]gameLog
}

// gameLog is the stored part of a game; replaying it gives the rest.
type gameLog struct {
	Answers []engine.Answer // one for each move after the opening
	Forfeit *forfeit
}

// forfeit is a loss by a fault, with its reason ("time" if the flag fell).
type forfeit struct {
	Side   int
	Reason string
}

// pairCodec encodes a pair in varints, for the log and for a farm: its number; for each game the
// number of answers and the answers; then 0, or the forfeiting side plus 1 and the reason.
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
				b, err = rest, cmp.Or(err, failed)
				if err != nil {
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
