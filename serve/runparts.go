package serve

import (
	"cmp"
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

// state returns the state of a run in words.
func (e runEntry) state() string {
	switch {
	case e.Fault != "":
		return e.Fault
	case e.Working == workingHere:
		return "in progress"
	case e.Working == workingElsewhere:
		return "running in another program"
	case e.Finished:
		return "finished"
	}
	return "unfinished, can be resumed"
}

// text returns the state of a run as a sentence, with the reason if it failed.
func (e runEntry) text(failed string) string {
	state := e.state()
	if failed != "" && e.Working == "" {
		state = failed
	}
	return fmt.Sprintf("%s: %s, %s finished.", e.Name, state, wording.Count(e.Stages, "stage"))
}

// action is the button that stops or resumes a run; nil if neither is possible.
func action(e runEntry) g.Node {
	button := func(act, text string) g.Node {
		return h.Button(h.Type("button"), h.Class("main"), h.Data("act", act), h.Data("run", e.Name), g.Text(text))
	}
	switch {
	case e.Working == workingHere:
		return button("stop", "Stop")
	case e.Name != "" && !e.Finished && e.Working == "" && e.Fault == "":
		return button("resume", "Resume")
	}
	return nil
}

func runTable(runs []runEntry) *doc.Table {
	t := doc.TableOf([]string{"run", "state", "stages", "last written"}, runs, func(e runEntry) []any {
		return []any{e.Name, e.state(), e.Stages, time.Unix(e.Written, 0).Format(time.DateTime)}
	})
	for _, e := range runs {
		t.Links = append(t.Links, address("/runs", nil, "name", e.Name))
	}
	return t
}

// newRunForm is the form that starts a run.
func newRunForm() g.Node {
	return h.Details(h.Class("card"), h.ID("new-run"), h.Summary(g.Text("New run")),
		h.Form(h.ID("new"), h.Class("row pick"),
			h.Label(g.Text("Name "), h.Input(h.Type("text"), h.ID("new-name"), h.Required(), h.Pattern(`[a-z0-9][a-z0-9\-]{0,39}`), h.MaxLength("40"), g.Attr("spellcheck", "false"), h.AutoComplete("off"), h.Aria("describedby", "new-note"))),
			h.Label(g.Text("Settings "), h.Select(h.ID("preset"), g.Map(presets(), func(p preset) g.Node { return h.Option(h.Value(p.Name), g.Text(p.Name+": "+p.Text)) }))),
			h.Button(h.Type("submit"), h.Class("main"), g.Text("Start"))),
		h.P(h.Class("note"), h.ID("new-note"), g.Text("A name has letters a to z, digits and hyphens. This server executes one run at a time; it can be stopped and resumed. The times are for two idle cores.")))
}

// live shows the progress of a run in work: a bar for the stage in work, all stages as a table, and
// the chart of a stage.
func live(notes []stageNote) g.Node {
	if len(notes) == 0 {
		return g.Group{}
	}
	t, bar := doc.NewTable("stage", "done", "rate", "to go"), g.Node(nil)
	for _, n := range notes {
		done, rate, toGo := n.State, "", ""
		count := fmt.Sprintf("%s of %s %s", report.Count(n.Done), report.Count(n.Total), n.Unit)
		switch n.State {
		case working:
			done, rate, toGo = count, wording.Rate(n.Rate, ""), wording.Span(n.ToGo)
			bar = h.Progress(h.Max(strconv.FormatInt(max(n.Total, 1), 10)), h.Value(strconv.FormatInt(n.Done, 10)), h.Aria("label", n.Title))
		case finished:
			done += " in " + wording.Span(n.Seconds)
		case stopped:
			done = "stopped at " + count + "; Resume continues it"
		}
		t.Add(n.Title, done, rate, toGo)
	}
	return g.Group{bar, report.Body(&doc.Doc{Sections: []doc.Section{{Heading: "stages", Table: t, Figures: plot(notes)}}})}
}

// plot draws the progress of the stage in work over time, or of the longest stage at the start of the
// next.
func plot(notes []stageNote) []doc.Drawing {
	long := slices.DeleteFunc(slices.Clone(notes), func(n stageNote) bool { return len(n.Points) < 3 || n.Points[len(n.Points)-1][0] < 0.5 })
	if len(long) == 0 {
		return nil
	}
	at := slices.MaxFunc(long, func(a, b stageNote) int {
		if a.State != b.State && (a.State == working || b.State == working) {
			return map[bool]int{true: 1, false: -1}[a.State == working]
		}
		return cmp.Compare(a.Seconds, b.Seconds)
	})
	c := report.Chart{Name: "progress", Title: at.Title + ": " + at.Unit + " done over time", X: "seconds", Y: at.Unit}
	for _, p := range at.Points {
		c.Add(at.Unit, p[0], p[1])
	}
	return []doc.Drawing{c}
}
