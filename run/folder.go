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
	"kroo/report"
)

// folder is the state of a run's folder.
type folder struct {
	Rules    string         `json:"rules"`
	Engine   string         `json:"engine"`
	Program  string         `json:"program,omitempty"` // program that searches instead of the engine
	Tool     string         `json:"tool"`
	Begun    string         `json:"begun,omitempty"`
	Finished bool           `json:"finished"`
	Stages   []folderStage  `json:"stages"`
	Missing  []string       `json:"missing,omitempty"` // missing outputs of finished stages
	Changed  []string       `json:"changed,omitempty"` // outputs changed since they were written
	Results  []folderResult `json:"results,omitempty"` // results so far
}

type folderStage struct {
	Title    string   `json:"title"`
	Finished bool     `json:"finished"`
	Seconds  float64  `json:"seconds,omitempty"`
	Files    []string `json:"files,omitempty"`
}

type folderResult struct {
	Name  string `json:"name"`
	Value string `json:"value"`
	Note  string `json:"note,omitempty"`
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
	f, err := r.found()
	if err != nil {
		return nil, err
	}
	done := 0
	stages := doc.NewTable("stage", "seconds", "files")
	for _, stage := range f.Stages {
		seconds, what := "", "to be done"
		if stage.Seconds > 0 {
			seconds = report.Number(stage.Seconds, 1)
		}
		if stage.Finished {
			done++
			what = strings.Join(short(stage.Files), ", ")
		}
		stages.Add(stage.Title, seconds, what)
	}
	d := &doc.Doc{
		Value: f, Title: fmt.Sprintf("run under %s rules, engine %s, %d of %s finished", f.Rules, f.Engine, done, wording.Count(len(f.Stages), "stage")),
		Facts: doc.Facts("searched by", wording.Short(f.Program)), Sections: []doc.Section{{Heading: "stages", Table: stages}},
	}
	var files doc.Section
	for _, name := range f.Missing {
		files.Facts = append(files.Facts, doc.Fact{Name: "missing", Value: name})
	}
	for _, name := range f.Changed {
		files.Facts = append(files.Facts, doc.Fact{Name: "changed since", Value: name})
	}
	if files.Facts != nil {
		d.Add(files)
	}
	if f.Results != nil {
		results := doc.Section{Heading: "results"}
		for _, r := range f.Results {
			results.Facts = append(results.Facts, doc.Fact(r))
		}
		d.Add(results)
	}
	if !f.Finished {
		d.Add(doc.Section{Commands: doc.Facts("to resume", fmt.Sprintf("%s run --resume --dir %s", wording.Program(), wording.Path(dir)))})
	}
	return d, nil
}

// found reads the state of the run's folder.
func (r *Run) found() (f folder, err error) {
	t := readTimes(r.Dir)
	f = folder{Rules: r.Config.Rules, Engine: r.manifest.Engine, Program: r.manifest.Program, Tool: r.manifest.Tool, Begun: t.Begun, Finished: r.manifest.Finished()}
	took := map[string]float64{}
	for _, s := range t.Stages {
		took[s.Title] = s.Seconds
	}
	for _, s := range r.stages() {
		stage := folderStage{Title: s.title, Seconds: took[s.title]}
		if rec := r.manifest.stage(s.name); rec != nil {
			stage.Finished, stage.Files = true, slices.Sorted(maps.Keys(rec.Outputs))
			missing, changed, err := rec.compare(r.Dir)
			if err != nil {
				return f, err
			}
			f.Missing, f.Changed = append(f.Missing, missing...), append(f.Changed, changed...)
		}
		f.Stages = append(f.Stages, stage)
	}
	results, err := r.results()
	if err != nil {
		return f, err
	}
	for _, row := range results.Summary() {
		f.Results = append(f.Results, folderResult(row))
	}
	return f, nil
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
