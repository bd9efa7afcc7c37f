package client

import (
	"cmp"
	"fmt"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/internal/checksum"
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
	// Options are set after the handshake, in order. Start returns an error for an option that the
	// program lacks.
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

// Identity is what the answers of a program depend on, as far as visible in its command. Files named
// by arguments or options are represented by their checksums, so that a program keeps its identity
// when moved, and an interpreter is identified by its script.
type Identity struct {
	Recorded  string   `json:"recorded"` // the command as given, for display
	SHA256    string   `json:"sha256"`   // of the executable
	Arguments []string `json:"arguments,omitempty"`
	Options   []string `json:"options,omitempty"` // NAME=VALUE
	Protocol  Protocol `json:"protocol,omitempty"`
	Dir       string   `json:"dir,omitempty"`
	Unit      float64  `json:"unit,omitempty"`
	Times     string   `json:"times,omitempty"` // to start and to answer, if given

	names []string // file names without folders
}

// Identity identifies the program of the command.
func (c Command) Identity() (i Identity, err error) {
	i = Identity{Recorded: strings.Join(c.Words(), " "), Protocol: c.Protocol, Dir: c.Dir, Unit: c.Unit}
	path, err := exec.LookPath(c.Path)
	if err != nil {
		return i, err
	}
	if i.SHA256, err = checksum.File(path); err != nil {
		return i, err
	}
	for _, file := range c.Files() {
		i.names = append(i.names, filepath.Base(file))
	}
	for _, word := range c.Args {
		if word, err = c.summed(word, c.runs(word)); err != nil {
			return i, err
		}
		i.Arguments = append(i.Arguments, word)
	}
	for _, o := range c.Options {
		value, err := c.summed(o.Value, "")
		if err != nil {
			return i, err
		}
		i.Options = append(i.Options, o.Name+"="+value)
	}
	if c.StartUp != 0 || c.Hang != 0 {
		i.Times = c.StartUp.String() + " " + c.Hang.String()
	}
	return i, nil
}

// String distinguishes programs whose answers may differ, regardless of their folders.
func (i Identity) String() string {
	text := ""
	if i.names != nil {
		text = fmt.Sprintf("%+q ", i.names)
	}
	text += fmt.Sprintf("%+q", slices.Concat(i.Arguments, i.Options))
	if i.Unit != 0 {
		text += fmt.Sprintf(", unit %g", i.Unit)
	}
	if i.Protocol != UCI {
		text += ", protocol " + string(i.Protocol)
	}
	if i.Dir != "" {
		text += fmt.Sprintf(", in %+q", i.Dir)
	}
	return text + ", SHA-256 " + i.SHA256
}

// Files returns the files that the command names: the executable, and those of arguments and
// options.
func (c Command) Files() []string {
	files := []string{c.Path}
	for _, word := range c.Words()[1:] {
		if name, _ := c.named(word); name != "" {
			files = append(files, c.inDir(name))
		}
	}
	return files
}

// named returns the file that a word names, as FILE or NAME=FILE, and the text before it; "" if it
// names no file.
func (c Command) named(word string) (file, before string) {
	name, value, both := strings.Cut(word, "=")
	if c.isFile(word) {
		return word, ""
	}
	if both && c.isFile(value) {
		return value, name + "="
	}
	return "", ""
}

func (c Command) isFile(name string) bool {
	at, err := vfs.Stat(c.inDir(name))
	return name != "" && err == nil && at.Mode().IsRegular()
}

// runs returns the program that an argument names if the command is one that runs another program
// (env, nice, taskset), looked up as in a shell; "" otherwise.
func (c Command) runs(word string) string {
	if strings.ContainsRune(c.Path, filepath.Separator) || strings.ContainsAny(word, string(filepath.Separator)+"=") {
		return ""
	}
	path, err := exec.LookPath(word)
	if err != nil {
		return ""
	}
	return path
}

// summed returns a word with the checksum of the file or program that it names instead of the name.
func (c Command) summed(word, program string) (string, error) {
	file, before := c.named(word)
	switch {
	case file != "":
		file = c.inDir(file)
	case program != "":
		file = program
	default:
		return word, nil
	}
	sum, err := checksum.File(file)
	return before + sum, err
}

// inDir returns a path as resolved by the program.
func (c Command) inDir(name string) string {
	if filepath.IsAbs(name) || c.Dir == "" {
		return name
	}
	return c.Dir + string(filepath.Separator) + name // not cleaned: LINK/.. is the parent of LINK's target
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

// Names lists the names of options, for display.
func Names(options []Spec) string {
	var names []string
	for _, o := range options {
		names = append(names, o.Name)
	}
	return strings.Join(names, ", ")
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
			return c, fmt.Errorf("%s: start-up %s, margin %s, longest search %s: expected 0 to %s each", c.Path, c.StartUp, c.Margin, c.Hang, longestWait)
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
