package regress

import (
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"

	"kroo/games"
	"kroo/internal/agreement"
	"kroo/regress/sparse"
)

// FamilyFit says what a fit has of a family: how often its columns are seen,
// and how strongly they are held to zero.
type FamilyFit struct {
	Name    string  `json:"name"`
	Columns int     `json:"columns"`
	Seen    int     `json:"seen"`   // columns seen in some row
	Rare    int     `json:"rare"`   // of those, seen in fewer than ten
	Median  int64   `json:"median"` // rows that a column seen is seen in
	Ridge   float64 `json:"ridge"`
}

// rareCount is how often a column must be seen not to be called rare.
const rareCount = 10

func familyFits(m *sparse.Matrix, groups []sparse.Group) (all []FamilyFit) {
	counts := m.Counts()
	for _, g := range groups {
		f := FamilyFit{Name: g.Name, Columns: g.To - g.From, Ridge: g.Ridge}
		seen := slices.DeleteFunc(slices.Clone(counts[g.From:g.To]), func(n int64) bool { return n == 0 })
		slices.Sort(seen)
		f.Seen = len(seen)
		f.Rare, _ = slices.BinarySearch(seen, rareCount)
		if f.Seen > 0 {
			f.Median = seen[f.Seen/2]
		}
		all = append(all, f)
	}
	return all
}

// Text is the summary in some lines, for a fit of the game.
func (s PatternSummary) Text(g games.Info) string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: %d columns, %d with a weight; %s, %d rounds, %d steps", s.Set, s.Columns, s.Weights, s.Loss, s.Rounds, s.Steps)
	if !s.Converged {
		b.WriteString(", tolerance not reached")
	}
	b.WriteString("\n")
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "family\tcolumns\tseen\trare\tmedian rows\tridge\t")
	for _, f := range s.Families {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t%d\t%g\t\n", f.Name, f.Columns, f.Seen, f.Rare, f.Median, f.Ridge)
	}
	w.Flush()
	unit, perUnit := g.Unit, g.PointsPerUnit()
	line := func(name string, t *agreement.Stats) {
		if t != nil {
			fmt.Fprintf(&b, "%-11s %d rows, R %.4f, MAE %.2f %ss, RMSE %.2f\n", name, t.Rows, t.R, t.MAE/perUnit, unit, t.RMSE/perUnit)
		}
	}
	line("training", &s.Train)
	line("held out", s.Folds)
	line("validation", s.Validation)
	b.WriteString(leftOut(s.Overlap))
	b.WriteString(curveText(s.Curve, g))
	b.WriteString(s.Calibrated.text(g))
	return strings.TrimSuffix(b.String(), "\n")
}
