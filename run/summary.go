package run

import (
	"fmt"
	"strings"

	"kroo/dropout"
	"kroo/features"
	"kroo/report"
)

// summaryRows are the figures that matter most, for the page and the screen.
func summaryRows(f results) []report.Row {
	full, selected, captures := f.fit.Full.Measured(), f.fit.Selected.Measured(), f.fit.Captures.Measured()
	return []report.Row{
		{Label: "correlation R", Value: fmt.Sprintf("%.4f", selected.R), Note: fmt.Sprintf("%d features; all %d: %.4f; captures alone: %.4f", len(f.fit.Selected.Features), len(f.fit.Full.Features), full.R, captures.R)},
		{Label: "mean error", Value: fmt.Sprintf("%.2f seeds", features.Seeds(selected.MAE)), Note: fmt.Sprintf("%.1f points; captures alone: %.2f seeds", selected.MAE, features.Seeds(captures.MAE))},
		{Label: "Elo against captures-only", Value: fmt.Sprintf("%+.0f ± %.0f", f.match.Elo, f.match.EloBar), Note: fmt.Sprintf("%d won, %d drawn, %d lost; 95 %%", f.match.Score.Wins, f.match.Score.Draws, f.match.Score.Losses)},
		{Label: "opening book", Value: fmt.Sprintf("%d entries", f.book.Entries), Note: fmt.Sprintf("of %d positions searched, to ply %d", f.book.Nodes, f.book.MaxDepth)},
		{Label: "best first move", Value: fmt.Sprintf("%s %+d points", f.book.Best, f.book.BestPoints), Note: "all moves: " + rootScores(f.book)},
		{Label: "book against no book", Value: fmt.Sprintf("%+.0f ± %.0f Elo", f.bookPlay.Elo, f.bookPlay.EloBar), Note: fmt.Sprintf("%d book moves in %d games", f.bookPlay.BookMoves, f.bookPlay.Score.Games())},
	}
}

func rootScores(b dropout.Summary) string {
	var words []string
	for i, v := range b.RootScores {
		words = append(words, fmt.Sprintf("%c %+d", 'A'+i, v))
	}
	return strings.Join(words, ", ")
}

// Summary is what a person should know of a finished run: its figures, its
// files and what to try next.
func (r *Run) Summary() (string, error) {
	f, err := r.allFigures()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, row := range summaryRows(f) {
		fmt.Fprintf(&b, "%-26s %-16s %s\n", row.Label, row.Value, row.Note)
	}
	fmt.Fprintf(&b, `
report:   %s
next:     train play --weights %s --book %s
          train inspect %s
          train book query %s
          train run --preset thesis
`, r.path(reportFile), r.path(weightsFile), r.path(bookFile), r.path(labelsFile), r.path(bookFile))
	return b.String(), nil
}
