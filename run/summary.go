package run

import (
	"fmt"
	"strings"

	"kroo/internal/shell"
)

// Summary is what a person should know of a finished run: its figures, its
// files and what to try next.
func (r *Run) Summary() (string, error) {
	results, err := r.results()
	if err != nil {
		return "", err
	}
	var b strings.Builder
	b.WriteString("\n")
	for _, row := range results.Summary() {
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
		lines = append(lines, "play --weights "+champion, "match --a "+champion+" --b default --movetime 50ms")
	}
	if r.Config.counts() {
		lines = append(lines, fmt.Sprintf("play --weights %s --book %s", shell.Quote(r.path(weightsFile)), shell.Quote(r.path(bookFile))),
			"inspect "+shell.Quote(r.path(labelsFile)), "book query "+shell.Quote(r.path(bookFile)), "run --preset thesis")
	}
	name := shell.Program() + " "
	return "next:     " + name + strings.Join(lines, "\n          "+name) + "\n"
}
