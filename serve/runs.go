package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/internal/outline"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/report"
	"kroo/run"
)

// runEntry is a run in the list.
type runEntry struct {
	name, state string
	stages      int    // finished ones
	working     string // workingHere or workingElsewhere; "" if not in progress
	act         string // Stop or Resume, if that is possible
}

// Where a run is in progress.
const (
	workingHere      = "here"
	workingElsewhere = "elsewhere"
)

// text returns the state of a run as a sentence.
func (e runEntry) text() string {
	return fmt.Sprintf("%s: %s, %s finished.", e.name, e.state, wording.Count(e.stages, "stage"))
}

// runDir returns the folder of a run: an error if a file of it is a link out of the served folder.
func (s *Server) runDir(name string) (string, error) {
	dir, err := s.folder.path(name)
	if err != nil {
		return "", err
	}
	if _, err := s.folder.path(name + "/" + run.ConfigFile); err != nil {
		return "", fmt.Errorf("%s is not a run: %w", name, err)
	}
	list, err := vfs.ReadDir(dir)
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, cause(err))
	}
	for _, f := range list {
		if f.Type()&fs.ModeSymlink != 0 {
			if _, err := s.folder.path(name + "/" + f.Name()); err != nil {
				return "", err
			}
		}
	}
	return dir, nil
}

// entry describes a run for the list.
func (s *Server) entry(name, dir string) runEntry {
	e := runEntry{name: name, state: "unfinished, can be resumed", act: "Resume"}
	here, elsewhere := s.worker.current() == name, run.Busy(dir) // before the manifest, which may be the last
	m, err := run.ReadManifest(filepath.Join(dir, run.ManifestFile))
	switch {
	case err == nil:
		e.stages = len(m.Stages)
		if m.IsFinished() {
			e.state, e.act = "finished", ""
		}
	case !errors.Is(err, fs.ErrNotExist): // a run that has just started has no manifest
		e.state, e.act = "damaged", "" // the description has the error
	}
	_, failed := s.worker.notes(name)
	switch {
	case here:
		e.state, e.act = "in progress", "Stop"
		e.working = workingHere
	case elsewhere:
		e.state, e.act = "running in another program", ""
		e.working = workingElsewhere
	case failed != "":
		e.state = failed
	}
	return e
}

// runs lists the runs in the folder as train inspect does, the newest first or sorted by a column.
func (s *Server) runs(by string) ([]run.Entry, error) {
	list, err := vfs.ReadDir(s.folder.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, cause(err)
	}
	var dirs []string
	for _, d := range list[:min(len(list), maxListed)] {
		dir, err := s.runDir(d.Name())
		if err == nil { // else it is no run, or has a link out of the folder
			dirs = append(dirs, dir)
		}
	}
	runs := run.Describe(dirs)
	if by != "" {
		err = run.Sort(runs, by)
	}
	return runs, err
}

// runList shows the runs as a table that the headings sort, and their figures over time.
func runList(runs []run.Entry, q url.Values) g.Node {
	by := q.Get("sort")
	t, shared := run.PageTable(runs, func(column string) string {
		if column == by {
			column = "-" + column // the other way round
		}
		return address("/runs", q, "sort", column)
	})
	for _, e := range runs {
		t.Links = append(t.Links, address("/runs", nil, "name", e.Name, "sort", by))
	}
	texts := append(run.SharedText(shared), "A heading sorts by its column, a second time the other way round. R and mean errors "+
		"(in winning chance and in seeds of score) are on the validation rows of each run; Elo has 95 % intervals.")
	list := g.Group{h.Div(h.ID("runs-list"), report.Table(t, "List of the runs")),
		g.Map(texts, func(text string) g.Node { return h.P(h.Class("note"), report.Text(text)) })}
	charts := run.FiguresOverTime(runs)
	if len(charts) == 0 {
		return list
	}
	over := outline.Section{Heading: "Figures over time", Figures: charts, Aside: true}
	return g.Group{list, h.Div(h.Class("parts"), report.Part(over, "over-time"))}
}

