package engine

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"

	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/internal/memory"
	"kroo/internal/spec"
)

// Spec describes a player or searcher: the engine with its settings, or another program. In a match, missing settings default to the match's.
type Spec struct {
	Name    string         `json:"name,omitempty" name:"name"`       // in records; "" derives it from the rest
	Weights string         `json:"weights,omitempty" name:"weights"` // file, or the name of an evaluation; "" means the game's default
	Book    string         `json:"book,omitempty" name:"book"`       // file or DefaultName; "" and NoBook mean no book
	OwnBook bool           `json:"own_book,omitempty"`               // Book "" means the built-in one, if it serves the rules
	Policy  BookPolicy     `json:"policy" name:"."`                  // which moves of the book are played
	Search  Config         `json:"search" name:"."`
	Clock   TimeControl    `json:"clock,omitzero" name:"tc"`   // for time odds in a match
	Vary    *Vary          `json:"vary,omitempty" name:"vary"` // nil plays the best moves
	Program client.Command `json:"program"`                    // another program instead of the engine's search, if its Path is not ""
}

// SpecHelp is the syntax of players, for the help of commands.
const SpecHelp = `A player is the name of an evaluation ("captures"), a weights file, or
KEY=VALUE,KEY=VALUE… with the keys
  weights, book          files to play with; default means the program's own
  book_loss              most seeds that a book move may lose to the best (0)
  book_variety           how a move within book_loss is drawn: even; weighted,
                         better moves more often; guarded, even but no move
                         that gives up a draw
  nodes, depth, movetime limits, instead of those of the match
  hash, threads          hash table in MiB, threads of the search
  full_width             true: search every move to the same depth
  step                   plies from one iteration to the next: with 2 the
                         depths are 1, 3, 5 … (1)
  tables                 endgame tables: a file, a folder or none (default the
                         program's own)
  tc                     clock, such as 10+0.1 or 40/10+0.1: time odds
  vary                   on, or WITHIN:PLIES: play differently in every game,
                         with 0.5 to 1.5 times the nodes or time per move, and
                         in the first 12 plies with any move within 40
                         hundredths of a seed (or of the game's unit) of the
                         best
  name                   name of the player in records
  cmd                    another program that speaks UCI, with its arguments
  protocol               cg for a bot of the CodinGame arena: one process per
                         game, 1s for its first move, then movetime= (50ms); it
                         receives the houses only
  dir                    working folder of the program
  option.NAME            an option of the program
  startup, timeout       time for the program to start (10s), and for a move
                         without a time limit (1m)
  unit                   how many of its cp are one seed, or the game's unit
                         (100)
Write a comma in a value as \,, and quote cmd as in a shell.`

// description is a [Spec] as a user writes it.
type description struct {
	Spec     `name:"."`
	Command  string          `name:"cmd"`
	Protocol client.Protocol `name:"protocol" choices:"uci cg"`
	Dir      string          `name:"dir"`
	StartUp  Duration        `name:"startup"`
	Timeout  Duration        `name:"timeout"`
	Unit     float64         `name:"unit" range:"0.001..1000000"`
}

// ParseSpec parses a description in the syntax of [SpecHelp].
func ParseSpec(text string) (s Spec, err error) {
	s, err = readSpec(text)
	if err == nil {
		err = s.checkCombination()
	}
	if err != nil {
		err = fmt.Errorf("player %q: %w", text, err)
	}
	return s, err
}

func readSpec(text string) (Spec, error) {
	var d description
	if !strings.Contains(text, "=") {
		d.Weights = text
		if text == "" {
			return d.Spec, errors.New("no player: expected captures, a weights file or KEY=VALUE,…")
		}
		return d.Spec, nil
	}
	seen := map[string]bool{}
	const comma = "\x00" // stands for \, which does not separate
	for part := range strings.SplitSeq(strings.ReplaceAll(text, `\,`, comma), ",") {
		part = strings.ReplaceAll(part, comma, ",")
		key, value, both := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		switch {
		case key == "":
			return d.Spec, fmt.Errorf("%q: expected KEY=VALUE", part)
		case !both && len(seen) == 0:
			return d.Spec, fmt.Errorf("%q: expected KEY=VALUE: did you mean weights=%s?", part, text)
		case !both:
			return d.Spec, fmt.Errorf(`%q: expected KEY=VALUE; write a comma in a value as \,`, part)
		case seen[key]:
			return d.Spec, fmt.Errorf("%s appears twice: expected each key once", key)
		}
		seen[key] = true
		if name, isOption := strings.CutPrefix(key, "option."); isOption {
			d.Program.Options = append(d.Program.Options, client.Option{Name: name, Value: value})
		} else if err := spec.Set(&d, key, value); err != nil {
			return d.Spec, fmt.Errorf("%s: %w%s", key, err, d.asOption(err))
		}
	}
	return d.spec()
}

