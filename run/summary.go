package run

import (
	"fmt"
	"strings"

	"kroo/book"
	"kroo/dropout"
	"kroo/features"
	"kroo/internal/shell"
	"kroo/report"
)

// summaryRows are the figures that matter most, for the page and the screen.
func summaryRows(f results) []report.Row {
	full, selected, captures := f.fit.Full.Measured(), f.fit.Selected.Measured(), f.fit.Captures.Measured()
	rows := []report.Row{
		{Label: "correlation R", Value: report.Number(selected.R, 4), Note: fmt.Sprintf("on the validation sample, with %d features; all %d: %s; captures alone: %s",
			len(f.fit.Selected.Features), len(f.fit.Full.Features), report.Number(full.R, 4), report.Number(captures.R, 4))},
		{Label: "mean error", Value: report.Number(features.Seeds(selected.MAE), 2) + " seeds", Note: fmt.Sprintf("%s points; captures alone: %s seeds",
			report.Number(selected.MAE, 1), report.Number(features.Seeds(captures.MAE), 2))},
		headline("against captures-only", f.match, verdict(f.match), scoreText(f.match)+"; 95 %"),
		{Label: "opening book", Value: report.Count(f.book.Entries) + " entries", Note: fmt.Sprintf("of %s positions searched, to ply %d", report.Count(f.book.Nodes), f.book.MaxDepth)},
		{Label: "best first move", Value: fmt.Sprintf("%s %s points", f.book.Best, report.Signed(float64(f.book.BestPoints), 0)), Note: "all moves: " + rootScores(f.book)},
		bookRow(f.bookPlay),
	}
	if f.noise != nil {
		rows = append(rows, noiseRow(*f.noise))
	}
	if p := f.patterns; p != nil {
		rows = append(rows, headline("patterns against seed counts", f.patternsMatch, verdict(f.patternsMatch),
			fmt.Sprintf("%s, %s weights", strings.ReplaceAll(p.Set, "+", " + "), report.Count(p.Weights))))
	}
	return rows
}

func rootScores(b dropout.Summary) string {
	var words []string
	for i, v := range b.RootScores {
		if v == book.Illegal {
			continue
		}
		words = append(words, fmt.Sprintf("%c %s", 'A'+i, report.Signed(float64(v), 0)))
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
