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
	"regexp"
	"slices"
	"time"

	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/report"
	"kroo/run"
)

// runEntry is a run in the list.
type runEntry struct {
	Name     string `json:"name"`
	Stages   int    `json:"stages"` // finished ones
	Finished bool   `json:"finished"`
	Written  int64  `json:"written"` // when a file was last added or replaced, in seconds since 1970
	Working  string `json:"working"` // workingHere or workingElsewhere; "" if not in progress
	Fault    string `json:"fault,omitempty"`
}

// Where a run is in progress.
const (
	workingHere      = "here"
	workingElsewhere = "elsewhere"
)

// reportName is the file of a run's report.
const reportName = "report.html"

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

// entry describes a run for the list.
func (s *Server) entry(name, dir string) runEntry {
	e := runEntry{Name: name}
	path, err := s.runFile(name, run.ManifestFile)
	var m *run.Manifest
	if err == nil {
		m, err = run.ReadManifest(path)
	}
	switch {
	case err == nil:
		e.Stages = len(m.Stages)
		e.Finished = m.Finished()
	case !errors.Is(err, fs.ErrNotExist): // a run that has just started has no manifest
		e.Fault = s.folder.plain(err)
	}
	if info, err := vfs.Stat(dir); err == nil {
		e.Written = info.ModTime().Unix()
	}
	switch {
	case s.worker.current() == name:
		e.Working = workingHere
	case run.Busy(dir):
		e.Working = workingElsewhere
	}
	return e
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

// preset is a configuration for a new run.
type preset struct{ Name, Text string }

// presets lists the presets, smallest first, with their duration.
func presets() []preset {
	about := map[string]string{"quick": "about a minute", "evening": "about five minutes", "thesis": "about two and a half hours", "full": "about three hours"}
	var all []preset
	for _, name := range run.PresetNames {
		all = append(all, preset{name, about[name]})
	}
	return all
}

// newName matches the names of new runs, which are valid folder names everywhere.
var newName = regexp.MustCompile(`^[a-z0-9][a-z0-9-]{0,39}$`)

// runNew starts a run with the configuration of a preset, in a new folder.
func (s *Server) runNew(r *http.Request) (any, error) {
	name, preset := r.URL.Query().Get("name"), r.URL.Query().Get("preset")
	if !newName.MatchString(name) {
		return nil, fmt.Errorf("%.50q: expected a name of 1 to 40 letters a to z, digits and hyphens", name)
	}
	config, err := run.Preset(preset)
	if err != nil {
		return nil, err
	}
	if err := context.Cause(s.done); err != nil {
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
