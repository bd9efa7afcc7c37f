package doc

import (
	"fmt"
	"strings"
)

// longestBar is the greatest length of a table's bars, in characters.
const longestBar = 30

// bar returns a bar for n, scaled so that most is width characters long.
func bar(n, most, width int) string {
	if n == 0 || most == 0 || width < 1 {
		return ""
	}
	const parts = " ▏▎▍▌▋▊▉█"
	eighths := max(1, n*width*8/most)
	text := strings.Repeat("█", eighths/8)
	if rest := eighths % 8; rest > 0 {
		text += string([]rune(parts)[rest])
	}
	return text
}

// Percent formats n as a percentage of the total.
func Percent(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of)) }

// Trimmed returns the bins without empty ones at either end.
func (all Bins) Trimmed() Bins {
	for len(all) > 0 && all[0].Rows == 0 {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1].Rows == 0 {
		all = all[:len(all)-1]
	}
	return all
}