// asOption adds to the error for an unknown key of a program how its options are written.
func (d *description) asOption(err error) string {
	unknown, ok := errors.AsType[*spec.UnknownError](err)
	if !ok || d.Command == "" {
		return ""
	}
	return fmt.Sprintf("; an option of the program is option.%s=VALUE", unknown.Key)
}

// spec returns the Spec with the program of the description.
func (d *description) spec() (Spec, error) {
	p := &d.Program
	p.Dir = d.Dir
	p.StartUp = d.StartUp.Duration
	p.Hang = d.Timeout.Duration
	p.Unit = d.Unit
	if d.Protocol == client.CG {
		p.Protocol = d.Protocol
	}
	if d.Command != "" {
		words, err := shellquote.Split(d.Command)
		if err != nil || len(words) == 0 {
			return d.Spec, fmt.Errorf("cmd: %w", cmp.Or(err, errors.New("expected a program")))
		}
		p.Path, p.Args = words[0], words[1:]
	}
	return d.Spec, nil
}

// ParseProgram parses the description of another program that searches for a command with the
// command's limits: cmd=PROGRAM….
func ParseProgram(text string) (client.Command, error) {
	s, err := ParseSpec(text)
	switch {
	case err != nil:
	case s.Program.Path == "":
		err = MissingProgram(text)
	case s.Program.Protocol != client.UCI:
		err = fmt.Errorf("%q: a program of protocol=%s reports moves without scores: expected one that speaks UCI",
			text, s.Program.Protocol)
	case s.Search != (Config{}) || s.Clock.IsSet() || s.Name != "":
		err = fmt.Errorf("%q: nodes, depth, movetime, tc and name are for players of matches: give the limits of "+
			"searches separately", text)
	}
	return s.Program, err
}

// MissingProgram returns the error for a description without a program where one is needed.
func MissingProgram(text string) error {
	if strings.Contains(text, "=") {
		return fmt.Errorf("%q: expected a program, cmd=PROGRAM", text)
	}
	return fmt.Errorf("%q: expected a program, cmd=PROGRAM: did you mean cmd=%s?", text, text)
}

// checkCombination returns an error for settings that exclude each other.
func (s *Spec) checkCombination() error {
	p := s.Program
	switch own := s.own(); {
	case p.Path == "" && !reflect.DeepEqual(p, client.Command{}):
		return errors.New("dir, protocol, option.NAME, startup, timeout and unit are for a program: expected cmd as well")
	case p.Path != "" && !reflect.DeepEqual(own, Spec{}):
		return errors.New("weights, book, book_loss, book_variety, hash, threads, full_width, step, tables and " +
			"vary are not for a program: give it arguments, or options as option.NAME=VALUE")
	case p.Protocol == client.CG && (p.Options != nil || s.Search.Nodes != 0 || s.Search.Depth != 0 || s.Clock.IsSet()):
		return errors.New("protocol=cg has no options, nodes, depth or tc: expected movetime alone")
	case s.Policy != (BookPolicy{}) && (s.Book == "" || s.Book == NoBook):
		return errors.New("book_loss and book_variety without a book: expected book=FILE or book=default")
	}
	return nil
}

// own returns the settings that only the engine uses.
func (s *Spec) own() Spec {
	own := *s
	own.Name = ""
	own.Program = client.Command{}
	own.Clock = TimeControl{}
	own.Search.Nodes = 0
	own.Search.Depth = 0
	own.Search.MoveTime = Duration{}
	return own
}

