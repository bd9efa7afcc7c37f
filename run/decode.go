package run

import (
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"

	"kroo/internal/oneline"
)

// The decoder keeps the whole path of every key: without these bounds a few kilobytes of
// nested tables take gigabytes. The number of bytes bounds that of the keys.
const (
	maxBytes = 128 << 10
	maxDepth = 6 // of brackets, and of the dots in a key
)

// decode reads a configuration without checking values.
func decode(text string) (*Config, error) {
	if len(text) > maxBytes {
		return nil, fmt.Errorf("%d bytes: expected a configuration of at most %d", len(text), maxBytes)
	}
	if err := checkDepth(text); err != nil {
		return nil, err
	}
	var c struct {
		Seed int64 `toml:"seed"` // hides the unsigned one, into which the decoder puts a negative number
		Config
	}
	meta, err := toml.Decode(text, &c)
	if err != nil {
		return nil, errors.New(oneline.Short(err.Error()))
	}
	if c.Seed < 0 {
		return nil, fmt.Errorf("seed is %d: expected 0 or more", c.Seed)
	}
	c.Config.Seed = uint64(c.Seed)
	if unknown := meta.Undecoded(); len(unknown) > 0 {
		return nil, fmt.Errorf("unknown setting %q: `train run --print-config` prints a configuration with every setting", oneline.Short(unknown[0].String()))
	}
	return &c.Config, nil
}

// quoted is a string or a comment, where brackets and dots are only text. It reads
// malformed strings differently from the decoder, which goes no further there.
var quoted = regexp.MustCompile(`(?s)"""(?:\\.|[^\\])*?"{3,}|'''.*?'{3,}|"(?:\\.|[^"\\\n])*"|'[^'\n]*'|#[^\r\n]*`)

// checkDepth refuses deep nesting before the decoder sees it.
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
		if max(brackets, dots) > maxDepth {
			return fmt.Errorf("line %d: nested too deep: expected at most %d levels", line, maxDepth)
		}
	}
	return nil
}
