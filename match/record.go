package match

import (
	"cmp"
	"fmt"
	"io"

	"kroo/games/oware"
)

// resultTokens are indexed by South's half-points.
var resultTokens = [3]string{oware.NorthWins, oware.DrawnGame, oware.SouthWins}

// record writes a finished game down, in which A has the given side. Moves
// carry score (centi-seeds for the mover), depth, nodes and, if recorded, time
// as their comment.
func (m *match) record(g *oware.Game, log gameLog, a oware.Side, round string) oware.Record {
	c := &m.Config
	names, controls := [2]string{m.a, m.b}, [2]TimeControl{c.TimeControl, cmp.Or(c.TimeControlB, c.TimeControl)}
	south, north := names[a], names[a.Other()]
	_, points, termination := c.verdict(g, log)
	rec := g.Record(
		oware.Tag{Name: "South", Value: south},
		oware.Tag{Name: "North", Value: north},
		oware.Tag{Name: "Round", Value: round},
		oware.Tag{Name: oware.TagResult, Value: resultTokens[points]},
		oware.Tag{Name: oware.TagRules, Value: c.Rules.String()},
		oware.Tag{Name: "Termination", Value: termination},
	)
	if rec.Start != oware.Start(c.Rules) {
		rec.Tags = append(rec.Tags, oware.Tag{Name: oware.TagFEN, Value: rec.Start.String()})
	}
	if tc := controlsText(controls[a], controls[a.Other()]); tc != "" {
		rec.Tags = append(rec.Tags, oware.Tag{Name: "TimeControl", Value: tc})
	}
	if c.Limits != "" {
		rec.Tags = append(rec.Tags, oware.Tag{Name: "Limits", Value: c.Limits})
	}
	rec.Result = resultTokens[points]
	opening := len(rec.Moves) - len(log.Notes)
	for i := range rec.Moves {
		rec.Moves[i].Comment = "opening"
		if i >= opening {
			rec.Moves[i].Comment = log.Notes[i-opening].String()
		}
	}
	return rec
}

// String is the comment of a move.
func (n note) String() string {
	text := fmt.Sprintf("score %+d depth %d nodes %d", n.Score, n.Depth, n.Nodes)
	if n.Time > 0 {
		text += fmt.Sprintf(" time %.3fs", float64(n.Time)/1e6)
	}
	return text
}

// controlsText is what the TimeControl tag says: the clock of both, or of
// South and North.
func controlsText(south, north TimeControl) string {
	if south == north {
		return south.String()
	}
	return cmp.Or(south.String(), "none") + ", " + cmp.Or(north.String(), "none")
}

// WriteOGN writes the games of the result, in order, as [oware.ParseOGN] reads
// them.
func (r *Result) WriteOGN(w io.Writer) error {
	for i, rec := range r.Games {
		if err := oware.WriteOGN(w, rec); err != nil {
			return fmt.Errorf("match: game %d: %w", i+1, err)
		}
	}
	return nil
}
