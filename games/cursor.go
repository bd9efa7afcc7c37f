package games

import (
	"fmt"
	"strings"
)

// cursor walks through the text of a file of records. It keeps the first error.
type cursor struct {
	file string // for errors
	text string
	at   int // the next byte
	err  error
	bad  int // where err is
}

// fail notes an error at a place of the text, unless there was one before.
func (c *cursor) fail(at int, format string, args ...any) {
	if c.err != nil {
		return
	}
	line := 1 + strings.Count(c.text[:at], "\n")
	column := at - strings.LastIndexByte(c.text[:at], '\n')
	c.bad = at
	c.err = fmt.Errorf("%s:%d:%d: %s", c.file, line, column, fmt.Sprintf(format, args...))
}

func isBlank(b byte) bool { return b <= ' ' }
func isDigit(b byte) bool { return b >= '0' && b <= '9' }

// peek is the next byte, or 0 at the end.
func (c *cursor) peek() byte {
	if c.at < len(c.text) {
		return c.text[c.at]
	}
	return 0
}

func (c *cursor) skipBlanks() {
	for c.at < len(c.text) && isBlank(c.text[c.at]) {
		c.at++
	}
}

// skipPast moves behind the next byte end. If there is none it moves to the end of the
// text, and fails with the words missing unless they are empty.
func (c *cursor) skipPast(end byte, missing string) {
	i := strings.IndexByte(c.text[c.at:], end)
	if i >= 0 {
		c.at += i + 1
		return
	}
	if missing != "" {
		c.fail(c.at, "%s", missing)
	}
	c.at = len(c.text)
}

// digits reads the digits that come next, none or more.
func (c *cursor) digits() string {
	begin := c.at
	for isDigit(c.peek()) {
		c.at++
	}
	return c.text[begin:c.at]
}
