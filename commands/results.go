package commands

import (
	"bytes"
	"io"
	"unicode"
)

// results is where commands print what they have found. It remembers the first write
// that failed, on a full disk for example: many prints do not look at their error, and
// a command whose results are lost has failed. It lets no control characters pass:
// names and tags come from files, and a terminal would obey them.
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

// drawing writes to the same place as another writer and lets control characters pass:
// for what the program draws itself, without text from files.
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

// harmless is text in which control characters, but for line breaks and tabs, are
// replaced by U+FFFD.
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
