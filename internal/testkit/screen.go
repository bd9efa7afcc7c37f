package testkit

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Screen returns the lines that a terminal of the given width shows, and how often it wrapped. It obeys the
// control characters and escape sequences of a progress bar.
func Screen(text string, columns int) (lines []string, wraps int) {
	s := &screen{columns: columns, rows: [][]rune{nil}}
	for _, token := range tokens.FindAllString(text, -1) {
		s.show(token)
	}
	for _, r := range s.rows {
		if line := strings.TrimRight(string(r), " "); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, s.wraps
}

// tokens matches an escape sequence or a character.
var tokens = regexp.MustCompile(`\x1b\[[?\d]*[a-zA-Z]|(?s:.)`)

// screen is a terminal with any number of rows.
type screen struct {
	columns int
	rows    [][]rune
	row     int // of the cursor
	column  int
	wraps   int
}

// show obeys an escape sequence, or writes a character.
func (s *screen) show(token string) {
	switch {
	case token == "\r":
		s.column = 0
	case token == "\n":
		s.moveTo(s.row + 1)
	case token == "\x1b[K": // clears the rest of the line
		s.clearRest()
	case token == "\x1b[J": // and all lines below it
		s.clearRest()
		s.rows = s.rows[:s.row+1]
	case strings.HasPrefix(token, "\x1b[") && strings.HasSuffix(token, "F"):
		up, _ := strconv.Atoi(token[2 : len(token)-1])
		s.moveTo(max(s.row-up, 0))
	case strings.HasPrefix(token, "\x1b"):
	default:
		s.write(token)
	}
}

// moveTo moves the cursor to the start of a row.
func (s *screen) moveTo(row int) {
	s.row = row
	s.column = 0
	for len(s.rows) <= row {
		s.rows = append(s.rows, nil)
	}
}

func (s *screen) clearRest() {
	line := s.rows[s.row]
	s.rows[s.row] = line[:min(s.column, len(line))]
}

// write writes a character at the cursor, in a new row if there is no room.
func (s *screen) write(character string) {
	if s.column == s.columns {
		s.moveTo(s.row + 1)
		s.wraps++
	}
	line := s.rows[s.row]
	rest := line[min(s.column+1, len(line)):]
	s.rows[s.row] = slices.Concat(line[:s.column], []rune(character), rest)
	s.column++
}
