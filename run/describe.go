package run

import (
	"fmt"
	"maps"
	"slices"

	"kroo/internal/sheet"
)

// DescribeManifest describes the manifest of a run.
func DescribeManifest(path string) (*sheet.Sheet, error) {
	m, err := ReadManifest(path)
	if err != nil {
		return nil, err
	}
	s := &sheet.Sheet{Value: m, Title: fmt.Sprintf("a run by %s, engine %s", m.Tool, m.Engine)}
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
	text, err := ReadConfigFile(path)
	if err != nil {
		return nil, err
	}
	c, err := ParseConfig(text, path)
	if err != nil {
		return nil, err
	}
	return &sheet.Sheet{Value: c, Title: fmt.Sprintf("configuration of a run under %s rules, seed %d", c.Rules, c.Seed), Rest: "\n" + string(text)}, nil
}