// runsPage lists the runs, and describes the one of the request.
func (s *Server) runsPage(r *http.Request) (p page, err error) {
	q := r.URL.Query()
	runs, err := s.runs(q.Get("sort"))
	if err != nil {
		return p, err
	}
	name := cmp.Or(q.Get("name"), firstShown(runs))
	status, act := "There are no runs in the served folder. Start one below.", g.Node(nil)
	var here runEntry
	notes, failed := s.worker.notes(name)
	if slices.ContainsFunc(runs, func(e run.Entry) bool { return e.Name == name }) {
		here = s.entry(name, filepath.Join(s.folder.dir, name))
		status = here.text()
		act = g.If(here.act != "",
			h.Button(h.Type("button"), h.Class("main"), h.Data("act", strings.ToLower(here.act)), h.Data("run", name),
				g.Text(here.act)))
	} else if name != "" {
		status = ""
	}
	p.form = g.Group{h.Div(h.Class("row"), h.P(h.Class("status"), h.ID("status"), h.Role("status"), g.Text(status)),
		act), newRunForm()}
	if name == "" {
		return p, nil
	}
	if here.working == "" && failed == "" {
		notes = nil // the description has all
	}
	list := runList(runs, q)
	if compared := q["compare"]; len(compared) > 0 {
		p.form = g.Group{newRunForm(), list, compareForm(runs, compared)}
		p.doc, err = s.comparison(r.Context(), compared)
		return p, err
	}
	p.form = g.Group{p.form, list, compareForm(runs, nil),
		h.Section(h.ID("live"), h.Aria("label", "Stages"), h.Data("name", name), h.Data("working", here.working),
			h.Data("stages", strconv.Itoa(here.stages)), live(notes))}
	p.doc, err = s.runDoc(name, notes != nil || here.working == workingElsewhere)
	if q.Get("name") == "" { // the list is what the request asks for
		p.fault = err
		return p, nil
	}
	return p, err
}

// firstShown returns the name of the run that a page shows by default: the first that is not damaged, or
// else the first; "" without any.
func firstShown(runs []run.Entry) string {
	if len(runs) == 0 {
		return ""
	}
	readable := slices.IndexFunc(runs, func(e run.Entry) bool { return e.Problem == "" })
	return runs[max(readable, 0)].Name
}

// compareForm has a box for each run, to compare the ticked ones.
func compareForm(runs []run.Entry, ticked []string) g.Node {
	if len(runs) < 2 {
		return g.Group{}
	}
	box := func(e run.Entry) g.Node {
		return h.Label(h.Class("check"), h.Input(h.Type("checkbox"), h.Name("compare"), h.Value(e.Name),
			g.If(slices.Contains(ticked, e.Name), h.Checked())), g.Text(" "+e.Name))
	}
	return h.Details(h.Class("card"), h.ID("compare-runs"), g.If(ticked != nil, g.Attr("open")),
		h.Summary(g.Text("Compare runs")),
		h.Form(h.Action("/runs"), h.Class("row pick"), g.Map(runs, box),
			h.Button(h.Type("submit"), h.Class("main"), g.Text("Compare"))),
		h.P(h.Class("note"), g.Text(fmt.Sprintf("Tick 2 to %d runs. The one that comes first in the list is compared with the others.", run.MaxCompared))))
}

// comparison compares runs as train inspect does.
func (s *Server) comparison(ctx context.Context, names []string) (*outline.Doc, error) {
	var dirs []string
	links := outline.NewTable("run", "state", "note")
	for _, name := range names {
		dir, err := s.runDir(name)
		if err != nil {
			return nil, err
		}
		dirs = append(dirs, dir)
	}
	c, err := run.CompareRuns(ctx, dirs)
	if err != nil {
		return nil, err
	}
	d := c.Doc()
	for i, name := range names {
		links.Add(fmt.Sprintf("%s: %s", d.Facts[i].Name, name), c.Runs[i].State, c.Runs[i].Note)
		links.Links = append(links.Links, address("/runs", nil, "name", name))
	}
	d.Title = fmt.Sprintf("%s compared with %s", wording.Count(len(names)-1, "run"), names[0])
	d.Facts = nil // they name folders
	d.Sections = slices.DeleteFunc(d.Sections, func(s outline.Section) bool { return s.Commands != nil })
	d.Sections = slices.Insert(d.Sections, 0, outline.Section{Table: links})
	return d, nil
}

// runDoc describes a run as train inspect does, with its report as far as the run is, and its
// configuration, also with an error. The notes of a run in progress contain its stages.
func (s *Server) runDoc(name string, noted bool) (*outline.Doc, error) {
	dir, err := s.runDir(name)
	if err != nil {
		return nil, err
	}
	config, err := strict.ReadFile(filepath.Join(dir, run.ConfigFile))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", run.ConfigFile, cause(err))
	}
	d, err := run.DescribeFolder(dir)
	if err != nil {
		d = &outline.Doc{}
	}
	if d.Title != "" {
		d.Title = name + ": " + d.Title
	}
	d.Sections = slices.DeleteFunc(d.Sections, func(s outline.Section) bool {
		return noted && s.Heading == "stages" || s.Heading == "results" // the page begins with them
	})
	if err == nil {
		err = addReport(d, dir)
	}
	d.Sections = slices.DeleteFunc(d.Sections, func(s outline.Section) bool {
		return s.Commands != nil // commands name the folder, and the page has buttons
	})
	d.Add(outline.Section{Heading: "Configuration", Plain: config, Aside: true})
	return d, err
}

