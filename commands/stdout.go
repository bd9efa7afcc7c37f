package commands

import (
	"bytes"
	"cmp"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"
)

// safeWriter is the standard output of commands. It remembers the first failed write, on a full disk for
// example, since many callers ignore the error of a print: a command whose results are lost has
// failed. It replaces control characters, because names and tags come from files and a terminal
// would obey them.
type safeWriter struct {
	to  io.Writer
	err error
}

// isASCII reports whether the user's locale is C, whose terminals show no UTF-8.
func isASCII() bool {
	return slices.Contains([]string{"C", "POSIX"}, cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")))
}

// toASCII replaces the signs that Kroo writes; letters of names stay as they are.
var toASCII = strings.NewReplacer("…", "...", "–", "-", "—", "-", "−", "-", "±", "+/-", "×", "x", "½", ".5", "≤", "<=",
	"≥", ">=",
	"≠", "!=", "→", "->", "·", "-", "Δ", "D", "ω", "omega", "\u00a0", " ", "’", "'", "“", `"`, "”", `"`,
	"█", "#", "▉", "#", "▊", "#", "▋", "#", "▌", "#", "▍", ".", "▎", ".", "▏", ".", "├", "|", "└", "`", "─", "-", "│", "|", "√", "sqrt", "²", "^2", "µ", "u")

func (w *safeWriter) Write(b []byte) (int, error) {
	text := harmless(b)
	if isASCII() {
		text = []byte(toASCII.Replace(string(text)))
	}
	if err := w.write(text); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (w *safeWriter) write(b []byte) error {
	_, err := w.to.Write(b)
	if err != nil && w.err == nil {
		w.err = err
	}
	return err
}

// drawing writes to the output of a safeWriter without replacing control characters, for text that
// does not come from files.
type drawing struct{ to io.Writer }

func (d drawing) Write(b []byte) (int, error) {
	w, ok := d.to.(*safeWriter)
	if !ok {
		return d.to.Write(b)
	}
	if err := w.write(b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// exact writes JSON to the output as it is, whatever the locale.
type exact struct{ to io.Writer }

func (e exact) Write(b []byte) (int, error) {
	return drawing(e).Write(harmless(b))
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
