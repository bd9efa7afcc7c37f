package datasets

import (
	"fmt"
	"strings"

	"kroo/internal/plural"
	"kroo/internal/sheet"
)

// DescribeManifest describes a dataset by its manifest, without the dataset.
func DescribeManifest(path string) (*sheet.Sheet, error) {
	m, err := ReadManifest(strings.TrimSuffix(path, ManifestPath("")))
	if err != nil {
		return nil, err
	}
	s := &sheet.Sheet{Value: m, Title: fmt.Sprintf("manifest of %s: %s of %s of %s under %s rules, %d bytes",
		m.File, plural.Of(m.Rows, "row"), m.Meta.Kind, m.Meta.Game, m.Meta.Rules, m.Bytes)}
	if m.Adopted {
		s.Line("It was made after the file: nothing vouches for what made that.")
	}
	s.Line()
	for _, c := range m.Columns {
		s.Line(c.Name, c.Type, c.About)
	}
	for _, row := range m.DigestTable() {
		s.Line(row[0], row[1])
	}
	return s, nil
}
