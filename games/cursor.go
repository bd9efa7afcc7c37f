package games

import (
	"fmt"
	"strings"
)

// cursor walks through the text of a file of records. The first error stays.
type cursor struct {
	file string // for errors
	text string
	at   int // the next byte
	err  error
}

// fail notes an error at a place of the text, unless there was one before.
func (c *cursor) fail(at int, format string, args ...any) {
	if c.err != nil {
		return
	}
	line := 1 + strings.Count(c.text[:at], "\n")
	column := at - strings.LastIndexByte(c.text[:at], '\n')
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

// skipPast moves behind the next end byte. If there is none it says what is
// missing and where that began, or, at the end of the last line, does not mind.
func (c *cursor) skipPast(end byte, missing string) {
	i := strings.IndexByte(c.text[c.at:], end)
	switch {
	case i >= 0:
		c.at += i + 1
	case missing != "":
		c.fail(c.at, "%s", missing)
		c.at = len(c.text)
	default:
		c.at = len(c.text)
	}
}

// digits reads the digits at hand.
func (c *cursor) digits() string {
	begin := c.at
	for isDigit(c.peek()) {
		c.at++
	}
	return c.text[begin:c.at]
}
