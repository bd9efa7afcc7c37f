package analysis

import (
	"cmp"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/outline"
)

// Analysed is an analysed game.
type Analysed struct {
	Number int               `json:"game"` // from 1
	Tags   map[string]string `json:"tags"`
	Result string            `json:"result"`
	Moves  []Move            `json:"moves"`
	Sides  []Side            `json:"sides"`
}

// Found returns the games that [Games] has analysed: all, unless it was stopped.
func Found[P games.Position[P]](sides [2]string, records []games.Record[P], found [][]Move) []Analysed {
	list := []Analysed{}
	for i, moves := range found {
		if moves == nil {
			continue
		}
		g := Analysed{
			Number: i + 1,
			Tags:   map[string]string{},
			Result: records[i].Result,
			Moves:  moves,
			Sides:  Sides(moves, sides),
		}
		for _, t := range records[i].Tags {
			g.Tags[t.Name] = t.Value
		}
		list = append(list, g)
	}
	return list
}

// Write writes records to a file, with the findings in their comments. made is the command that made
// the file, for the first record, or "".
func Write[P search.Position[P]](path string, g *games.Game[P], records []games.Record[P], found [][]Move, made string) error {
	return atomicfile.WriteFile(path, func(w io.Writer) error {
		for i, rec := range records {
			rec = annotate(rec, found[i])
			if i == 0 {
				rec = rec.MadeBy(made)
			}
			if err := g.WriteRecord(w, rec); err != nil {
				return err
			}
		}
		return nil
	})
}

// signs are the usual annotation symbols of marks.
var signs = map[Mark]string{Inaccuracy: "?!", Mistake: "?", Blunder: "??"}

// Doc has a line for each move, and for each side.
func (g Analysed) Doc(info games.Info) *outline.Doc {
	d := &outline.Doc{Title: fmt.Sprintf("game %d", g.Number), Value: g}
	for _, side := range info.Sides {
		if name := g.Tags[side]; name != "" {
			d.Title += ", " + side + " " + name
		}
	}
	d.Title += ", result " + g.Result
	if len(g.Moves) == 0 {
		d.Sections = []outline.Section{{Text: []string{"no moves"}}}
		return d
	}
	note := "not calibrated: scores instead of chances (see train weights calibrate)"
	if g.Moves[0].Calibrated {
		note = "chance: win plus half of draw; lost: percentage points of chance"
	}
	if g.Moves[0].Borrowed {
		note += "; " + engine.BorrowedNote
	}
	d.Sections = []outline.Section{{Table: g.moveTable(info)}, {Text: []string{note}}, {Table: g.sideTable(info)}}
	return d
}

// moveTable has a line for each move.
func (g Analysed) moveTable(info games.Info) *outline.Table {
	t := outline.NewTable("move", "side", "score", "best", "score", "loss", "")
	if g.Moves[0].Calibrated {
		t.Header[2] = "chance"
		t.Header[4] = "chance"
		t.Header[5] = "lost"
	}
	for _, m := range g.Moves {
		row := []any{g.numberMove(info, m), m.Side, m.worth(), "", "", "", m.markText()}
		if m.Best != m.Name {
			row[3] = m.Best
			row[4] = m.bestWorth()
			row[5] = lossText(m)
		}
		t.Add(row...)
	}
	return t
}

// sideTable has a line for each side.
func (g Analysed) sideTable(info games.Info) *outline.Table {
	lost := info.Unit + "s/move"
	if g.Moves[0].Calibrated {
		lost = "lost/move"
	}
	t := outline.NewTable("side", "moves", "accuracy", lost, signs[Inaccuracy], signs[Mistake], signs[Blunder],
		"worst moves")
	for _, s := range g.Sides {
		accuracy := "–"
		mean := fmt.Sprintf("%.2f", s.MeanLoss/100)
		if s.Accuracy != nil {
			accuracy = fmt.Sprintf("%.0f %%", *s.Accuracy)
			mean = fmt.Sprintf("%.1f", *s.MeanLost)
		}
		var worst []string
		for _, ply := range s.Worst {
			worst = append(worst, g.numberMove(info, g.Moves[ply-1]))
		}
		t.Add(s.Side, s.Moves, accuracy, mean, s.Inaccuracies, s.Mistakes, s.Blunders,
			cmp.Or(strings.Join(worst, ", "), "none"))
	}
	return t
}

