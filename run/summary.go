package run

import (
	"fmt"

	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/internal/wording"
)

// Summary returns the main results of a finished run, its files and suggested commands.
func (r *Run) Summary() (*doc.Doc, error) {
	results, err := r.results()
	if err != nil {
		return nil, err
	}
	d := &doc.Doc{Value: r.manifest, Facts: append(results.Summary(), doc.Fact{Name: "report", Value: r.path(reportFile)})}
	next := doc.Section{Heading: "what next"}
	for _, row := range r.next(results.LabelNodes(), func(name string) string { return wording.Path(r.path(name)) }) {
		next.Commands = append(next.Commands, doc.Fact{Name: row.Name, Value: wording.Program() + " " + row.Value})
	}
	d.Add(next)
	return d, nil
}

// eveningSize is the number of boards of the preset evening, which smaller runs suggest next.
const eveningSize = 16000

// next returns suggested commands for the files of the run: purpose and arguments of train. file
// maps the name of a file to its path. nodes is the median per label if labels are limited by
// time.
func (r *Run) next(nodes int64, file func(name string) string) (list []doc.Fact) {
	add := func(what, format string, args ...any) {
		list = append(list, doc.Fact{Name: what, Value: fmt.Sprintf(format, args...)})
	}
	rules := ""
	if info := oware.Descriptor().Info; r.Config.Rules != info.Rules[0] {
		rules = " --rules " + r.Config.Rules
	}
	searcher := ""
	if r.Config.Engine != nil {
		searcher = " --engine " + wording.Quote(r.Config.Engine.Program)
	}
	if n := len(r.Config.Rounds); n > 0 {
		champion := file(r.championFile(n))
		add("play against the champion", "play%s --weights %s", rules, champion)
		add("measure it against the program's own weights", "match%s --a %s --b default", rules, champion)
	}
	if r.Config.counts() {
		add("play against the weights, with the book", "play%s --weights %s --book %s", rules, file(weightsFile), file(bookFile))
		add("see what each feature is worth", "inspect %s", file(featuresFile))
		add("see where the weights err", "inspect %s --weights %s", file(labelsValidation), file(weightsFile))
		add("look into the book", "book query %s", file(bookFile))
	}
	switch n := r.Config.Training.N; {
	case n == 0 || len(r.Config.Rounds) > 0:
	case n < eveningSize:
		add("do the same with more of everything", "run%s --preset evening%s", rules, searcher)
	default:
		add("train patterns on games of their own, as the program's weights were made", "run%s --preset full%s", rules, searcher)
	}
	if nodes > 0 {
		add("do the same by nodes, so that it can be repeated", "run --config %s --nodes %d", file(ConfigFile), nodes)
	}
	return list
}
