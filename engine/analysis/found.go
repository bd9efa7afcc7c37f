package analysis

import (
	"cmp"
	"fmt"
	"io"
	"strings"

	"kroo/engine/search"
	"kroo/games"
	"kroo/internal/atomicfile"
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
		g := Analysed{Number: i + 1, Tags: map[string]string{}, Result: records[i].Result, Moves: moves, Sides: Sides(moves, sides)}
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

// Print prints a table of the moves and a summary of each side.
func (g Analysed) Print(w io.Writer, info games.Info) {
	fmt.Fprintf(w, "game %d", g.Number)
	for _, side := range info.Sides {
		if name := g.Tags[side]; name != "" {
			fmt.Fprintf(w, ", %s %s", side, name)
		}
	}
	what, loses := "score", "loss"
	if len(g.Moves) > 0 && g.Moves[0].Calibrated {
		what, loses = "chance", "lost"
	}
	fmt.Fprintf(w, ", result %s\n\n  ply  side   move  %6s  best  %6s  %5s\n", g.Result, what, what, loses)
	for _, m := range g.Moves {
		best, bestWorth, loss := "", "", ""
		if m.Best != m.Name {
			best, bestWorth, loss = m.Best, m.bestWorth(), lossText(m)
		}
		note := string(m.Mark)
		if m.Book {
			note = strings.TrimSpace("book " + note)
		}
		line := fmt.Sprintf("  %3d  %-5s  %-4s  %6s  %-4s  %6s  %5s  %s", m.Ply, m.Side, m.Name+signs[m.Mark], m.worth(), best, bestWorth, loss, note)
		fmt.Fprintln(w, strings.TrimRight(line, " "))
	}
	if what == "chance" {
		fmt.Fprintln(w, "\nchance: win plus half of draw; lost: percentage points of chance")
	} else {
		fmt.Fprintln(w, "\nthe weights are not calibrated: scores instead of chances (see train weights calibrate)")
	}
	g.printSides(w, info.Unit)
}

// printSides prints a line for each side, with its worst moves.
func (g Analysed) printSides(w io.Writer, unit string) {
	lost := "lost/move" // percentage points
	if len(g.Moves) == 0 || !g.Moves[0].Calibrated {
		lost = unit + "s/move"
	}
	fmt.Fprintf(w, "\n  side   moves  accuracy  %s  %s  %s  %s  worst moves\n", lost, signs[Inaccuracy], " "+signs[Mistake], signs[Blunder])
	for _, s := range g.Sides {
		accuracy, mean := "–", fmt.Sprintf("%.2f", s.MeanLoss/100)
		if s.Accuracy != nil {
			accuracy, mean = fmt.Sprintf("%.0f %%", *s.Accuracy), fmt.Sprintf("%.1f", *s.MeanLost)
		}
		fmt.Fprintf(w, "  %-5s  %5d  %8s  %*s  %2d  %2d  %2d  %s\n", s.Side, s.Moves, accuracy, len(lost), mean, s.Inaccuracies, s.Mistakes, s.Blunders, g.worstOf(s))
	}
}

// worstOf lists the worst moves of a side, worst first.
func (g Analysed) worstOf(s Side) string {
	var names []string
	for _, ply := range s.Worst {
		m := g.Moves[ply-1]
		names = append(names, fmt.Sprintf("%d. %s%s", ply, m.Name, signs[m.Mark]))
	}
	return cmp.Or(strings.Join(names, ", "), "none")
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
