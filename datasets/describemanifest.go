package datasets

import (
	"fmt"
	"strings"

	"kroo/internal/doc"
	"kroo/internal/wording"
)

// DescribeManifest describes a dataset by its manifest, without the dataset.
func DescribeManifest(path string) (*doc.Doc, error) {
	m, err := ReadManifest(strings.TrimSuffix(path, ManifestPath("")))
	if err != nil {
		return nil, err
	}
	s := &doc.Doc{Value: m, Title: fmt.Sprintf("manifest of %s: %s of %s of %s under %s rules, %d bytes",
		m.File, wording.Count(m.Rows, "row"), m.Meta.Kind, m.Meta.Game, m.Meta.Rules, m.Bytes)}
	if m.Adopted {
		s.Lead = []string{"It was made after the file: nothing vouches for what made that."}
	}
	if m.Columns != nil {
		s.Add(doc.Section{Table: doc.TableOf([]string{"column", "type", "holds"}, m.Columns, func(c Column) []any { return []any{c.Name, c.Type, c.About} })})
	}
	if t := m.DigestTable(); t != nil {
		s.Add(doc.Section{Table: t})
	}
	return s, nil
}
