// Package page tells a training run's results: the page of sections, tables and
// figures, and the rows that matter most, for the screen.
//
// A [Run] holds what the stages have recorded, and the names of the files that figures
// are drawn from. Who makes a run fills it in; nothing here searches, fits or plays.
package page

import (
	"kroo/internal/doc"
	"kroo/report"
)

// Run is what a run has come to.
type Run struct {
	Rules    string
	Searcher string  // another program, by its name, that searched for the run; "" for Kroo's engine
	Counts   *Counts // of seed counts; nil for a run without
	Rounds   []Round
	Finals   []Match // of the last champion
	Times    []StageTime
	Origin   []doc.Fact
	Next     []doc.Fact // what to try, and the command
}

// StageTime is how long a stage took.
type StageTime struct {
	Title   string  `json:"title"`
	Seconds float64 `json:"seconds"`
}

// LabelNodes are the nodes of the first labels, as [Labels] has them.
func (r Run) LabelNodes() int64 {
	switch {
	case r.Counts != nil:
		return r.Counts.LabelNodes
	case len(r.Rounds) > 0:
		return r.Rounds[0].Labels.Nodes
	}
	return 0
}

// Summary are the figures that matter most.
func (r Run) Summary() (rows []doc.Fact) {
	if len(r.Rounds) > 0 {
		rows = r.roundRows()
	}
	if r.Counts != nil {
		rows = append(rows, r.Counts.rows()...)
	}
	return rows
}

// Doc is the page. It reads the files that figures are drawn from.
func (r Run) Doc() (*doc.Doc, error) {
	d := &doc.Doc{Title: "Kroo: a training run for " + r.Rules, Lead: r.lead(), Facts: r.Summary(), Terms: terms(), Origin: r.Origin}
	if len(r.Rounds) > 0 {
		d.Sections = r.roundSections()
	}
	if r.Counts != nil {
		counts, err := r.Counts.doc()
		if err != nil {
			return nil, err
		}
		d.Sections = append(d.Sections, counts...)
	}
	if len(r.Next) > 0 {
		d.Add(doc.Section{Heading: nextHeading, Commands: r.Next, Text: []string{"Commands for a terminal in the folder of this run."}})
	}
	d.Add(doc.Section{Heading: "Time", Table: TimesTable(r.Times)})
	return d, nil
}

// nextHeading is where the commands are.
const nextHeading = "What next"

// TimesTable is all that the page has of times.
func TimesTable(times []StageTime) *doc.Table {
	table := &doc.Table{
		Header:  []string{"stage", "seconds", "share, %"},
		Caption: "Wall-clock time on this machine; work that was killed, and this report, are not counted.",
	}
	all := StageTime{Title: "all"}
	for _, s := range times {
		all.Seconds += s.Seconds
	}
	for _, s := range append(times[:len(times):len(times)], all) {
		table.Add(s.Title, report.Number(s.Seconds, 1), report.Number(100*s.Seconds/max(all.Seconds, 1e-9), 1))
	}
	return table
}
