package doc

import (
	"fmt"
	"strings"
)

// longestBar is how many characters the longest bar of a table takes at most.
const longestBar = 30

// bar is a bar for n where most has one of width characters.
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

// Table has a row for each bin, those without rows at either end left out; per is the unit in
// which their edges are written.
func (all Bins) Table(what string, per float64, rows int) *Table {
	t := NewTable(what, "rows", "share")
	for _, b := range all.Trimmed() {
		t.Add(fmt.Sprintf("%+.1f to %+.1f", b.From/per, b.To/per), b.Rows, Percent(b.Rows, rows))
		t.Bars = append(t.Bars, b.Rows)
	}
	return t
}

// Percent is a share.
func Percent(n, of int) string { return fmt.Sprintf("%.1f %%", 100*float64(n)/float64(of)) }

// Trimmed are the bins from the first that has rows to the last.
func (all Bins) Trimmed() Bins {
	for len(all) > 0 && all[0].Rows == 0 {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1].Rows == 0 {
		all = all[:len(all)-1]
	}
	return all
}
