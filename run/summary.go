package run

import (
	"fmt"
	"strings"

	"kroo/games/oware"
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

// eveningSize is how many boards the preset evening fits to: a smaller run leads to it.
const eveningSize = 16000

// next is what to try with the files of the run.
func (r *Run) next() string {
	var lines []string
	rules := ""
	if info := oware.Descriptor().Info; r.Config.Rules != info.Rules[0] {
		rules = " --rules " + r.Config.Rules
	}
	searcher := ""
	if r.Config.Engine != nil {
		searcher = " --engine " + shell.Quote(r.Config.Engine.Program)
	}
	if n := len(r.Config.Rounds); n > 0 {
		champion := shell.Path(r.path(r.championFile(n)))
		lines = append(lines, "play"+rules+" --weights "+champion, "match"+rules+" --a "+champion+" --b default")
	}
	if r.Config.counts() {
		lines = append(lines, fmt.Sprintf("play%s --weights %s --book %s", rules, shell.Path(r.path(weightsFile)), shell.Path(r.path(bookFile))),
			"inspect "+shell.Path(r.path(labelsFile)), "book query "+shell.Path(r.path(bookFile)))
		if r.Config.Training.N < eveningSize {
			lines = append(lines, "run"+rules+" --preset evening"+searcher)
		}
	}
	name := shell.Program() + " "
	return "next:     " + name + strings.Join(lines, "\n          "+name) + "\n"
}
