package serve

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"path/filepath"
	"regexp"
	"slices"

	"kroo/internal/vfs"
	"kroo/run"
)

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
