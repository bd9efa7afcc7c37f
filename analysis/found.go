package analysis

import (
	"fmt"
	"io"
	"strings"

	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/atomicfile"
	"kroo/internal/plural"
)

// Analysed is a game with its findings.
type Analysed struct {
	Number int               `json:"game"` // from 1
	Tags   map[string]string `json:"tags"`
	Result string            `json:"result"`
	Moves  []Move            `json:"moves"`
}

// Found are the games that [Games] has analysed: all, unless it was stopped.
func Found[P games.Position[P]](records []games.Record[P], found [][]Move) []Analysed {
	list := []Analysed{}
	for i, moves := range found {
		if moves == nil {
			continue
		}
		g := Analysed{Number: i + 1, Tags: map[string]string{}, Result: records[i].Result, Moves: moves}
		for _, t := range records[i].Tags {
			g.Tags[t.Name] = t.Value
		}
		list = append(list, g)
	}
	return list
}

// Write writes records into a file, with the findings in their comments. The first one says
// what command made them, "" for none.
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

// signs are how marks are written behind a move.
var signs = map[Mark]string{Inaccuracy: "?!", Mistake: "?", Blunder: "??"}

// Print prints a table of the moves, and what each side lost.
func (g Analysed) Print(w io.Writer, info games.Info) {
	fmt.Fprintf(w, "game %d", g.Number)
	for _, side := range info.Sides {
		if name := g.Tags[side]; name != "" {
			fmt.Fprintf(w, ", %s %s", side, name)
		}
	}
	fmt.Fprintf(w, ", result %s\n\n  ply  side   move   score  best   score   loss\n", g.Result)
	for _, m := range g.Moves {
		best, bestScore, loss := "", "", ""
		if m.Best != m.Name {
			best, bestScore, loss = m.Best, Score(m.BestScore), lossText(m)
		}
		note := string(m.Mark)
		if m.Book {
			note = strings.TrimSpace("book " + note)
		}
		line := fmt.Sprintf("  %3d  %-5s  %-4s  %6s  %-4s  %6s  %5s  %s", m.Ply, m.Side, m.Name+signs[m.Mark], Score(m.Score), best, bestScore, loss, note)
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	fmt.Fprintln(w)
	for _, side := range info.Sides {
		fmt.Fprintf(w, "%s: %s\n", side, lossesOf(g.Moves, side, info.Unit))
	}
}

// lossText is a loss in units, nothing where a score has none.
func lossText(m Move) string {
	if search.Proven(m.Score) || search.Proven(m.BestScore) {
		return ""
	}
	return fmt.Sprintf("%.2f", float64(m.Loss)/100)
}

// lossesOf sums up the moves of a side.
func lossesOf(moves []Move, side, unit string) string {
	marks := map[Mark]int{}
	n, counted, loss := 0, 0, 0
	for _, m := range moves {
		if m.Side != side {
			continue
		}
		n++
		marks[m.Mark]++
		if !search.Proven(m.Score) && !search.Proven(m.BestScore) {
			counted++
			loss += m.Loss
		}
	}
	return fmt.Sprintf("%s, %.2f %ss lost a move; inaccuracies %d, mistakes %d, blunders %d",
		plural.Of(n, "move"), float64(loss)/100/float64(max(counted, 1)), unit, marks[Inaccuracy], marks[Mistake], marks[Blunder])
}
