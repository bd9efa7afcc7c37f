package client

import (
	"slices"
	"strings"
)

// transcript keeps the last lines of the conversation with a program.
type transcript struct {
	last [8]string
	n    int // lines so far
}

// add takes a line from the program, or with a mark one to it.
func (t *transcript) add(mark, line string) {
	t.last[t.n%len(t.last)] = mark + line
	t.n++
}

// lines are the lines, the oldest first, each short and printable.
func (t *transcript) lines() (list []string) {
	for i := max(0, t.n-len(t.last)); i < t.n; i++ {
		list = append(list, strings.Trim(quoted(strings.TrimSpace(t.last[i%len(t.last)])), `"`))
	}
	return list
}

// lastWords are what a program that did not start has said, for the end of a message.
func (c *Client[P]) lastWords() string {
	said := slices.DeleteFunc(c.Transcript(), func(line string) bool { return strings.HasPrefix(line, "> ") })
	if len(said) == 0 {
		return ""
	}
	text := "; it said: " + strings.Join(said, " | ")
	if c.command.Protocol == UCI && slices.ContainsFunc(said, speaksXBoard) {
		text += "; does it speak xboard, not UCI?"
	}
	return text
}

// speaksXBoard reports whether a line is how programs of the xboard protocol, for whom uci is
// a move or a command, answer it.
func speaksXBoard(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc([]string{"unknown command", "illegal move", "invalid move", "bad move", "xboard", "feature "},
		func(sign string) bool { return strings.Contains(line, sign) })
}
