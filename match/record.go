package match

import (
	"cmp"
	"fmt"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
)

// resultTokens are indexed by the first side's half-points.
var resultTokens = [3]string{games.SecondWins, games.DrawnGame, games.FirstWins}

// record returns the record of a finished game, in which A has the given side. The comment of a move
// is its score (centi-seeds for the side that makes it), depth, nodes and, if recorded, time, or
// says that it is from a book.
func (r *referee[P]) record(l *games.Line[P], log gameLog, a int, round string) games.Record[P] {
	_, points, termination := r.verdict(l, log)
	sides := r.Game.Sides
	rec := l.Record(
		games.Tag{Name: sides[0], Value: r.entrant(a).Name},
		games.Tag{Name: sides[1], Value: r.entrant(1 - a).Name},
		games.Tag{Name: "Round", Value: round},
		games.Tag{Name: games.TagResult, Value: resultTokens[points]},
		games.Tag{Name: games.TagRules, Value: r.Rules},
		games.Tag{Name: games.TagTermination, Value: termination},
	)
	if usual, err := r.Game.Start(r.Rules); err != nil || rec.Start != usual {
		rec.Tags = append(rec.Tags, games.Tag{Name: games.TagFEN, Value: r.Game.Print(rec.Start)})
	}
	if tc := controlsText(r.control(a), r.control(1-a)); tc != "" {
		rec.Tags = append(rec.Tags, games.Tag{Name: "TimeControl", Value: tc})
	}
	if limits := r.limits(); limits != "" {
		rec.Tags = append(rec.Tags, games.Tag{Name: "Limits", Value: limits})
	}
	if text := r.disobeyed(l, log.Answers, a); text != "" {
		rec.Tags = append(rec.Tags, games.Tag{Name: "LimitsNotObeyed", Value: text})
	}
	rec.Result = resultTokens[points]
	opening := len(rec.Moves) - len(log.Answers)
	for i := range rec.Moves {
		rec.Moves[i].Comment = "opening"
		if i >= opening {
			rec.Moves[i].Comment = comment(log.Answers[i-opening])
		}
	}
	return rec
}

// disobeyed names the programs that exceeded their limits in a game, and how; the Limits tag has the
// limits requested.
func (r *referee[P]) disobeyed(l *games.Line[P], answers []engine.Answer, a int) string {
	var searches [2]client.LimitTally
	before := l.History()[len(l.History())-len(answers):]
	for i, n := range answers {
		side := r.Game.SideToMove(before[i])
		if p := r.entrant(a ^ side).engine.Program(); p != nil && !n.Book {
			searches[side].Add(p.Limits, client.Answer{Result: search.Result{Score: n.Score, Depth: n.Depth, Nodes: n.Nodes, Time: n.Time}})
		}
	}
	var list []string
	for side := range searches {
		if text := searches[side].Disobeyed(); text != "" {
			list = append(list, r.entrant(a^side).Name+": "+text)
		}
	}
	return strings.Join(list, "; ")
}

// comment returns the comment of a move, "" if the player reports no score.
func comment(a engine.Answer) string {
	text := ""
	switch {
	case a.Book:
		text = "book"
	case a.Depth > 0 || a.Score != 0:
		text = fmt.Sprintf("score %+d depth %d nodes %d", a.Score, a.Depth, a.Nodes)
	case a.Nodes > 0:
		text = fmt.Sprintf("nodes %d", a.Nodes)
	}
	if a.Time > 0 {
		text += fmt.Sprintf(" time %.3fs", a.Time.Seconds())
	}
	return strings.TrimSpace(text)
}

// controlsText returns the TimeControl tag: the clock of both, or of the first and the second side.
func controlsText(first, second engine.TimeControl) string {
	if first == second {
		return first.String()
	}
	return cmp.Or(first.String(), "none") + ", " + cmp.Or(second.String(), "none")
}
