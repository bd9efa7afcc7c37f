// Package console is how commands write to a terminal or to a file in its place: progress ([Meter]), text
// of foreign files without control characters ([Writer]), and lines that fit the width ([Wrap]).
package console

import (
	"bytes"
	"cmp"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"unicode"

	"golang.org/x/term"
)

// Writer is the standard output of commands. It remembers the first failed write, on a full disk for
// example, since many callers ignore the error of a print: a command whose results are lost has
// failed. It replaces control characters, because names and tags come from files and a terminal
// would obey them.
type Writer struct {
	to  io.Writer
	err error
}

// NewWriter returns a Writer to a file or a terminal.
func NewWriter(to io.Writer) *Writer { return &Writer{to: to} }

// Err returns the error of the first failed write, if any.
func (w *Writer) Err() error { return w.err }

// isASCII reports whether the user's locale is C, whose terminals show no UTF-8.
func isASCII() bool {
	return slices.Contains([]string{"C", "POSIX"}, cmp.Or(os.Getenv("LC_ALL"), os.Getenv("LC_CTYPE"), os.Getenv("LANG")))
}

// toASCII replaces the signs that Kroo writes; letters of names stay as they are.
var toASCII = strings.NewReplacer(
	"…", "...", "–", "-", "—", "-", "−", "-", "·", "-", "\u00a0", " ", // punctuation
	"’", "'", "“", `"`, "”", `"`,
	"±", "+/-", "×", "x", "½", ".5", "≤", "<=", "≥", ">=", "≠", "!=", // mathematics
	"√", "sqrt", "²", "^2", "Δ", "D", "ω", "omega", "µ", "u", "→", "->",
	"█", "#", "▉", "#", "▊", "#", "▋", "#", "▌", "#", "▍", ".", "▎", ".", "▏", ".", // bars
	"├", "|", "└", "`", "─", "-", "│", "|", // trees
)

func (w *Writer) Write(b []byte) (int, error) {
	text := harmless(b)
	if isASCII() {
		text = []byte(toASCII.Replace(string(text)))
	}
	if err := w.write(text); err != nil {
		return 0, err
	}
	return len(b), nil
}

func (w *Writer) write(b []byte) error {
	_, err := w.to.Write(b)
	if err != nil && w.err == nil {
		w.err = err
	}
	return err
}

// Drawing returns a writer to the output of a [Writer] that replaces no control characters, for text
// that does not come from files.
func Drawing(to io.Writer) io.Writer { return drawing{to} }

type drawing struct{ to io.Writer }

func (d drawing) Write(b []byte) (int, error) {
	w, ok := d.to.(*Writer)
	if !ok {
		return d.to.Write(b)
	}
	if err := w.write(b); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Exact returns a writer of JSON to the output of a [Writer], as it is, whatever the locale.
func Exact(to io.Writer) io.Writer { return exact{to} }

type exact struct{ to io.Writer }

func (e exact) Write(b []byte) (int, error) { return drawing(e).Write(harmless(b)) }

// Warn prints a line on standard error, above the progress bar.
func Warn(text string) {
	printAboveBar(NewWriter(os.Stderr), text, term.IsTerminal(int(os.Stderr.Fd())))
}

// printAboveBar prints a line. On a terminal it clears the progress bar, which is drawn again below.
func printAboveBar(out io.Writer, text string, terminal bool) {
	if terminal {
		fmt.Fprint(Drawing(out), "\r\x1b[K")
	}
	fmt.Fprintln(out, text)
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
