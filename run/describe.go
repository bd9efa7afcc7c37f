package run

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"kroo/internal/oneline"
	"kroo/internal/sheet"
	"kroo/internal/stricttoml"
	"kroo/internal/vfs"
	"kroo/run/page"
)

// DescribeManifest describes the manifest of a run.
func DescribeManifest(path string) (*sheet.Sheet, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	s := &sheet.Sheet{Value: m, Title: fmt.Sprintf("a run by %s, engine %s", m.Tool, m.Engine)}
	if m.Program != "" {
		s.Line("searched by:", oneline.Short(m.Program))
	}
	s.Line()
	s.Line("stage", "file", "SHA-256")
	for _, stage := range m.Stages {
		for _, name := range slices.Sorted(maps.Keys(stage.Outputs)) {
			s.Line(stage.Name, name, fmt.Sprintf("%.16s…", stage.Outputs[name]))
		}
	}
	return s, nil
}

// DescribeConfig describes the configuration of a run.
func DescribeConfig(path string) (*sheet.Sheet, error) {
	text, err := stricttoml.ReadFile(path)
	if err != nil {
		return nil, err
	}
	c, err := ParseConfig(text, path)
	if err != nil {
		return nil, err
	}
	return &sheet.Sheet{Value: c, Title: fmt.Sprintf("configuration of a run under %s rules, seed %d", c.Rules, c.Seed), Rest: "\n" + string(text)}, nil
}

// DescribeTimes describes the file of how long the stages of a run took.
func DescribeTimes(path string) (*sheet.Sheet, error) {
	f, err := vfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t, err := parseTimes(f)
	if err != nil {
		return nil, fmt.Errorf("%s: not the times of a run: %s", path, oneline.Short(err.Error()))
	}
	table := page.TimesTable(t.Stages)
	s := &sheet.Sheet{Value: t, Title: "how long the stages of a run took, begun " + cmp.Or(t.Begun, "at an unknown time")}
	s.Line()
	s.Rest = sheet.Aligned(append([][]string{table.Header}, table.Rows...))
	return s, nil
}
