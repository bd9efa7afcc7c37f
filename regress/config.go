package regress

import (
	"fmt"
	"slices"
	"strings"

	"kroo/internal/spec"
)

// Config says how weights are fitted.
type Config struct {
	Select    string  `name:"select" choices:"none backward least-weight" help:"none, backward (drops the least |t|) or least-weight"` // "" is none
	Beside    string  `name:"beside" choices:"none backward least-weight" help:"another selection, shown next to the first"`
	Tolerance float64 `name:"tolerance" range:"0..1" help:"R that the smaller set may lose against the full one, usually 0.004"`
	Ridge     float64 `name:"ridge" range:"0..1e12" help:"penalty of a weight, in rows that say it is 0"`
	// Subsets are feature sets that are fitted as they are, for comparison: all
	// their features must be among those of the rows.
	Subsets []string `name:"subsets" help:"feature sets that are fitted as they are, for comparison"`
	// Proven are other readings of the labels of proven results, of Readings: the
	// subsets are fitted to each as well, for comparison.
	Proven []string `name:"proven" help:"other readings of proven results that the subsets are fitted to as well: centre, wins-at-centre"`
}

// Check refuses settings that are out of range.
func (c Config) Check() error {
	for _, name := range c.Proven {
		if !slices.Contains(readings(), name) {
			return fmt.Errorf("unknown reading of proven results %q: expected %s", name, strings.Join(readings(), ", "))
		}
	}
	return spec.Check(&c)
}
