package match

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
)

// PlayerSpec is a player of a match as a user describes it. What is left out
// is as the match has it. [PlayerSpec.Open] makes a Contender of it.
type PlayerSpec struct {
	Name    string // "" for a name that follows from the rest
	Weights string // file, or "captures"; "" is captures
	Book    string // file, "" for none
	Search  engine.Config
	Clock   TimeControl    // for time odds; without a margin
	Program client.Command // Path is "" for a player inside
}

// SpecHelp says how players are written, for the help of commands.
const SpecHelp = `A player is "captures", a weights file, or KEY=VALUE,KEY=VALUE… with the keys
  weights, book          files to play with
  nodes, depth, movetime limits, instead of those of the match
  hash, threads          MiB of hash table, threads of the search
  tables                 endgame tables: a file or folder, none, or those of the
                         program by default
  tc                     clock, such as 10s+100ms: time odds
  name                   what the records call the player
  cmd                    another program, with its arguments, that speaks UCI
  dir                    folder that the program runs in
  option.NAME            an option of the program
  startup, timeout       time that the program has to start (10s), and for a
                         move that no time limits (1m)
A comma in a value is written \, and words of cmd with blanks are quoted.`

// specKeys are how the parts of a description are read.
var specKeys = map[string]func(*PlayerSpec, string) error{
	"name":    func(s *PlayerSpec, v string) error { s.Name = v; return nil },
	"weights": func(s *PlayerSpec, v string) error { s.Weights = v; return nil },
	"book":    func(s *PlayerSpec, v string) error { s.Book = v; return nil },
	"dir":     func(s *PlayerSpec, v string) error { s.Program.Dir = v; return nil },
	"nodes": func(s *PlayerSpec, v string) (err error) {
		s.Search.Nodes, err = strconv.ParseInt(v, 10, 64)
		return err
	},
	"depth":    func(s *PlayerSpec, v string) (err error) { s.Search.Depth, err = strconv.Atoi(v); return err },
	"hash":     func(s *PlayerSpec, v string) (err error) { s.Search.HashMB, err = strconv.Atoi(v); return err },
	"threads":  func(s *PlayerSpec, v string) (err error) { s.Search.Threads, err = strconv.Atoi(v); return err },
	"tables":   func(s *PlayerSpec, v string) error { s.Search.Tables = v; return nil },
	"movetime": func(s *PlayerSpec, v string) error { return parseDuration(v, &s.Search.MoveTime.Duration) },
	"startup":  func(s *PlayerSpec, v string) error { return parseDuration(v, &s.Program.StartUp) },
	"timeout":  func(s *PlayerSpec, v string) error { return parseDuration(v, &s.Program.Hang) },
	"tc":       func(s *PlayerSpec, v string) (err error) { s.Clock, err = ParseTimeControl(v); return err },
	"cmd": func(s *PlayerSpec, v string) error {
		words, err := splitWords(v)
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

// ParsePlayer reads a description as [SpecHelp] has it.
func ParsePlayer(text string) (PlayerSpec, error) {
	var s PlayerSpec
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
	return s, s.check(text)
}

func (s *PlayerSpec) set(key, value string) error {
	if name, isOption := strings.CutPrefix(key, "option."); isOption {
		s.Program.Options = append(s.Program.Options, client.Option{Name: name, Value: value})
		return nil
	}
	read := specKeys[key]
	if read == nil {
		return fmt.Errorf("unknown: expected one of %s or option.NAME", strings.Join(slices.Sorted(maps.Keys(specKeys)), ", "))
	}
	if value == "" {
		return errors.New("no value")
	}
	return read(s, value)
}

// check refuses what does not go together.
func (s *PlayerSpec) check(text string) error {
	p := s.Program
	switch {
	case p.Path == "" && (p.Dir != "" || p.Options != nil || p.StartUp != 0 || p.Hang != 0):
		return fmt.Errorf("player %q: dir, option.NAME, startup and timeout are for a program: expected cmd as well", text)
	case p.Path != "" && (s.Weights != "" || s.Book != "" || s.Search.HashMB != 0 || s.Search.Threads != 0 || s.Search.Tables != ""):
		return fmt.Errorf("player %q: weights, book, hash, threads and tables are not for a program: give it arguments, or options as option.NAME=VALUE", text)
	case s.Search.Nodes < 0 || s.Search.Depth < 0 || s.Search.HashMB < 0 || s.Search.Threads < 0 || s.Search.Threads > search.MaxThreads:
		return fmt.Errorf("player %q: nodes, depth, hash and threads: expected 0 or more, threads at most %d", text, search.MaxThreads)
	}
	return nil
}

// splitCommas splits at commas, but not at \, which stands for a comma.
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

// splitWords splits a command line at blanks, but not inside single or double
// quotes.
func splitWords(text string) (words []string, err error) {
	var word strings.Builder
	quote, inside := rune(0), false
	for _, r := range text {
		switch {
		case quote != 0 && r == quote:
			quote = 0
		case quote == 0 && (r == '\'' || r == '"'):
			quote, inside = r, true
		case quote == 0 && r == ' ':
			if inside {
				words = append(words, word.String())
				word.Reset()
				inside = false
			}
		default:
			word.WriteRune(r)
			inside = true
		}
	}
	if quote != 0 {
		return nil, fmt.Errorf("a %c is not closed", quote)
	}
	if inside {
		words = append(words, word.String())
	}
	return words, nil
}