// addReport adds the report of a run, as far as the run is, to its description.
func addReport(d *outline.Doc, dir string) error {
	report, err := run.Page(dir)
	if err != nil {
		return err
	}
	d.Facts = report.Facts
	d.Lead = append(d.Lead, report.Lead...)
	d.Sections = append(report.Sections, d.Sections...) // results first
	d.Origin = report.Origin
	return nil
}

// presetOption describes a preset by the first line of its text.
func presetOption(name string) g.Node {
	text, _ := run.Preset(name)
	line, _, _ := strings.Cut(strings.TrimPrefix(text, "# "), "\n")
	return h.Option(h.Value(name), g.Text(line))
}

// newRunForm is the form that starts a run.
func newRunForm() g.Node {
	return h.Details(h.Class("card"), h.ID("new-run"), h.Summary(g.Text("New run")),
		h.Form(h.ID("new"), h.Class("row pick"),
			h.Div(
				h.Label(g.Text("Name "), h.Input(h.Type("text"), h.ID("new-name"), h.Required(), h.Pattern(namePattern),
					h.MaxLength("40"), h.Title(nameRule), h.Placeholder("first-run"), g.Attr("spellcheck", "false"),
					h.AutoComplete("off"), g.Attr("autocapitalize", "none"), h.Aria("describedby", "name-rule"))),
				h.P(h.Class("note"), h.ID("name-rule"), g.Text(nameRule))),
			h.Label(g.Text("Settings "), h.Select(h.ID("preset"), g.Map(run.PresetNames, presetOption))),
			h.Button(h.Type("submit"), h.Class("main"), g.Text("Start"))),
		h.P(h.Class("note"), g.Text("This server executes one run at a time; it can be stopped and resumed.")))
}

// runResume resumes a run in this server.
func (s *Server) runResume(r *http.Request) (any, error) {
	name := r.URL.Query().Get("name")
	dir, err := s.runDir(name)
	if err = cmp.Or(err, context.Cause(s.done)); err != nil {
		return nil, err
	}
	return name, s.worker.start(name, func() (*run.Run, error) { return run.Resume(dir) })
}

// runStop stops the run in progress here.
func (s *Server) runStop(r *http.Request) (any, error) {
	name := r.URL.Query().Get("name")
	if !s.worker.stop(name) {
		return nil, fmt.Errorf("%.80q is not running here", name)
	}
	return name, nil
}

// The names of new runs, which are valid folder names everywhere: a pattern as browsers read it, and in
// words.
const (
	namePattern = `[a-z0-9][a-z0-9\-]{0,39}`
	nameRule    = "1 to 40 small letters a to z, digits and hyphens, the first no hyphen."
)

var newName = regexp.MustCompile("^" + namePattern + "$")

// runNew starts a run with the configuration of a preset, in a new folder.
func (s *Server) runNew(r *http.Request) (any, error) {
	name, preset := r.URL.Query().Get("name"), r.URL.Query().Get("preset")
	if !newName.MatchString(name) {
		return nil, fmt.Errorf("the name %.50q: expected %s", name, strings.TrimSuffix(nameRule, "."))
	}
	config, err := run.Preset(preset)
	if err = cmp.Or(err, context.Cause(s.done)); err != nil {
		return nil, err
	}
	return name, s.worker.start(name, func() (*run.Run, error) {
		if err := s.folder.checkNew(name); err != nil {
			return nil, err
		}
		return run.New(filepath.Join(s.folder.dir, name), config, preset)
	})
}

// checkNew returns an error if the name exists already, even as a broken link, or if the folder has as
// many entries as a listing shows.
func (f folder) checkNew(name string) error {
	list, err := vfs.ReadDir(f.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("the served folder: %w", cause(err))
	}
	if len(list) >= maxListed {
		return fmt.Errorf("the folder already has %d files and folders: delete some", len(list))
	}
	if slices.ContainsFunc(list, func(d fs.DirEntry) bool { return d.Name() == name }) {
		return fmt.Errorf("a file or a run %s already exists: choose another name", name)
	}
	return nil
}
