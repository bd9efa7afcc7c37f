package regress

import (
	"fmt"
	"slices"
	"strings"
)

// Config says how weights are fitted.
type Config struct {
	Select    string  `toml:"select"`           // none, backward or least-weight
	Beside    string  `toml:"beside,omitempty"` // another selection, shown beside the first
	Tolerance float64 `toml:"tolerance"`        // of R, for a selection
	Ridge     float64 `toml:"ridge"`
	// Subsets are feature sets that are fitted as they are, for comparison: all
	// their features must be among those of the rows.
	Subsets []string `toml:"subsets,omitempty"`
	// Proven are other readings of the labels of proven results, of Readings: the
	// subsets are fitted to each as well, for comparison.
	Proven []string `toml:"proven,omitempty"`
}

// CheckSelection refuses a selection that there is not.
func CheckSelection(name string) error {
	if name != "" && !slices.Contains(Selections(), name) {
		return fmt.Errorf("unknown selection %q: expected %s", name, strings.Join(Selections(), ", "))
	}
	return nil
}
