package client

import "strings"

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