// markText returns the mark of a move for a table, after "book" if it is a move of the book.
func (m Move) markText() string {
	mark := string(m.Mark)
	if m.Book {
		mark = strings.TrimSpace("book " + mark)
	}
	if m.Opening {
		mark = games.OpeningComment
	}
	return mark
}

// numberMove returns a move as records write it, with its sign: "3... e??".
func (g Analysed) numberMove(info games.Info, m Move) string {
	side := slices.Index(info.Sides[:], m.Side)
	first := (side + m.Ply + 1) % 2 // the side that began the game
	return fmt.Sprintf("%s %s%s", games.MoveNumber(m.Ply-1, first), m.Name, signs[m.Mark])
}

// lossText formats the loss of a move: percentage points, or units if both scores are heuristic.
func lossText(m Move) string {
	switch {
	case m.Calibrated:
		return fmt.Sprintf("%.0f", m.lost())
	case search.Proven(m.Score) || search.Proven(m.BestScore):
		return ""
	}
	return fmt.Sprintf("%.2f", float64(m.Loss)/100)
}

// label is the start of what annotate appends to a comment.
const label = "analysis:"

// annotation matches what annotate appends to a comment.
var annotation = func() *regexp.Regexp {
	const worth = `(?:wins|loses|[+-]\d+\.\d\d|\d+ %)`
	const best = `(?:, best \S+ ` + worth + `)?`
	const mark = `(?:, (?:inaccuracy|mistake|blunder))?`
	return regexp.MustCompile(`(?:^| )` + label + ` ` + worth + `(?:, book)?` + best + mark + `$`)
}()

// withoutAnalysis returns the comment that annotate was given.
func withoutAnalysis(comment string) string {
	return strings.TrimSpace(annotation.ReplaceAllString(strings.TrimSpace(comment), ""))
}

// annotate returns the record with the findings appended to its comments. An earlier analysis is
// replaced.
func annotate[P games.Position[P]](rec games.Record[P], moves []Move) games.Record[P] {
	rec.Moves = slices.Clone(rec.Moves)
	for i := range min(len(moves), len(rec.Moves)) {
		before := withoutAnalysis(rec.Moves[i].Comment)
		rec.Moves[i].Comment = strings.TrimSpace(before + " " + label + " " + moves[i].String())
	}
	return rec
}

// String returns the findings as text, for the comment of the move.
func (m Move) String() string {
	text := m.worth()
	if m.Book {
		text += ", book"
	}
	if m.Best != m.Name {
		text += fmt.Sprintf(", best %s %s", m.Best, m.bestWorth())
	}
	if m.Mark != good {
		text += ", " + string(m.Mark)
	}
	return text
}

// worth returns "wins" or "loses" if the score is proven, else the chance, "64 %", or the score.
func (m Move) worth() string { return m.worthOf(m.Score, m.Chance) }

func (m Move) bestWorth() string { return m.worthOf(m.BestScore, m.BestChance) }

func (m Move) worthOf(score int, chance float64) string {
	if !m.Calibrated || search.Proven(score) {
		return Score(score)
	}
	return fmt.Sprintf("%.0f %%", chance)
}

// Score formats a score in units, "+0.35", or as "wins" or "loses" if it is proven.
func Score(score int) string {
	switch {
	case search.Proven(score) && score > 0:
		return "wins"
	case search.Proven(score):
		return "loses"
	}
	return fmt.Sprintf("%+.2f", float64(score)/100)
}
