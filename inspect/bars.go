package inspect

import (
	"fmt"
	"strings"
)

// longestBar is how many characters the longest bar of a histogram takes at most.
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

// histogramText draws bins for a terminal, those without rows at either end left out.
func histogramText(what string, all []Bin, rows int) string {
	table := [][]string{{what, "share", ""}}
	for _, b := range trimmed(all) {
		table = append(table, []string{fmt.Sprintf("%+.0f to %+.0f", b.From, b.To), percent(b.Rows, rows), bar(b.Rows, mostRows(all), longestBar)})
	}
	return aligned(table)
}

// trimmed are the bins from the first that has rows to the last.
func trimmed(all []Bin) []Bin {
	for len(all) > 0 && all[0].Rows == 0 {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1].Rows == 0 {
		all = all[:len(all)-1]
	}
	return all
}

func mostRows(all []Bin) (most int) {
	for _, b := range all {
		most = max(most, b.Rows)
	}
	return most
}
