package strict

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"kroo/internal/vfs"
	"kroo/internal/wording"
)

// The decoder keeps the whole path of every key: without these limits, a few kilobytes of nested
// tables would take gigabytes. The size limits the number of keys.
const (
	longestTOML = 128 << 10
	deepestTOML = 6 // brackets, and dots in a key
)

// ReadFile returns the text of a configuration file. It refuses oversized files.
func ReadFile(path string) (string, error) {
	info, err := vfs.Stat(path)
	if err != nil {
		return "", fmt.Errorf("cannot read configuration: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > longestTOML {
		return "", fmt.Errorf("%s: not a configuration: expected a text file of at most %d bytes", path, longestTOML)
	}
	text, err := vfs.ReadFile(path)
	return string(text), err
}

// Table decodes a text. Errors are one line.
func Table(text string) (table map[string]any, err error) {
	if len(text) > longestTOML {
		return nil, fmt.Errorf("%d bytes: expected a configuration of at most %d", len(text), longestTOML)
	}
	if err := checkDepth(text); err != nil {
		return nil, err
	}
	if _, err = toml.Decode(text, &table); err != nil {
		return nil, errors.New(wording.Short(err.Error()))
	}
	return table, nil
}

// quoted matches strings and comments, in which brackets and dots have no meaning. It reads
// malformed strings differently from the decoder, which stops there.
var quoted = regexp.MustCompile(`(?s)"""(?:\\.|[^\\])*?"{3,}|'''.*?'{3,}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\r\n]*`)

// checkDepth returns an error for deep nesting, before the decoder reads the text.
func checkDepth(text string) error {
	text = quoted.ReplaceAllStringFunc(text, func(s string) string { return strings.Repeat("\n", strings.Count(s, "\n")) })
	line, brackets, dots := 1, 0, 0
	for _, r := range text {
		switch r {
		case '\n':
			line, dots = line+1, 0
		case '=', ',':
			dots = 0
		case '.':
			dots++
		case '[', '{':
			brackets++
		case ']', '}':
			brackets--
		}
		if max(brackets, dots) > deepestTOML {
			return fmt.Errorf("line %d: nested too deep: expected at most %d levels", line, deepestTOML)
		}
	}
	return nil
}
