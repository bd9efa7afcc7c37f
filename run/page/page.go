// Package page tells a training run's results: the page of sections, tables and
// figures, and the rows that matter most, for the screen.
//
// A [Run] holds what the stages have recorded, and the names of the files that figures
// are drawn from. Who makes a run fills it in; nothing here searches, fits or plays.
package page

import (
	"kroo/internal/parallel"
	"kroo/report"
)

// Run is what a run has come to.
type Run struct {
	Rules      string
	Searcher   string  // another program, by its name, that searched for the run; "" for Kroo's engine
	Counts     *Counts // of seed counts; nil for a run without
	Rounds     []Round
	Finals     []Match // of the last champion
	Times      []StageTime
	Provenance []report.Row
	Next       []report.Row // what to try, and the command
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
func (r Run) Summary() (rows []report.Row) {
	if len(r.Rounds) > 0 {
		rows = r.roundRows()
	}
	if r.Counts != nil {
		rows = append(rows, r.Counts.rows()...)
	}
	return rows
}

// Draw makes the page and returns its drawings, which are worth files of their own.
func (r Run) Draw(progress parallel.Progress) (p report.Page, figures []report.Figure, err error) {
	p = report.Page{Title: "Kroo: a training run for " + r.Rules, Lead: r.lead(), Summary: r.Summary(), Terms: terms(), Provenance: r.Provenance}
	if len(r.Rounds) > 0 {
		curve, err := r.curve()
		if err != nil {
			return p, nil, err
		}
		p.Sections, figures = r.roundSections(curve), []report.Figure{curve}
	}
	if r.Counts != nil {
		d, err := r.Counts.draw(progress)
		if err != nil {
			return p, nil, err
		}
		p.Sections, figures = append(p.Sections, r.Counts.sections(d)...), append(figures, d.all()...)
	}
	if len(r.Next) > 0 {
		p.Sections = append(p.Sections, report.Section{Heading: nextHeading, Commands: r.Next,
			Text: []string{"Commands for a terminal in the folder of this run."}})
	}
	p.Sections = append(p.Sections, report.Section{Heading: "Time", Table: TimesTable(r.Times), Folded: true})
	return p, figures, nil
}

// nextHeading is where the commands are.
const nextHeading = "What next"

// TimesTable is all that the page tells of times.
func TimesTable(times []StageTime) *report.Table {
	table := &report.Table{
		Header:  []string{"stage", "seconds", "share, %"},
		Caption: "Wall-clock time on this machine; work that was killed, and this report, are not counted.",
	}
	all := StageTime{Title: "all"}
	for _, s := range times {
		all.Seconds += s.Seconds
	}
	for _, s := range append(times[:len(times):len(times)], all) {
		table.Rows = append(table.Rows, []string{s.Title, report.Number(s.Seconds, 1), report.Number(100*s.Seconds/max(all.Seconds, 1e-9), 1)})
	}
	return table
}
