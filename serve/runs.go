package serve

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	g "maragu.dev/gomponents"
	h "maragu.dev/gomponents/html"

	"kroo/internal/doc"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/report"
	"kroo/run"
)

// runEntry is a run in the list.
type runEntry struct {
	Name     string `json:"name"`
	Stages   int    `json:"stages"` // finished ones
	Finished bool   `json:"finished"`
	Written  int64  `json:"written"` // latest change of a file, in seconds since 1970
	Working  string `json:"working"` // workingHere or workingElsewhere; "" if not in progress
	Fault    string `json:"fault,omitempty"`
}

// Where a run is in progress.
const (
	workingHere      = "here"
	workingElsewhere = "elsewhere"
)

// maxFiles is the number of files in a run's folder that are examined.
const maxFiles = 1000

// reportName is the file of a run's report.
const reportName = "report.html"

// runDir returns the folder of a run.
func (s *Server) runDir(name string) (string, error) {
	dir, err := s.folder.path(name)
	if err != nil {
		return "", err
	}
	if _, err := s.runFile(name, run.ConfigFile); err != nil {
		return "", fmt.Errorf("%s is not a run: %w", name, err)
	}
	return dir, nil
}

// runFile returns the path of a file of a run. Links out of the served folder are refused.
func (s *Server) runFile(run, file string) (string, error) { return s.folder.path(run + "/" + file) }

// checkOwn returns an error if a file of a run is a link out of the served folder.
func (s *Server) checkOwn(name, dir string) error {
	list, err := vfs.ReadDir(dir)
	if err != nil {
		return fmt.Errorf("%s: %w", name, cause(err))
	}
	for _, f := range list {
		if f.Type()&fs.ModeSymlink != 0 {
			if _, err := s.runFile(name, f.Name()); err != nil {
				return err
			}
		}
	}
	return nil
}

// manifest reads the manifest of a run.
func (s *Server) manifest(name string) (*run.Manifest, error) {
	path, err := s.runFile(name, run.ManifestFile)
	if err != nil {
		return nil, err
	}
	return run.ReadManifest(path)
}

// entry describes a run for the list.
func (s *Server) entry(name, dir string) runEntry {
	e := runEntry{Name: name}
	m, err := s.manifest(name)
	switch {
	case err == nil:
		e.Stages = len(m.Stages)
		e.Finished = m.Finished()
	case !errors.Is(err, fs.ErrNotExist): // a run that has just started has no manifest
		e.Fault = s.folder.plain(err)
	}
	e.Written = lastWritten(dir).Unix()
	switch {
	case s.worker.current() == name:
		e.Working = workingHere
	case run.Busy(dir):
		e.Working = workingElsewhere
	}
	return e
}

// lastWritten returns the time of the latest change of a file in a folder.
func lastWritten(dir string) (last time.Time) {
	list, _ := vfs.ReadDir(dir)
	for _, f := range list[:min(len(list), maxFiles)] {
		if info, err := f.Info(); err == nil && info.ModTime().After(last) && f.Name() != run.ConfigFile {
			last = info.ModTime()
		}
	}
	return last
}

// runs lists the runs in the folder, latest change first.
func (s *Server) runs() ([]runEntry, error) {
	runs := []runEntry{}
	list, err := vfs.ReadDir(s.folder.dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, cause(err)
	}
	for _, d := range list[:min(len(list), maxListed)] {
		if dir, err := s.runDir(d.Name()); err == nil {
			runs = append(runs, s.entry(d.Name(), dir))
		}
	}
	slices.SortStableFunc(runs, func(a, b runEntry) int { return cmp.Compare(b.Written, a.Written) })
	return runs, nil
}

// runList sends the list.
func (s *Server) runList(*http.Request) (any, error) { return s.runs() }

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
	status := ""
	if here.Name != "" {
		status = here.text(failed)
	}
	p.form = g.Group{
		h.Div(h.Class("row"), h.P(h.Class("status"), h.ID("status"), h.Role("status"), g.Text(status)), action(here)), report.Table(runTable(runs), "List of the runs"), newRunForm(),
		h.Section(h.ID("live"), h.Aria("label", "Stages"), h.Data("name", name), h.Data("working", here.Working), h.Data("stages", strconv.Itoa(here.Stages)), g.If(here.Working != "" || failed != "", live(notes))),
		h.Form(h.Class("row pick"), h.Input(h.Type("hidden"), h.Name("name"), h.Value(name)), choice(q, "other", "Compare with", names, "nothing"), h.Button(h.Type("submit"), g.Text("Compare"))),
	}
	if _, err := s.runFile(name, reportName); err == nil {
		src := address("/runs/report", nil, "name", name)
		p.after = h.Section(h.H2(g.Text("Report")), h.P(h.A(h.Href(src), g.Text("Open the report by itself"))), h.IFrame(h.Src(src), h.Title("Report of "+name), g.Attr("sandbox", "")))
	}
	if p.doc, err = s.runDoc(name); err != nil {
		return p, err
	}
	if notes != nil { // which have the stages
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

// runState is the progress of a run.
type runState struct {
	runEntry
	Now    []stageNote `json:"now,omitempty"` // if it is in progress here
	Failed string      `json:"failed,omitempty"`
	Text   string      `json:"text"` // all this as a sentence
	HTML   string      `json:"html"` // and as part of the page
}

// watchEvery is the interval at which the progress of a run is checked.
const watchEvery = 400 * time.Millisecond

// runWatch streams the progress of a run, when it changes, until the run is no longer in progress.
func (s *Server) runWatch(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	dir, err := s.runDir(name)
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	look := func() runState {
		now, failed := s.worker.notes(name)
		e := s.entry(name, dir)
		return runState{runEntry: e, Now: now, Failed: failed, Text: e.text(failed)}
	}
	stream(s, w, r, "state", func(ctx context.Context, post func(any)) (any, error) {
		tick := time.NewTicker(watchEvery)
		defer tick.Stop()
		var last runState
		for {
			state := look()
			if state.Working == "" {
				return state, nil
			}
			if !reflect.DeepEqual(state, last) {
				last = state
				html, err := report.Markup(live(state.Now))
				if err != nil {
					return nil, err
				}
				state.HTML = html
				post(state)
			}
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-tick.C:
			}
		}
	})
}

// runResume resumes a run in this server.
func (s *Server) runResume(r *http.Request) (any, error) {
	name := r.URL.Query().Get("name")
	dir, err := s.runDir(name)
	if err == nil {
		err = cmp.Or(context.Cause(s.done), s.checkOwn(name, dir))
	}
	if err == nil {
		err = s.worker.start(name, func() (*run.Run, error) {
			p, err := run.Resume(dir)
			if err == nil && p.Config.Engine != nil { // any command: the folder may come from somebody else
				p.Close()
				err = errors.New("its configuration uses another program for the searches: resume it with `train run --resume`")
			}
			return p, err
		})
	}
	return name, err
}

// runStop stops the run in progress here.
func (s *Server) runStop(r *http.Request) (any, error) {
	name := r.URL.Query().Get("name")
	var err error
	if !s.worker.stop(name) {
		err = fmt.Errorf("%.80q is not running here", name)
	}
	return name, err
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
