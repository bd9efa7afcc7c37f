package match

import (
	"fmt"
	"io"

	"kroo/games/oware"
)

// resultTokens are indexed by South's half-points.
var resultTokens = [3]string{oware.NorthWins, oware.DrawnGame, oware.SouthWins}

// record writes a finished game down. Moves carry score (centi-seeds for the
// mover), depth and nodes as their comment.
func (c *Config) record(g *oware.Game, log gameLog, south, north, round string) oware.Record {
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
	if tc := c.TimeControl.String(); tc != "" {
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
			n := log.Notes[i-opening]
			rec.Moves[i].Comment = fmt.Sprintf("score %+d depth %d nodes %d", n.Score, n.Depth, n.Nodes)
		}
	}
	return rec
}

// WriteOGN writes the games of the result, in order, as [oware.ParseOGN] reads
// them.
func (r *Result) WriteOGN(w io.Writer) error {
	for i, rec := range r.Games {
		if err := rec.Write(w); err != nil {
			return fmt.Errorf("match: game %d: %w", i+1, err)
		}
	}
	return nil
}
