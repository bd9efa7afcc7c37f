package regress

import (
	"fmt"
	"slices"
	"strings"
)

// Config says how weights are fitted.
type Config struct {
	Select    string  `toml:"select"`           // one of Selections; "" is selectNone
	Beside    string  `toml:"beside,omitempty"` // another selection, shown beside the first
	Tolerance float64 `toml:"tolerance"`        // of R, for a selection; usually DefaultTolerance
	Ridge     float64 `toml:"ridge"`            // see Options
	// Subsets are feature sets that are fitted as they are, for comparison: all
	// their features must be among those of the rows.
	Subsets []string `toml:"subsets,omitempty"`
	// Proven are other readings of the labels of proven results, of Readings: the
	// subsets are fitted to each as well, for comparison.
	Proven []string `toml:"proven,omitempty"`
}

// Check refuses settings that are out of range.
func (c Config) Check() error {
	for _, name := range []string{c.Select, c.Beside} {
		if name != "" && !slices.Contains(Selections(), name) {
			return fmt.Errorf("unknown selection %q: expected %s", name, strings.Join(Selections(), ", "))
		}
	}
	for _, name := range c.Proven {
		if !slices.Contains(readings(), name) {
			return fmt.Errorf("unknown reading of proven results %q: expected %s", name, strings.Join(readings(), ", "))
		}
	}
	if !(c.Tolerance >= 0 && c.Tolerance <= 1) {
		return fmt.Errorf("tolerance is %g: expected 0 to 1", c.Tolerance)
	}
	if !(c.Ridge >= 0 && c.Ridge <= maxRidge) {
		return fmt.Errorf("ridge is %g: expected 0 to %g", c.Ridge, maxRidge)
	}
	return nil
}

// maxRidge leaves of every weight nothing.
const maxRidge = 1e12
