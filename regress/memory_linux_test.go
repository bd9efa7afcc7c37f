package regress

import (
	"fmt"
	"runtime"
	"slices"
	"testing"

	"kroo/datasets"
	"kroo/games/oware"
	"kroo/internal/testkit"
)

// What a fit is said to need is what it takes, within a factor of two.
func TestFeatureBytesAreThoseThatAFitTakes(t *testing.T) {
	const rows, features = 20_000, 40
	names := make([]string, features)
	for i := range names {
		names[i] = fmt.Sprint("f", i)
	}
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	var list []featureRow
	for range rows {
		list = append(list, featureRow{Own: make([]uint8, features), Opp: make([]uint8, features)})
	}
	grown := slices.Grow(slices.Clone(list), rows) // as append does
	x, err := matrix(oware.Descriptor(), list, datasets.Meta{Features: names}, names, "")
	testkit.NoError(t, err)
	part := columns(x.X, names, names)
	runtime.GC()
	runtime.ReadMemStats(&after)
	took, said := int64(after.HeapAlloc-before.HeapAlloc), featureBytes(rows, features)
	if said < took/2 || said > 2*took {
		t.Errorf("%d bytes are said to be needed, %d were taken", said, took)
	}
	runtime.KeepAlive([]any{list, grown, x, part})
}

func TestFeaturesThatFitIntoNoMemoryAreRefused(t *testing.T) {
	err := checkBytes(1<<40, featureBytes(1<<40, 12))
	testkit.Refused(t, err, "1099511627776 rows of features: that takes", "fit fewer rows")
}
