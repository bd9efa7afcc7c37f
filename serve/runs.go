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
	"time"

	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/run"
)

// runEntry is a run of the list.
type runEntry struct {
	Name     string `json:"name"`
	Stages   int    `json:"stages"` // that are finished
	Finished bool   `json:"finished"`
	Written  int64  `json:"written"` // when a file of it was last written, in seconds since 1970
	Working  string `json:"working"` // workingHere, workingElsewhere, or nowhere: ""
	Fault    string `json:"fault,omitempty"`
}

// Where a run is in work.
const (
	workingHere      = "here"
	workingElsewhere = "elsewhere"
)

// maxFiles is how many files of a run's folder are looked at.
const maxFiles = 1000

// reportName is the file of a run's report.
const reportName = "report.html"

// runDir is the folder of a run by its name.
func (s *Server) runDir(name string) (string, error) {
	dir, err := s.folder.path(name)
	if err != nil {
		return "", err
	}
	if _, err := s.runFile(name, run.ConfigFile); err != nil {
		return "", fmt.Errorf("%s is no run: %w", name, err)
	}
	return dir, nil
}

// runFile is where a file of a run is. A link that leads out of the folder that is served
// is refused.
func (s *Server) runFile(run, file string) (string, error) { return s.folder.path(run + "/" + file) }

// checkOwn refuses a run some of whose files are elsewhere.
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
	return s.manifests.get(path, "", func() (*run.Manifest, error) { return run.ReadManifest(path) })
}

// entry describes a run for the list.
func (s *Server) entry(name, dir string) runEntry {
	e := runEntry{Name: name}
	m, err := s.manifest(name)
	switch {
	case err == nil:
		e.Stages = len(m.Stages)
		e.Finished = m.Finished()
	case !errors.Is(err, fs.ErrNotExist): // else it has just begun
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

// lastWritten is when a file of a folder was written last.
func lastWritten(dir string) (last time.Time) {
	list, _ := vfs.ReadDir(dir)
	for _, f := range list[:min(len(list), maxFiles)] {
		if info, err := f.Info(); err == nil && info.ModTime().After(last) && f.Name() != run.ConfigFile {
			last = info.ModTime()
		}
	}
	return last
}

// runList lists the runs in the folder, the last written first.
func (s *Server) runList(r *http.Request) (any, error) {
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

// runFindings is what a run has found so far.
type runFindings struct {
	runEntry
	Tool    string          `json:"tool"`
	Engine  string          `json:"engine"`
	Config  string          `json:"config"`
	Report  bool            `json:"report"`
	Times   []run.StageTime `json:"times"`
	Figures [][2]string     `json:"figures"` // name in words, and value
}

// runSheet tells what a run has found.
func (s *Server) runSheet(r *http.Request) (any, error) {
	name := r.URL.Query().Get("name")
	dir, err := s.runDir(name)
	if err != nil {
		return nil, err
	}
	sheet := runFindings{runEntry: s.entry(name, dir), Figures: [][2]string{}}
	if sheet.Config, err = strict.ReadFile(filepath.Join(dir, run.ConfigFile)); err != nil {
		return nil, fmt.Errorf("%s: %w", run.ConfigFile, cause(err))
	}
	if _, err := s.runFile(name, run.TimesFile); err == nil {
		sheet.Times = run.Times(dir)
	}
	if m, err := s.manifest(name); err == nil {
		sheet.Tool, sheet.Engine = m.Tool, m.Engine
		sheet.Figures = figuresOf(m)
	}
	_, err = s.runFile(name, reportName)
	sheet.Report = err == nil
	return sheet, nil
}

// runState is how far a run is.
type runState struct {
	runEntry
	Now    []stageNote `json:"now,omitempty"` // of a run in work here
	Failed string      `json:"failed,omitempty"`
}

// watchEvery is how often those who watch are told.
const watchEvery = 400 * time.Millisecond

// runWatch streams how far a run is, whenever that has changed, until it is at rest.
func (s *Server) runWatch(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Query().Get("name")
	dir, err := s.runDir(name)
	if err != nil {
		s.reply(w, nil, err)
		return
	}
	look := func() runState {
		now, failed := s.worker.notes(name)
		return runState{s.entry(name, dir), now, failed}
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
				post(state)
				last = state
			}
			select {
			case <-ctx.Done():
				return nil, ctx.Err()
			case <-tick.C:
			}
		}
	})
}

// runResume goes on with a run, in this server.
func (s *Server) runResume(r *http.Request) (any, error) {
	name := r.URL.Query().Get("name")
	dir, err := s.runDir(name)
	if err == nil {
		err = cmp.Or(context.Cause(s.done), s.checkOwn(name, dir))
	}
	if err == nil {
		err = s.worker.start(name, func() (*run.Run, error) {
			p, err := run.Resume(dir)
			if err == nil && p.Config.Engine != nil { // whoever put the run there would have it run any command
				p.Close()
				err = errors.New("its configuration has another program search: go on with it by train run --resume")
			}
			return p, err
		})
	}
	return name, err
}

// runStop stops the run that is in work here.
func (s *Server) runStop(r *http.Request) (any, error) {
	name := r.URL.Query().Get("name")
	var err error
	if !s.worker.stop(name) {
		err = fmt.Errorf("%.80q is not in work here", name)
	}
	return name, err
}

// reportPolicy is what a report may do: it has its style inside, and nothing else.
const reportPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:; sandbox; frame-ancestors 'self'"

// maxReport bounds the size of a report.
const maxReport = 32 << 20

// runReport sends the report of a run, as a page in a frame.
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
	send(w, "text/html; charset=utf-8", data)
}