// Check returns an error for settings of the engine that are out of range.
func (s *Spec) Check() error {
	err := cmp.Or(s.Search.Check(), s.Policy.Check())
	if err == nil && s.Vary != nil {
		err = s.Vary.Check()
	}
	return err
}

// CheckFarm returns an error for a player that cannot play or search where the work is done: on the
// workers of a farm if remote, or else on this machine.
func (s *Spec) CheckFarm(remote bool) error {
	if s.Program.Path != "" && remote {
		return fmt.Errorf("%s: a program runs on this machine only: leave out the farm", s.Program.Path)
	}
	return nil
}

// Config bounds the searches of a job: labels, a match, a book. At least one limit must be set.
type Config struct {
	Nodes     int64    `name:"nodes" range:"1.." group:"Search" help:"limit each search by positions visited (reproducible)"`
	Depth     int      `name:"depth" range:"1..512" group:"Search" help:"limit each search by depth in plies (reproducible)"`
	MoveTime  Duration `name:"movetime" group:"Search" help:"limit each search by time, such as 200ms"`
	HashMB    int      `name:"hash_mb" flag:"hash" default:"16" range:"1..65536" group:"Search" help:"hash table of each searcher, in MiB"`
	Threads   int      `name:"threads" flag:"-" range:"1..256" group:"Search" help:"threads of each search (default one); more than one is not reproducible"`
	FullWidth bool     `name:"full_width" flag:"-" group:"Search" help:"the textbook search: every move to the same depth, no quiescence"`
	Step      int      `name:"step" flag:"-" range:"1..512" group:"Search" json:",omitempty" help:"plies from one iteration of a search to the next: with 2 the depths are 1, 3, 5 … (default 1)"`
	Tables    string   `name:"tables" file:"in" group:"Search" help:"endgame tables: a file, a folder, or none (default those of the program)"`
}

// NoTables as [Config.Tables] disables endgame tables.
const NoTables = "none"

// Duration is a time.Duration written as "200ms".
type Duration = spec.Duration

// Limits returns the search's limits.
func (c Config) Limits() search.Limits {
	return search.Limits{Nodes: c.Nodes, Depth: c.Depth, Time: c.MoveTime.Duration}
}

// Options returns the search's options.
func (c Config) Options() search.Options {
	return search.Options{HashMB: c.HashMB, Threads: c.Threads, FullWidth: c.FullWidth, Step: c.Step}
}

// Reproducible reports whether the same search gives the same result each time.
func (c Config) Reproducible() bool { return c.MoveTime.Duration == 0 && c.Threads <= 1 }

// Check returns an error for a search without a limit, or with a setting out of range.
func (c Config) Check() error {
	if c.Limits() == (search.Limits{}) {
		return errors.New("no limit on the search: set nodes, depth or movetime")
	}
	if c.MoveTime.Duration < 0 {
		return fmt.Errorf("movetime is %s: expected a time such as 200ms", c.MoveTime)
	}
	return spec.Check(&c)
}

// String describes the configuration, with tables by their path. Artifacts record [Engine.LimitsText]
// instead, since the file at a path may change.
func (c Config) String() string {
	return c.describe(strings.Join(strings.Fields(c.Tables), " "))
}

// describe is String with another name for the tables of a file.
func (c Config) describe(ofFile string) string {
	tables := "tables " + ofFile
	switch c.Tables {
	case "":
		tables = "default tables"
	case NoTables:
		tables = "no tables"
	}
	return joinNonEmpty(c.bounds(), when(c.HashMB > 0, "hash %d MiB", c.HashMB), when(c.Threads > 1, "%d threads", c.Threads),
		when(c.FullWidth, "full width"), when(c.Step > 1, "step %d", c.Step), tables)
}

// bounds describes the limits of each search.
func (c Config) bounds() string {
	return joinNonEmpty(when(c.Nodes > 0, "nodes %d", c.Nodes), when(c.Depth > 0, "depth %d", c.Depth),
		when(c.MoveTime.Duration > 0, "movetime %s", c.MoveTime))
}

// when formats a setting that is given, "" otherwise.
func when(given bool, format string, args ...any) string {
	if !given {
		return ""
	}
	return fmt.Sprintf(format, args...)
}

// joinNonEmpty joins the parts that are not empty.
func joinNonEmpty(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(s string) bool { return s == "" }), ", ")
}

