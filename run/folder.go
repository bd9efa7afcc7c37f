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
	Rules    string        `json:"rules"`
	Engine   string        `json:"engine"`
	Program  string        `json:"program,omitempty"` // program that searches instead of the engine
	Tool     string        `json:"tool"`
	Begun    string        `json:"begun,omitempty"`
	Finished bool          `json:"finished"`
	Stages   []folderStage `json:"stages"`
	Missing  []string      `json:"missing,omitempty"` // missing outputs of finished stages
	Changed  []string      `json:"changed,omitempty"` // outputs changed since they were written
	Results  []doc.Fact    `json:"results,omitempty"` // results so far
}

type folderStage struct {
	Title    string   `json:"title"`
	Finished bool     `json:"finished"`
	Seconds  float64  `json:"seconds,omitempty"`
	Files    []string `json:"files,omitempty"`
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
	times, m, done := readTimes(dir), r.manifest, 0
	f := folder{Rules: r.Config.Rules, Engine: m.Engine, Program: m.Program, Tool: m.Tool, Begun: times.Begun, Finished: m.Finished(), Results: p.summary()}
	stages := doc.NewTable("stage", "seconds", "files")
	for _, s := range r.stages() {
		stage, seconds, what := folderStage{Title: s.title}, "", "to be done"
		if i := slices.IndexFunc(times.Stages, func(t stageTime) bool { return t.Title == s.title }); i >= 0 {
			stage.Seconds = times.Stages[i].Seconds
			seconds = report.Number(stage.Seconds, 1)
		}
		if rec := m.stage(s.name); rec != nil {
			done++
			stage.Finished, stage.Files = true, slices.Sorted(maps.Keys(rec.Outputs))
			what = strings.Join(short(stage.Files), ", ")
			missing, changed, err := rec.compare(dir)
			if err != nil {
				return nil, err
			}
			f.Missing, f.Changed = append(f.Missing, missing...), append(f.Changed, changed...)
		}
		stages.Add(s.title, seconds, what)
		f.Stages = append(f.Stages, stage)
	}
	d := &doc.Doc{
		Value: f, Title: fmt.Sprintf("run under %s rules, engine %s, %d of %s finished", f.Rules, f.Engine, done, wording.Count(len(f.Stages), "stage")),
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
