package run

import (
	"fmt"
	"testing"

	"kroo/dropout"
	"kroo/internal/testkit"
)

// A book is counted from what its log held: nothing in a fresh run.
func TestABookIsCountedFromItsLogOn(t *testing.T) {
	for held, want := range map[int]string{0: "[0/9 1/9 2/9]", 4: "[4/9 5/9 6/9]"} {
		var told []string
		watch := afterLog(9, func(done, total int64, _ string) { told = append(told, fmt.Sprintf("%d/%d", done, total)) })
		for n := 1; n <= held; n++ {
			watch(dropout.Progress{Expanded: n})
		}
		watch(dropout.Progress{Expanded: held + 1, Searches: 6})
		watch(dropout.Progress{Expanded: held + 2, Searches: 12})
		testkit.Equal(t, fmt.Sprint(told), want, "%d of the log", held)
	}
}
