package serve

import (
	"fmt"
	"slices"
	"strconv"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/internal/doc"
	"kroo/internal/wording"
	"kroo/report"
)

// state is how a run is, in words.
func (e runEntry) state() string {
	switch {
	case e.Fault != "":
		return e.Fault
	case e.Working == workingHere:
		return "in work"
	case e.Working == workingElsewhere:
		return "running in another program"
	case e.Finished:
		return "finished"
	}
	return "unfinished, can be resumed"
}

// said is how a run is, and why it has ended if it has failed.
func (e runEntry) said(failed string) string {
	state := e.state()
	if failed != "" && e.Working == "" {
		state = failed
	}
	return fmt.Sprintf("%s: %s, %s finished.", e.Name, state, wording.Count(e.Stages, "stage"))
}

// runTable is the list of the runs, with what can be done with each.
func runTable(runs []runEntry, chosen string) g.Node {
	act := func(what, name, run string) g.Node {
		return h.Button(h.Type("button"), h.Data("act", what), h.Data("run", run), g.Text(name), h.Span(h.Class("hidden"), g.Text(" "+run)))
	}
	row := func(e runEntry) g.Node {
		todo := g.Node(nil)
		switch {
		case e.Working == workingHere:
			todo = act("stop", "Stop", e.Name)
		case !e.Finished && e.Working == "" && e.Fault == "":
			todo = act("resume", "Resume", e.Name)
		}
		return h.Tr(g.If(e.Name == chosen, h.Class("chosen")), h.Th(h.Scope("row"), h.A(h.Href(address("/runs", nil, "name", e.Name)), g.Text(e.Name))),
			h.Td(g.Text(e.state())), h.Td(h.Class("number"), g.Text(strconv.Itoa(e.Stages))), h.Td(h.Class("optional"), g.Text(time.Unix(e.Written, 0).Format(time.DateTime))), h.Td(todo))
	}
	var head g.Group
	for _, name := range []string{"Run", "State", "Stages", "Last written", "What to do"} {
		head = append(head, h.Th(h.Scope("col"), g.If(name == "Stages", h.Class("number")), g.If(name == "Last written", h.Class("optional")), g.Text(name)))
	}
	return h.Div(h.Class("scroll"), h.TabIndex("0"), h.Role("region"), h.Aria("label", "List of the runs"),
		h.Table(h.ID("runs"), h.THead(h.Tr(head)), h.TBody(g.Map(runs, row))))
}

// newRunForm is the form for a new run.
func newRunForm() g.Node {
	return h.Details(h.Class("card"), h.ID("new-run"), h.Summary(g.Text("New run")),
		h.Form(h.ID("new"), h.Class("row pick"),
			h.Label(g.Text("Name "), h.Input(h.Type("text"), h.ID("new-name"), h.Required(), h.Pattern(`[a-z0-9][a-z0-9\-]{0,39}`), h.MaxLength("40"), g.Attr("spellcheck", "false"), h.AutoComplete("off"), h.Aria("describedby", "new-note"))),
			h.Label(g.Text("Settings "), h.Select(h.ID("preset"), g.Map(presets(), func(p preset) g.Node { return h.Option(h.Value(p.Name), g.Text(p.Name+": "+p.Text)) }))),
			h.Button(h.Type("submit"), h.Class("main"), g.Text("Begin"))),
		h.P(h.Class("note"), h.ID("new-note"), g.Text("A name has letters a to z, digits and hyphens. The run is done by this server, one at a time, and can be stopped. The times are those of two quiet cores.")))
}

// live shows how far the stages of a run are, and what the one in work has done over time.
func live(notes []stageNote) g.Node {
	if len(notes) == 0 {
		return g.Group{}
	}
	var rows g.Group
	for _, n := range notes {
		done, rate, toGo := n.State, "", ""
		value, total := n.Done, max(n.Total, 1)
		switch n.State {
		case working:
			done = fmt.Sprintf("%s of %s %s", report.Count(n.Done), report.Count(n.Total), n.Unit)
			rate, toGo = wording.Rate(n.Rate, ""), wording.Span(n.ToGo)
		case finished:
			done += " in " + wording.Span(n.Seconds)
			value = total
		case doneBefore:
			value = total
		case stopped:
			done = fmt.Sprintf("stopped at %s of %s %s; Resume above continues it", report.Count(n.Done), report.Count(n.Total), n.Unit)
		}
		rows = append(rows, h.Tr(h.Class(n.State), h.Th(h.Scope("row"), g.Text(n.Title)),
			h.Td(h.Progress(h.Max(strconv.FormatInt(total, 10)), h.Value(strconv.FormatInt(value, 10)), h.Aria("label", n.Title)), h.Span(h.Class("note"), g.Text(done))),
			h.Td(h.Class("number"), g.Text(rate)), h.Td(h.Class("number"), g.Text(toGo))))
	}
	number := func(name string) g.Node { return h.Th(h.Scope("col"), h.Class("number"), g.Text(name)) }
	return h.Div(h.Class("card"), h.H2(g.Text("Stages")), h.Div(h.Class("scroll"), h.TabIndex("0"), h.Role("region"), h.Aria("label", "Table of the stages"), h.Table(h.Class("stages"),
		h.THead(h.Tr(h.Th(h.Scope("col"), g.Text("Stage")), h.Th(h.Scope("col"), g.Text("Done")), number("Rate"), number("To go"))), h.TBody(rows))), plot(notes))
}

// plot draws what the stage in work has done over time, or the longest if that has hardly begun.
func plot(notes []stageNote) g.Node {
	long := slices.DeleteFunc(slices.Clone(notes), func(n stageNote) bool { return len(n.Points) < 3 || n.Points[len(n.Points)-1][0] < 0.5 })
	if len(long) == 0 {
		return nil
	}
	at := slices.MaxFunc(long, func(a, b stageNote) int {
		if (a.State == working) != (b.State == working) {
			return map[bool]int{true: 1, false: -1}[a.State == working]
		}
		return int(a.Seconds - b.Seconds)
	})
	c := report.Chart{Name: "progress", Title: at.Title + ": " + at.Unit + " done over time", X: "seconds", Y: at.Unit}
	for _, p := range at.Points {
		c.Add(at.Unit, p[0], p[1])
	}
	return report.Body(&doc.Doc{Sections: []doc.Section{{Figures: []doc.Drawing{c}, Drawn: true}}})
}
