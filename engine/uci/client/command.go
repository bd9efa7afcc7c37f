package client

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/internal/vfs"
)

// Command describes how to run a program, and its time limits. The zero value of every field except
// Path means a default.
type Command struct {
	// Path is the program, looked up as in a shell; Args are its arguments.
	Path string
	Args []string
	// Protocol is the program's protocol, [UCI] by default.
	Protocol Protocol
	// Dir is the program's working folder, the current one by default. It does not affect the
	// look-up of Path.
	Dir string
	// Options are set after the handshake, in order. [Client.Run] returns an error for an option that
	// the program lacks.
	Options []Option
	// StartUp is the time limit for the answers to uci and isready, and for ending after the end of
	// input: 10 s by default.
	StartUp time.Duration
	// Margin is how far an answer may exceed the time of a move: 0 by default.
	Margin time.Duration
	// Hang is the time limit of a search that is not limited by time: 60 s by default.
	Hang time.Duration
	// Unit is the number of the program's centipawns (cp) per unit of the game, such as a seed:
	// defaultUnit by default.
	Unit float64
	// Watch is informed of every search of the program; may be nil.
	Watch *LimitWatch `json:"-"`

	grace time.Duration // shorter in tests
}

// defaultUnit is the number of cp per unit of the game: a cp is a hundredth.
const defaultUnit = 100

// Words returns the program, its arguments, and its options as NAME=VALUE.
func (c Command) Words() []string {
	words := append([]string{c.Path}, c.Args...)
	for _, o := range c.Options {
		words = append(words, o.Name+"="+o.Value)
	}
	return words
}

// Option is an option's name and its value, "" for a button.
type Option struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

func (o Option) check() error {
	if o.Name == "" || !isLine(o.Name) || !isLine(o.Value) {
		return fmt.Errorf("option %q = %q: expected a name and a value of one line", o.Name, o.Value)
	}
	return nil
}

// Spec is an option as announced by a program. Min and Max are 0 if not announced.
type Spec struct {
	Name    string `json:"name"`
	Kind    string `json:"kind"`
	Default string `json:"default,omitempty"`
	Min     int    `json:"min,omitempty"`
	Max     int    `json:"max,omitempty"`
	Values  string `json:"values,omitempty"` // of a combo, separated by tabs
}

// expects describes the values that a plain option takes.
func (s Spec) expects() string {
	switch {
	case s.Kind == "check":
		return "true or false"
	case s.Kind == "combo":
		return "one of " + strings.ReplaceAll(s.Values, "\t", ", ")
	case s.Kind == "spin" && s.Min < s.Max:
		return fmt.Sprintf("a whole number, %d to %d", s.Min, s.Max)
	}
	return "a number"
}

// inRange reports whether an option accepts a value by its announced range: programs ignore other
// values silently.
func (s Spec) inRange(value string) bool {
	if s.Kind != "spin" || s.Min >= s.Max {
		return true
	}
	n, err := strconv.Atoi(value)
	return err == nil && n >= s.Min && n <= s.Max
}

// Names returns the names of options.
func Names(options []Spec) (names []string) {
	for _, o := range options {
		names = append(names, o.Name)
	}
	return names
}

// parseSpec parses the text after "option name". It ignores what it cannot parse.
func parseSpec(text string) (s Spec) {
	name, rest, _ := strings.Cut(text, " type ")
	s.Name = strings.TrimSpace(name)
	words := strings.Fields(rest)
	if len(words) > 0 {
		s.Kind, words = words[0], words[1:]
	}
	var values []string
	for len(words) > 0 {
		n := 1
		for n < len(words) && !slices.Contains(specWords, words[n]) {
			n++
		}
		value := strings.Join(words[1:n], " ")
		switch words[0] {
		case "default":
			s.Default = value
		case "min":
			s.Min, _ = strconv.Atoi(value)
		case "max":
			s.Max, _ = strconv.Atoi(value)
		case "var":
			values = append(values, value)
		}
		words = words[n:]
	}
	s.Values = strings.Join(values, "\t")
	return s
}

// specWords start the attributes of an option.
var specWords = []string{"default", "min", "max", "var"}

const (
	defaultStartUp = 10 * time.Second
	defaultHang    = time.Minute
)

// withDefaults fills in defaults, and makes a relative path of the program absolute, since the
// program may run in another folder.
func (c Command) withDefaults() (Command, error) {
	c.StartUp = cmp.Or(c.StartUp, defaultStartUp)
	c.Hang = cmp.Or(c.Hang, defaultHang)
	if c.Path == "" {
		return c, fmt.Errorf("no program given")
	}
	for _, d := range []time.Duration{c.StartUp, c.Margin, c.Hang} {
		if d < 0 || d > longestWait {
			return c, fmt.Errorf("%s: start-up %s, margin %s, longest search %s: expected 0 to %s each",
				c.Path, c.StartUp, c.Margin, c.Hang, longestWait)
		}
	}
	if !(c.Unit >= 0 && c.Unit <= maxUnit) {
		return c, fmt.Errorf("%s: unit %g: expected more than 0 and at most %g", c.Path, c.Unit, maxUnit)
	}
	for _, o := range c.Options {
		if err := o.check(); err != nil {
			return c, fmt.Errorf("%s: %w", c.Path, err)
		}
	}
	if strings.ContainsRune(c.Path, filepath.Separator) {
		path, err := vfs.Abs(c.Path)
		if err != nil {
			return c, err
		}
		c.Path = path
	}
	return c, nil
}

// maxUnit bounds [Command.Unit].
const maxUnit = 1e6

// longestWait bounds the times of a Command, to catch typing errors.
const longestWait = 24 * time.Hour

func isLine(s string) bool { return !strings.ContainsAny(s, "\n\r\x00") }

// Protocol is the protocol of a program.
type Protocol string

// [CG] has no options, names or scores, and no command for a new game: a process plays one game.
const (
	UCI Protocol = ""   // see package uci
	CG  Protocol = "cg" // CodinGame's arena: see [Client.house]
)

// Check returns an error for options and games that the protocol cannot express.
func (p Protocol) Check(options []Option, game, rules string) error {
	switch {
	case p == UCI:
		return nil
	case len(options) > 0:
		return fmt.Errorf("protocol=%s has no options: expected no option.NAME", p)
	case game != "oware" || rules != "arena" && rules != "abapa":
		return fmt.Errorf("protocol=%s plays oware by the rules arena or abapa: expected these, not %s %s", p, game, rules)
	}
	return nil
}
