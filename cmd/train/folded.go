package main

import "strings"

// folded breaks the lines of a text between words, so that none has more characters than
// width; 0 is any number. What follows a break begins below the last column of its line,
// if it has several, and a word longer than a line stays whole.
func folded(text string, width int) string {
	if width < 1 {
		return text
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = foldedLine([]rune(line), width)
	}
	return strings.Join(lines, "\n")
}

func foldedLine(line []rune, width int) string {
	indent := strings.Repeat(" ", lastColumn(line, width/2))
	var b strings.Builder
	for len(line) > width {
		cut := width
		for cut > len(indent) && line[cut] != ' ' {
			cut--
		}
		if cut <= len(indent) {
			break
		}
		b.WriteString(string(line[:cut]) + "\n")
		line = []rune(indent + string(line[cut+1:]))
	}
	return b.String() + string(line)
}

// lastColumn is where the text behind the last gap of several blanks begins, if that is
// before end; 0 if there is none.
func lastColumn(line []rune, end int) (at int) {
	for i := 2; i < min(end, len(line)); i++ {
		if line[i] != ' ' && line[i-1] == ' ' && line[i-2] == ' ' {
			at = i
		}
	}
	return at
}
