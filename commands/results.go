package commands

import (
	"bytes"
	"io"
	"unicode"
)

// results is the standard output of commands. It remembers the first failed write, on a full disk for
// example, since many callers ignore the error of a print: a command whose results are lost has
// failed. It replaces control characters, because names and tags come from files and a terminal
// would obey them.
type results struct {
	to  io.Writer
	err error
}

func (r *results) Write(b []byte) (int, error) {
	if err := r.write(harmless(b)); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (r *results) write(b []byte) error {
	_, err := r.to.Write(b)
	if err != nil && r.err == nil {
		r.err = err
	}
	return err
}

// drawing writes to the output behind a results without replacing control characters, for text that
// does not come from files.
type drawing struct{ to io.Writer }

func (d drawing) Write(b []byte) (int, error) {
	r, ok := d.to.(*results)
	if !ok {
		return d.to.Write(b)
	}
	if err := r.write(b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// harmless replaces control characters except line breaks and tabs by U+FFFD.
func harmless(text []byte) []byte {
	control := func(c rune) bool { return unicode.IsControl(c) && c != '\n' && c != '\t' }
	if bytes.IndexFunc(text, control) < 0 {
		return text
	}
	return bytes.Map(func(c rune) rune {
		if control(c) {
			return unicode.ReplacementChar
		}
		return c
	}, text)
}
