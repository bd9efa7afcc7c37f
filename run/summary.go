package run

import (
	"fmt"
	"strings"

	"kroo/dropout"
	"kroo/features"
	"kroo/internal/shell"
	"kroo/report"
)

// summaryRows are the figures that matter most, for the page and the screen.
func summaryRows(f results) []report.Row {
	full, selected, captures := f.fit.Full.Measured(), f.fit.Selected.Measured(), f.fit.Captures.Measured()
	rows := []report.Row{
		{Label: "correlation R", Value: fmt.Sprintf("%.4f", selected.R), Note: fmt.Sprintf("%d features; all %d: %.4f; captures alone: %.4f", len(f.fit.Selected.Features), len(f.fit.Full.Features), full.R, captures.R)},
		{Label: "mean error", Value: fmt.Sprintf("%.2f seeds", features.Seeds(selected.MAE)), Note: fmt.Sprintf("%.1f points; captures alone: %.2f seeds", selected.MAE, features.Seeds(captures.MAE))},
		{Label: "Elo against captures-only", Value: fmt.Sprintf("%+.0f ± %.0f", f.match.Elo, f.match.EloBar), Note: fmt.Sprintf("%d won, %d drawn, %d lost; 95 %%", f.match.Score.Wins, f.match.Score.Draws, f.match.Score.Losses)},
		{Label: "opening book", Value: fmt.Sprintf("%d entries", f.book.Entries), Note: fmt.Sprintf("of %d positions searched, to ply %d", f.book.Nodes, f.book.MaxDepth)},
		{Label: "best first move", Value: fmt.Sprintf("%s %+d points", f.book.Best, f.book.BestPoints), Note: "all moves: " + rootScores(f.book)},
		{Label: "book against no book", Value: fmt.Sprintf("%+.0f ± %.0f Elo", f.bookPlay.Elo, f.bookPlay.EloBar), Note: fmt.Sprintf("%d book moves in %d games", f.bookPlay.BookMoves, f.bookPlay.Score.Games())},
	}
	if f.noise != nil {
		rows = append(rows, noiseRow(*f.noise))
	}
	if p := f.patterns; p != nil {
		rows = append(rows, report.Row{Label: "patterns against seed counts", Value: fmt.Sprintf("%+.0f ± %.0f Elo", f.patternsMatch.Elo, f.patternsMatch.EloBar),
			Note: fmt.Sprintf("%s, %d weights", p.Set, p.Weights)})
	}
	return rows
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
	var rows []report.Row
	if len(r.Config.Rounds) > 0 {
		f, err := r.roundFigures()
		if err != nil {
			return "", err
		}
		rows = f.summary()
	}
	if r.Config.counts() {
		f, err := r.allFigures()
		if err != nil {
			return "", err
		}
		rows = append(rows, summaryRows(f)...)
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, row := range rows {
		fmt.Fprintf(&b, "%-29s %-16s %s\n", row.Label, row.Value, row.Note)
	}
	fmt.Fprintf(&b, "\nreport:   %s\n%s", r.path(reportFile), r.next())
	return b.String(), nil
}

// next is what to try with the files of the run.
func (r *Run) next() string {
	var lines []string
	if n := len(r.Config.Rounds); n > 0 {
		champion := shell.Quote(r.path(r.championFile(n)))
		lines = append(lines, "train play --weights "+champion, "train match --a "+champion+" --b default --movetime 50ms")
	}
	if r.Config.counts() {
		lines = append(lines, fmt.Sprintf("train play --weights %s --book %s", shell.Quote(r.path(weightsFile)), shell.Quote(r.path(bookFile))),
			"train inspect "+shell.Quote(r.path(labelsFile)), "train book query "+shell.Quote(r.path(bookFile)), "train run --preset thesis")
	}
	return "next:     " + strings.Join(lines, "\n          ") + "\n"
}
