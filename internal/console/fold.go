package console

import (
	"cmp"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/term"

	"kroo/internal/outline"
)

// Width returns the width of the terminal on standard output, and [outline.Screen] without one.
func Width() int {
	columns, _, _ := term.GetSize(int(os.Stdout.Fd()))
	return cmp.Or(columns, outline.Screen)
}

// FoldCommand breaks a command line, as a shell reads it, if it is wider than the terminal that it is for.
func FoldCommand(line string, screen *os.File) string {
	columns, _, err := term.GetSize(int(screen.Fd()))
	if err != nil || columns == 0 {
		return line
	}
	return WrapCommands(line, columns)
}

// Wrap fits text, such as a command's help, into a width in columns. Paragraphs with a line that is too long are
// filled again; an indented line continues below the last column of its text.
func Wrap(text string, columns int) string {
	var out, paragraph []string
	flush := func() {
		out = append(out, fill(paragraph, columns)...)
		paragraph = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		if line != "" && line[0] != ' ' {
			paragraph = append(paragraph, line)
			continue
		}
		flush()
		out = append(out, Fold(line, columns, hangingIndent(line), "")...)
	}
	flush()
	return strings.Join(out, "\n")
}

// fill joins the lines of a paragraph and breaks them again if one of them is too long.
func fill(lines []string, columns int) []string {
	for _, line := range lines {
		if utf8.RuneCountInString(line) > columns {
			return Fold(strings.Join(lines, " "), columns, 0, "")
		}
	}
	return lines
}

// gap matches the blanks between two columns.
var gap = regexp.MustCompile(`\S {2,}`)

// hangingIndent returns where the lines continue that follow an indented line.
func hangingIndent(line string) int {
	indent := len(line) - len(strings.TrimLeft(line, " "))
	if at := gap.FindStringIndex(line); at != nil && at[1] < outline.Screen/2 {
		return at[1]
	}
	return indent
}

// words matches the words of a line with the blanks before them. A quote at the start of a word or after =
// keeps words together, one inside a word is an apostrophe.
var words = regexp.MustCompile(` *(?:(?:[^ ']*[=(])?'[^']*'[^ ]*|[^ ]+)`)

// Fold breaks a line at blanks. All lines but the last end with a suffix, such as a shell's backslash;
// the lines after the first are indented.
func Fold(line string, columns, indent int, suffix string) (lines []string) {
	if utf8.RuneCountInString(line) <= columns {
		return []string{line}
	}
	for _, word := range words.FindAllString(line, -1) {
		at := len(lines) - 1
		switch {
		case at < 0:
			lines = []string{word}
		case utf8.RuneCountInString(lines[at]+word+suffix) <= columns:
			lines[at] += word
		default:
			lines[at] += suffix
			lines = append(lines, strings.Repeat(" ", indent)+strings.TrimLeft(word, " "))
		}
	}
	return lines
}

// WrapCommands breaks command lines as a shell reads them.
func WrapCommands(text string, columns int) string {
	var out []string
	for line := range strings.SplitSeq(text, "\n") {
		out = append(out, Fold(line, columns, 6, ` \`)...)
	}
	return strings.Join(out, "\n")
}
