package match

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/kballard/go-shellquote"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
)

// PlayerConfig is a player of a match as a user describes it. What is left out
// is as the match has it.
type PlayerConfig struct {
	Name        string       // "" for a name that follows from the rest
	engine.Spec              // of what searches
	Clock       TimeControl  // for time odds
	Vary        *engine.Vary // nil for a player that makes its best moves
	// Textbook is a search of the textbooks to the depth of Search, instead of
	// the engine's; "" for none. Ties say which of its equal moves it plays.
	Textbook search.Textbook
	Ties     Ties
}

// PlayerHelp is the syntax of players, for the help of commands.
const PlayerHelp = `A player is the name of an evaluation ("captures"), a weights file, or
KEY=VALUE,KEY=VALUE… with the keys
  weights, book          files to play with; default means the program's own
  bookmargin             how much worse than the best a book move may be, in points
                         (0; a seed of oware is 42)
  bookvariety            how a move within the margin is drawn: even; weighted, better
                         moves more often; guarded, even but no move that gives up a
                         draw
  nodes, depth, movetime limits, instead of those of the match
  hash, threads          hash table in MiB, threads of the search
  full_width             true: search every move to the same depth
  algorithm              minimax, alphabeta, negascout or mtdf: textbook searches to
                         depth=, not on a farm; may have weights, ties and name. uct:
                         random games of nodes= positions per move; may have name
  ties                   which of equal moves an algorithm plays: first, in the
                         game's order (in oware from the mover's left); columns,
                         the first for South, the last for North; mirrored, the last
                         for both; continuation, the one that gains most if the
                         opponent replies badly; random
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

// playerKeys are how the parts of a description are read.
var playerKeys = map[string]func(*PlayerConfig, string) error{
	"name":    func(s *PlayerConfig, v string) error { s.Name = v; return nil },
	"weights": func(s *PlayerConfig, v string) error { s.Weights = v; return nil },
	"book":    func(s *PlayerConfig, v string) error { s.Book = v; return nil },
	"bookmargin": func(s *PlayerConfig, v string) (err error) {
		if s.Policy.Margin, err = strconv.Atoi(v); err == nil {
			err = s.Policy.Check()
		}
		return err
	},
	"bookvariety": func(s *PlayerConfig, v string) error {
		s.Policy.Variety = engine.Variety(v)
		return s.Policy.Check()
	},
	"protocol": func(s *PlayerConfig, v string) (err error) {
		s.Program.Protocol, err = client.ParseProtocol(v)
		return err
	},
	"dir": func(s *PlayerConfig, v string) error { s.Program.Dir = v; return nil },
	"nodes": func(s *PlayerConfig, v string) (err error) {
		s.Search.Nodes, err = strconv.ParseInt(v, 10, 64)
		return err
	},
	"depth": func(s *PlayerConfig, v string) (err error) { s.Search.Depth, err = strconv.Atoi(v); return err },
	"hash":  func(s *PlayerConfig, v string) (err error) { s.Search.HashMB, err = strconv.Atoi(v); return err },
	"full_width": func(s *PlayerConfig, v string) (err error) {
		s.Search.FullWidth, err = strconv.ParseBool(v)
		return err
	},
	"algorithm": func(s *PlayerConfig, v string) error {
		s.Textbook = search.Textbook(v)
		return s.Textbook.Check()
	},
	"ties": func(s *PlayerConfig, v string) error {
		s.Ties = Ties(v)
		return s.Ties.check()
	},
	"threads":  func(s *PlayerConfig, v string) (err error) { s.Search.Threads, err = strconv.Atoi(v); return err },
	"tables":   func(s *PlayerConfig, v string) error { s.Search.Tables = v; return nil },
	"movetime": func(s *PlayerConfig, v string) error { return parseDuration(v, &s.Search.MoveTime.Duration) },
	"unit": func(s *PlayerConfig, v string) (err error) {
		if s.Program.Unit, err = strconv.ParseFloat(v, 64); err == nil && !(s.Program.Unit > 0) {
			err = errors.New("expected more than 0")
		}
		return err
	},
	"startup": func(s *PlayerConfig, v string) error { return parseDuration(v, &s.Program.StartUp) },
	"timeout": func(s *PlayerConfig, v string) error { return parseDuration(v, &s.Program.Hang) },
	"tc":      func(s *PlayerConfig, v string) error { return s.Clock.UnmarshalText([]byte(v)) },
	"vary":    func(s *PlayerConfig, v string) (err error) { s.Vary, err = engine.ParseVary(v); return err },
	"cmd": func(s *PlayerConfig, v string) error {
		words, err := shellquote.Split(v)
		if err != nil || len(words) == 0 {
			return cmp.Or(err, errors.New("expected a program"))
		}
		s.Program.Path, s.Program.Args = words[0], words[1:]
		return nil
	},
}

func parseDuration(text string, d *time.Duration) (err error) {
	if *d, err = time.ParseDuration(text); err == nil && *d <= 0 {
		err = errors.New("expected more than 0")
	}
	return err
}

// ParsePlayer reads a description as [PlayerHelp] has it.
func ParsePlayer(text string) (PlayerConfig, error) {
	s, err := readPlayer(text)
	if err == nil {
		err = s.check(text)
	}
	return s, err
}

func readPlayer(text string) (s PlayerConfig, err error) {
	if !strings.Contains(text, "=") {
		if s.Weights = text; text == "" {
			return s, errors.New("no player: expected captures, a weights file or KEY=VALUE,…")
		}
		return s, nil
	}
	seen := map[string]bool{}
	for _, part := range splitCommas(text) {
		key, value, both := strings.Cut(part, "=")
		key = strings.TrimSpace(key)
		if !both || seen[key] {
			return s, fmt.Errorf("player %q: %q: expected KEY=VALUE, each key once", text, part)
		}
		seen[key] = true
		if err := s.set(key, value); err != nil {
			return s, fmt.Errorf("player %q: %s: %w", text, key, err)
		}
	}
	return s, nil
}

// ParseProgram reads the description of another program that searches for a command, whose
// limits are the command's: cmd=PROGRAM….
func ParseProgram(text string) (PlayerConfig, error) {
	s, err := readPlayer(text)
	if err == nil {
		err = s.check(text)
	}
	switch {
	case err != nil:
	case s.Program.Path == "":
		err = fmt.Errorf("%q: expected a program, cmd=PROGRAM", text)
	case s.Search != (engine.Config{}) || s.Clock != (TimeControl{}) || s.Name != "":
		err = fmt.Errorf("%q: nodes, depth, movetime, tc and name are those of players: expected the limits of searches in their own place", text)
	}
	return s, err
}

func (s *PlayerConfig) set(key, value string) error {
	if name, isOption := strings.CutPrefix(key, "option."); isOption {
		s.Program.Options = append(s.Program.Options, client.Option{Name: name, Value: value})
		return nil
	}
	read := playerKeys[key]
	if read == nil {
		return fmt.Errorf("unknown: expected one of %s or option.NAME", strings.Join(slices.Sorted(maps.Keys(playerKeys)), ", "))
	}
	if value == "" {
		return errors.New("no value")
	}
	return read(s, value)
}

// check refuses what does not go together.
func (s *PlayerConfig) check(text string) error {
	p := s.Program
	switch {
	case p.Path == "" && (p.Dir != "" || p.Options != nil || p.StartUp != 0 || p.Hang != 0 || p.Unit != 0 || p.Protocol != client.UCI):
		return fmt.Errorf("player %q: dir, protocol, option.NAME, startup, timeout and unit are for a program: expected cmd as well", text)
	case p.Path != "" && s.plays():
		return fmt.Errorf("player %q: weights, book, bookmargin, bookvariety, hash, threads, full_width, algorithm, ties, tables and vary are not for a program: give it arguments, or options as option.NAME=VALUE", text)
	case p.Protocol == client.CG && (p.Options != nil || s.Search.Nodes != 0 || s.Search.Depth != 0 || s.Clock.Base != 0):
		return fmt.Errorf("player %q: protocol=cg knows neither options nor nodes, depth or tc: expected movetime alone", text)
	case s.Policy != (engine.BookPolicy{}) && (s.Book == "" || s.Book == engine.NoBook):
		return fmt.Errorf("player %q: bookmargin and bookvariety without a book: expected book=FILE or book=default", text)
	case s.Search.Nodes < 0 || s.Search.Depth < 0 || s.Search.HashMB < 0 || s.Search.Threads < 0 || s.Search.Threads > search.MaxThreads:
		return fmt.Errorf("player %q: nodes, depth, hash and threads: expected 0 or more, threads at most %d", text, search.MaxThreads)
	}
	return s.checkTextbook(text)
}

// checkTextbook refuses what a search of the textbooks has no use for.
func (s *PlayerConfig) checkTextbook(text string) error {
	o := s.Search
	switch {
	case s.Textbook == "" && s.Ties != "":
		return fmt.Errorf("player %q: ties are those of an algorithm: expected algorithm as well", text)
	case s.Textbook == "":
		return nil
	case s.Textbook == search.TextbookUCT:
		return s.checkUCT(text)
	case s.Book != "" || s.Vary != nil || s.Clock.Base != 0 || o.Nodes != 0 || o.MoveTime.Duration != 0 || o.HashMB != 0 || o.Threads != 0 || o.Tables != "" || o.FullWidth:
		return fmt.Errorf("player %q: algorithm goes with weights, depth, ties and name alone", text)
	case o.Depth == 0 || o.Depth > maxTextbookDepth:
		return fmt.Errorf("player %q: an algorithm to depth %d: expected depth=1 to %d", text, o.Depth, maxTextbookDepth)
	}
	return nil
}

// checkUCT refuses what random games have no use for.
func (s *PlayerConfig) checkUCT(text string) error {
	if rest := (PlayerConfig{Name: s.Name, Textbook: s.Textbook, Spec: engine.Spec{Search: engine.Config{Nodes: s.Search.Nodes}}}); !reflect.DeepEqual(*s, rest) {
		return fmt.Errorf("player %q: algorithm=uct goes with nodes and name alone", text)
	}
	if s.Search.Nodes < 1 {
		return fmt.Errorf("player %q: algorithm=uct without positions to visit: expected nodes=1 or more", text)
	}
	return nil
}

// plays reports whether something is set that a player inside plays with.
func (s *PlayerConfig) plays() bool {
	o := s.Search
	return s.Weights != "" || s.Book != "" || s.Policy != (engine.BookPolicy{}) || s.Vary != nil || s.Textbook != "" || s.Ties != "" ||
		o.HashMB != 0 || o.Threads != 0 || o.Tables != "" || o.FullWidth
}

// splitCommas splits at commas, but not at \, which represents a comma.
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
