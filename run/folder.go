package run

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"kroo/datasets"
	"kroo/internal/doc"
	"kroo/internal/wording"
)

// folder is a run for programs.
type folder struct {
	*Manifest
	Finished bool       `json:"finished"`
	Missing  []string   `json:"missing,omitempty"` // missing outputs of finished stages
	Changed  []string   `json:"changed,omitempty"` // outputs changed since they were written
	Results  []doc.Fact `json:"results,omitempty"` // results so far
}

// DescribeFolder describes the run in a folder: stages, files and results.
func DescribeFolder(dir string) (*doc.Doc, error) {
	r, err := readRun(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("%s: not the folder of a run: expected %s in it, or a file", dir, ConfigFile)
	}
	if err != nil {
		return nil, err
	}
	p, err := r.results()
	if err != nil {
		return nil, err
	}
	f := folder{Manifest: r.manifest, Finished: r.manifest.Finished(), Results: p.summary()}
	stages := doc.NewTable("stage", "files")
	for _, s := range r.stages() {
		rec := r.manifest.stage(s.name)
		if rec == nil {
			stages.Add(s.title, "to be done")
			continue
		}
		stages.Add(s.title, strings.Join(short(slices.Sorted(maps.Keys(rec.Outputs))), ", "))
		missing, changed, err := rec.compare(dir)
		if err != nil {
			return nil, err
		}
		f.Missing, f.Changed = append(f.Missing, missing...), append(f.Changed, changed...)
	}
	d := &doc.Doc{
		Value: f, Title: fmt.Sprintf("run under %s rules, engine %s, %d of %s finished", r.Config.Rules, f.Engine, len(f.Stages), wording.Count(len(stages.Rows), "stage")),
		Facts: doc.Facts("searched by", wording.Short(f.Program)), Sections: []doc.Section{{Heading: "stages", Table: stages}},
	}
	if len(f.Missing)+len(f.Changed) > 0 {
		d.Add(doc.Section{Facts: doc.Facts("missing", strings.Join(f.Missing, ", "), "changed since", strings.Join(f.Changed, ", "))})
	}
	if f.Results != nil {
		d.Add(doc.Section{Heading: "results", Facts: f.Results})
	}
	if !f.Finished {
		d.Add(doc.Section{Commands: doc.Facts("to resume", fmt.Sprintf("%s run --resume --dir %s", wording.Program(), wording.Path(dir)))})
	}
	return d, nil
}

// short returns the names without manifests of datasets, and with figures replaced by their
// number.
func short(names []string) (list []string) {
	figures := 0
	for _, name := range names {
		switch {
		case strings.HasPrefix(name, plotsFolder+"/"):
			figures++
		case !strings.HasSuffix(name, datasets.ManifestPath("")):
			list = append(list, name)
		}
	}
	if figures > 0 {
		list = append(list, fmt.Sprintf("%s/ (%s)", plotsFolder, wording.Count(figures, "file")))
	}
	return list
}
