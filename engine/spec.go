package engine

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/kballard/go-shellquote"

	"kroo/engine/uci/client"
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
  book_variety           how a move within book_loss is drawn: even; weighted, better
                         moves more often; guarded, even but no move that gives up a
                         draw
  nodes, depth, movetime limits, instead of those of the match
  hash, threads          hash table in MiB, threads of the search
  full_width             true: search every move to the same depth
  step                   plies from one iteration to the next: with 2 the depths are
                         1, 3, 5 … (1)
  tables                 endgame tables: a file, a folder or none (default the
                         program's own)
  tc                     clock, such as 10s+100ms: time odds
  vary                   on, or WITHIN:PLIES: play differently in every game, with
                         0.5 to 1.5 times the nodes or time per move, and in the
                         first 12 plies with any move within 40 hundredths of a seed
                         (or of the game's unit) of the best
  name                   name of the player in records
  cmd                    another program that speaks UCI, with its arguments
  protocol               cg for a bot of the CodinGame arena: one process per game,
                         1s for its first move, then movetime= (50ms); it receives
                         the houses only
  dir                    working folder of the program
  option.NAME            an option of the program
  startup, timeout       time for the program to start (10s), and for a move without
                         a time limit (1m)
  unit                   how many of its cp are one seed, or the game's unit (100)
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
	if s, err = readSpec(text); err == nil {
		err = s.check()
	}
	if err != nil {
		err = fmt.Errorf("player %q: %w", text, err)
	}
	return s, err
}

func readSpec(text string) (Spec, error) {
	var d description
	if !strings.Contains(text, "=") {
		if d.Weights = text; text == "" {
			return d.Spec, errors.New("no player: expected captures, a weights file or KEY=VALUE,…")
		}
		return d.Spec, nil
	}
	seen := map[string]bool{}
	for _, part := range splitCommas(text) {
		key, value, both := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		if !both || seen[key] {
			return d.Spec, fmt.Errorf("%q: expected KEY=VALUE, each key once", part)
		}
		seen[key] = true
		if name, isOption := strings.CutPrefix(key, "option."); isOption {
			d.Program.Options = append(d.Program.Options, client.Option{Name: name, Value: value})
		} else if err := spec.Set(&d, key, value); err != nil {
			return d.Spec, fmt.Errorf("%s: %w", key, err)
		}
	}
	return d.spec()
}

// spec returns the Spec with the program of the description.
func (d *description) spec() (Spec, error) {
	p := &d.Program
	p.Dir, p.StartUp, p.Hang, p.Unit = d.Dir, d.StartUp.Duration, d.Timeout.Duration, d.Unit
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
		err = fmt.Errorf("%q: expected a program, cmd=PROGRAM", text)
	case s.Program.Protocol != client.UCI:
		err = fmt.Errorf("%q: a program of protocol=%s reports moves without scores: expected one that speaks UCI", text, s.Program.Protocol)
	case s.Search != (Config{}) || s.Clock != (TimeControl{}) || s.Name != "":
		err = fmt.Errorf("%q: nodes, depth, movetime, tc and name are for players of matches: give the limits of searches separately", text)
	}
	return s.Program, err
}

// check returns an error for settings that exclude each other.
func (s *Spec) check() error {
	p := s.Program
	switch own := s.own(); {
	case p.Path == "" && !reflect.DeepEqual(p, client.Command{}):
		return errors.New("dir, protocol, option.NAME, startup, timeout and unit are for a program: expected cmd as well")
	case p.Path != "" && !reflect.DeepEqual(own, Spec{}):
		return errors.New("weights, book, book_loss, book_variety, hash, threads, full_width, step, tables and vary are not for a program: give it arguments, or options as option.NAME=VALUE")
	case p.Protocol == client.CG && (p.Options != nil || s.Search.Nodes != 0 || s.Search.Depth != 0 || s.Clock.Base != 0):
		return errors.New("protocol=cg has no options, nodes, depth or tc: expected movetime alone")
	case s.Policy != (BookPolicy{}) && (s.Book == "" || s.Book == NoBook):
		return errors.New("book_loss and book_variety without a book: expected book=FILE or book=default")
	}
	return nil
}

// own returns the settings that only the engine uses.
func (s *Spec) own() Spec {
	own := *s
	own.Name, own.Program, own.Clock = "", client.Command{}, TimeControl{}
	own.Search.Nodes, own.Search.Depth, own.Search.MoveTime = 0, 0, Duration{}
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

// splitCommas splits at commas, except at \, which represents a comma.
func splitCommas(text string) []string {
	parts := []string{""}
	for i := 0; i < len(text); i++ {
		last := &parts[len(parts)-1]
		switch {
		case text[i] == '\\' && i+1 < len(text) && text[i+1] == ',':
			i++
			*last += ","
		case text[i] == ',':
			parts = append(parts, "")
		default:
			*last += text[i : i+1]
		}
	}
	return parts
}
