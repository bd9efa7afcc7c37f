package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kroo/internal/doc"
	"kroo/internal/strict"
	"kroo/internal/vfs"
	"kroo/internal/wording"
	"kroo/run/page"
)

// DescribeManifest describes the manifest of a run.
func DescribeManifest(path string) (*doc.Doc, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	s := &doc.Doc{Value: m, Title: fmt.Sprintf("a run by %s, engine %s", m.Tool, m.Engine)}
	s.Facts = doc.Facts("searched by", wording.Short(m.Program))
	files := doc.NewTable("stage", "file", "SHA-256")
	for _, stage := range m.Stages {
		for _, name := range slices.Sorted(maps.Keys(stage.Outputs)) {
			files.Add(stage.Name, name, fmt.Sprintf("%.16s…", stage.Outputs[name]))
		}
	}
	s.Add(doc.Section{Table: files})
	return s, nil
}

// DescribeConfig describes the configuration of a run.
func DescribeConfig(path string) (*doc.Doc, error) {
	text, err := strict.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c, err := parseOwn(text, path)
	if err != nil {
		return nil, err
	}
	return &doc.Doc{Value: c, Title: fmt.Sprintf("configuration of a run under %s rules, seed %d", c.Rules, c.Seed), Sections: []doc.Section{{Plain: text}}}, nil
}

// DescribeTimes describes a file of the times of a run's stages.
func DescribeTimes(path string) (*doc.Doc, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := parseTimes(f)
	if err != nil {
		return nil, fmt.Errorf("%s: not the times of a run: %s", path, wording.Short(err.Error()))
	}
	return &doc.Doc{
		Value: t, Title: "how long the stages of a run took, begun " + cmp.Or(t.Begun, "at an unknown time"),
		Sections: []doc.Section{{Table: page.TimesTable(t.Stages)}},
	}, nil
}
