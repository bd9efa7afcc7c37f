package regress

import (
	"fmt"

	"kroo/datasets"
	"kroo/internal/memory"
)

// checkFeatures refuses datasets of features whose rows and matrices do not fit into
// memory. paths may be empty.
func checkFeatures(paths ...string) error {
	rows, bytes := int64(0), int64(0)
	for _, path := range paths {
		if path == "" {
			continue
		}
		m, err := datasets.ReadManifest(path)
		if err != nil {
			return err
		}
		rows += m.Rows
		bytes += featureBytes(m.Rows, len(m.Meta.Features)+4*len(m.Meta.Columns))
	}
	return checkBytes(rows, bytes)
}

func checkBytes(rows, bytes int64) error {
	if err := memory.Check(fmt.Sprintf("%d rows of features", rows), bytes); err != nil {
		return fmt.Errorf("%w: fit fewer rows or a smaller set, or fit labels with a set of patterns, which streams", err)
	}
	return nil
}

// featureBytes is what a fit of so many rows and features needs: the rows, in a slice that
// grows and so is there twice, the matrix, the part of it that selection copies, and the sums
// of each cluster.
func featureBytes(rows int64, features int) int64 {
	const row = 2 * 168 // a datasets.FeatureRow of chess, the largest, twice
	values := int64(features)
	return rows * (row + 2*values + 3*8*values + 2*8)
}