// hashMB returns the size of a searcher's hash table, in MiB.
func (c Config) hashMB() int {
	return min(max(cmp.Or(c.HashMB, search.DefaultHashMB), 1), search.MaxHashMB)
}

// hashBytes returns the size of the hash tables of a number of searchers, of any size.
func (c Config) hashBytes(searchers int) int64 {
	return int64(min(searchers, 1<<26)) * int64(c.hashMB()) << 20
}

// CheckMemory returns an error if the hash tables of a number of searchers do not fit into free
// memory. Call it before making them.
func (c Config) CheckMemory(searchers int) error {
	what := fmt.Sprintf("a hash table of %d MiB", c.hashMB())
	if searchers > 1 {
		what = fmt.Sprintf("%d hash tables of %d MiB", searchers, c.hashMB())
	}
	if err := memory.Check(what, c.hashBytes(searchers)); err != nil {
		return fmt.Errorf("%w: take smaller tables or fewer workers", err)
	}
	return nil
}

// TimeControl is a player's time for a game. The zero value means no clock.
type TimeControl struct {
	Moves int           // after which Base is added again, and again after as many; 0: Base is for the game
	Base  time.Duration // at the start; if it is 0, the first move has Inc
	Inc   time.Duration // added after each move
}

const (
	longestControl = 24 * time.Hour // for each part of a time control, to catch typing errors
	mostMoves      = 1000           // of a period, for the same reason
)

// IsSet reports whether there is a clock.
func (tc TimeControl) IsSet() bool { return tc != TimeControl{} }

// UnmarshalText reads "[MOVES/]BASE[+INCREMENT]". Times without a unit are in seconds: "10s+100ms" is
// "10+0.1".
func (tc *TimeControl) UnmarshalText(text []byte) error {
	read, err := parseControl(string(text))
	if err != nil || !read.IsSet() || read.Check() != nil {
		return fmt.Errorf("expected [MOVES/]BASE[+INCREMENT] in seconds or with units, such as 10+0.1, 40/10+0.1, 0+0.1 "+
			"or 10s+100ms: times of at most %s, 1 to %d moves", longestControl, mostMoves)
	}
	*tc = read
	return nil
}

func parseControl(text string) (tc TimeControl, err error) {
	if moves, rest, found := strings.Cut(text, "/"); found {
		tc.Moves, err = strconv.Atoi(moves)
		if err != nil {
			return tc, err
		}
		if tc.Moves == 0 {
			return tc, errors.New("a period of no moves")
		}
		text = rest
	}
	base, inc, both := strings.Cut(text, "+")
	tc.Base, err = parseClock(base)
	if err == nil && both {
		tc.Inc, err = parseClock(inc)
	}
	return tc, err
}

// parseClock parses a time. A number without a unit is in seconds, as other match programs write time controls.
func parseClock(text string) (time.Duration, error) {
	if strings.TrimLeft(text, "0123456789.") == "" {
		text += "s"
	}
	return time.ParseDuration(text)
}

// MarshalText writes the format of UnmarshalText, "" without a clock.
func (tc TimeControl) MarshalText() ([]byte, error) { return []byte(tc.String()), nil }

// String returns the text form, "" without a clock.
func (tc TimeControl) String() string {
	if !tc.IsSet() {
		return ""
	}
	text := tc.Base.String()
	if tc.Moves > 0 {
		text = fmt.Sprintf("%d/%s", tc.Moves, text)
	}
	if tc.Inc > 0 {
		text += "+" + tc.Inc.String()
	}
	return text
}

// Check returns an error for times or moves out of range.
func (tc TimeControl) Check() error {
	if min(tc.Base, tc.Inc) < 0 || max(tc.Base, tc.Inc) > longestControl {
		return fmt.Errorf("time control of %s, increment %s: expected each from 0 to %s", tc.Base, tc.Inc, longestControl)
	}
	if tc.Moves < 0 || tc.Moves > mostMoves {
		return fmt.Errorf("time control of %d moves: expected 0 to %d", tc.Moves, mostMoves)
	}
	if tc.Moves > 0 && tc.Base == 0 {
		return fmt.Errorf("time control of %d moves in no time: expected a time that is added after them", tc.Moves)
	}
	return nil
}
