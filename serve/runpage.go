package serve

import (
	"cmp"
	"fmt"
	"net/http"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/internal/doc"
	"kroo/internal/strict"
	"kroo/internal/wording"
	"kroo/report"
	"kroo/run"
)

// runsPage lists the runs, and describes the one of the request, compared with another if the
// request names one. The report follows the description.
func (s *Server) runsPage(r *http.Request) (p page, err error) {
	q := r.URL.Query()
	runs, err := s.runs()
	if err != nil {
		return p, err
	}
	if q.Get("name") == "" && len(runs) > 0 {
		q.Set("name", runs[0].Name)
	}
	name, other := q.Get("name"), q.Get("other")
	if name == "" {
		p.form = g.Group{h.P(h.Class("status"), h.ID("status"), h.Role("status"), g.Text("There are no runs in the served folder. Start one below.")), newRunForm()}
		return p, nil
	}
	var names []string
	var here runEntry
	for _, e := range runs {
		if e.Name == name {
			here = e
		} else {
			names = append(names, e.Name)
		}
	}
	notes, failed := s.worker.notes(name)
	if here.Working == "" && failed == "" {
		notes = nil // the description has all
	}
	status := ""
	if here.Name != "" {
		status = here.text(failed)
	}
	p.form = g.Group{
		h.Div(h.Class("row"), h.P(h.Class("status"), h.ID("status"), h.Role("status"), g.Text(status)), action(here)), report.Table(runTable(runs), "List of the runs"), newRunForm(),
		h.Section(h.ID("live"), h.Aria("label", "Stages"), h.Data("name", name), h.Data("working", here.Working), h.Data("stages", strconv.Itoa(here.Stages)), live(notes)),
		h.Form(h.Class("row pick"), h.Input(h.Type("hidden"), h.Name("name"), h.Value(name)), choice(q, "other", "Compare with", names, "nothing"), h.Button(h.Type("submit"), g.Text("Compare"))),
	}
	if _, err := s.runFile(name, reportName); err == nil {
		src := address("/runs/report", nil, "name", name)
		p.after = h.Section(h.H2(g.Text("Report")), h.P(h.A(h.Href(src), g.Text("Open the report by itself"))), h.IFrame(h.Src(src), h.Title("Report of "+name), g.Attr("sandbox", "")))
	}
	if p.doc, err = s.runDoc(name); err != nil {
		return p, err
	}
	if notes != nil { // they contain the stages
		p.doc.Sections = slices.DeleteFunc(p.doc.Sections, func(s doc.Section) bool { return s.Heading == "stages" })
	}
	if other != "" {
		o, err := s.runDoc(other)
		if err != nil {
			return p, err
		}
		p.doc.Sections = slices.Insert(p.doc.Sections, 0, difference(name, other, p.doc, o))
	}
	return p, nil
}

// runDoc describes a run as train inspect does, and adds its configuration, also with an error.
func (s *Server) runDoc(name string) (*doc.Doc, error) {
	dir, err := s.runDir(name)
	if err != nil {
		return nil, err
	}
	if err := s.checkOwn(name, dir); err != nil {
		return nil, err
	}
	config, err := strict.ReadFile(filepath.Join(dir, run.ConfigFile))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.ConfigFile, cause(err))
	}
	d, err := run.DescribeFolder(dir)
	if err != nil {
		d = &doc.Doc{}
	} else {
		d.Title = name + ": " + d.Title
		d.Sections = slices.DeleteFunc(d.Sections, func(s doc.Section) bool { return s.Commands != nil }) // they name the folder, and the page has buttons
	}
	if _, missing := s.runFile(name, reportName); err == nil && missing != nil {
		so, err := run.Page(dir)
		if err != nil {
			return d, err
		}
		d.Sections = append(d.Sections, so.Sections...)
		d.Terms = so.Terms
	}
	d.Add(doc.Section{Heading: "Configuration", Plain: config, Aside: true})
	return d, err
}

// settings returns the values in which runs can differ: results, seconds of the stages, and the
// configuration.
func settings(d *doc.Doc) (names []string, values map[string]string) {
	values = map[string]string{}
	add := func(name, value string) {
		names = append(names, name)
		values[name] = value
	}
	for _, s := range d.Sections {
		for _, f := range s.Facts {
			add(f.Name, f.Value)
		}
		if s.Table != nil {
			for _, row := range s.Table.Rows {
				add(row[0]+", seconds", row[1])
			}
		}
		part := ""
		for line := range strings.Lines(s.Plain) {
			line, _, _ = strings.Cut(strings.TrimSpace(line), " #")
			if name, value, found := strings.Cut(line, "="); found && !strings.HasPrefix(line, "#") {
				add(part+strings.TrimSpace(name), strings.Trim(strings.TrimSpace(value), `"`))
			} else if strings.HasPrefix(line, "[") {
				part = strings.Trim(strings.TrimSpace(line), "[]") + ": "
			}
		}
	}
	return names, values
}

// difference lists what differs between two runs.
func difference(name, other string, a, b *doc.Doc) doc.Section {
	names, here := settings(a)
	more, there := settings(b)
	t, seen, same := doc.NewTable("what differs", name, other), map[string]bool{}, 0
	for _, n := range append(names, more...) {
		x, y := cmp.Or(here[n], "–"), cmp.Or(there[n], "–")
		switch {
		case seen[n]:
		case x == y:
			same++
		default:
			t.Add(n, x, y)
		}
		seen[n] = true
	}
	one := doc.Section{Heading: "compared with " + other, Note: fmt.Sprintf("%d values are the same.", same)}
	if len(t.Rows) > 0 {
		one.Table = t
	}
	return one
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

// reportPolicy lets a report use its own style and images, and nothing else.
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'"

// maxReport is the largest size of a report.
const maxReport = 32 << 20

// runReport serves the report of a run, for a frame.
func (s *Server) runReport(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	_, err := s.runDir(name)
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	path, err := s.runFile(name, reportName)
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	data, err := readAtMost(path, maxReport)
	if err != nil {
		s.reply(w, nil, fmt.Errorf("%s/%s: %w", name, reportName, cause(err)))
		return
	}
	w.Header().Set("Content-Security-Policy", reportPolicy)
	send(w, htmlType, data)
}
