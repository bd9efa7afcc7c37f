package uci

import (
	"cmp"
	"context"
	"fmt"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/internal/memory"
	"kroo/internal/wording"
)

// option is an option of the protocol.
type option[P search.Position[P]] struct {
	name string
	kind string // type, default and range in the answer to uci
	set  func(c *session[P], value string) error
}

// empty is the value that unsets a text option.
const empty = "<empty>"

const (
	defaultOverhead = int(search.DefaultOverhead / time.Millisecond) // in milliseconds
	maxOverhead     = 10_000
)

// options returns the options in the order of the answer to uci. Options that do not apply to the
// game are left out.
func (s *Server[P]) options() []option[P] {
	k := s.engine.Kit
	contempt := 100 * k.Game.UnitsPerWin // a won game
	list := []option[P]{
		hashOption[P](s.searchOptions.HashMB, s.maxHash),
		{"Clear Hash", "button", (*session[P]).clearHash},
	}
	if k.Book != nil {
		list = append(list,
			check("OwnBook", s.ownBook(), func(c *session[P]) *bool { return &c.ownBook }),
			option[P]{"Book", "string default " + empty, func(c *session[P], value string) error {
				if err := c.setBook(value); err != nil {
					return err
				}
				c.reportBook()
				return nil
			}},
			spin("BookMargin", s.engine.Spec.Policy.Margin(), 0, engine.MaxBookMargin,
				func(c *session[P]) *int { return &c.margin }),
			combo("BookVariety", cmp.Or(s.engine.Spec.Policy.Variety, engine.Even), engine.Varieties(),
				func(c *session[P], v engine.Variety) { c.variety = v }))
	}
	list = append(list,
		option[P]{"Weights", "string default " + empty, (*session[P]).setWeights},
		option[P]{"Rules", "combo default " + s.engine.Rules + " var " + strings.Join(k.Game.Rules, " var "),
			(*session[P]).setRules},
		spin("Threads", s.searchOptions.Threads, 1, search.MaxThreads,
			func(c *session[P]) *int { return &c.wantedOptions.Threads }))
	if k.Tables != nil {
		list = append(list, option[P]{"Tables", "string default " + empty, (*session[P]).setTables})
	}
	list = append(list,
		spin("MultiPV", 1, 1, k.Game.MaxMoves, func(c *session[P]) *int { return &c.multiPV }),
		spin("Move Overhead", defaultOverhead, 0, maxOverhead, func(c *session[P]) *int { return &c.overhead }),
		spin("Contempt", 0, -contempt, contempt, func(c *session[P]) *int { return &c.contempt }),
		check("UCI_ShowWDL", false, func(c *session[P]) *bool { return &c.wdl }),
		combo("Level", bestLevel, append([]string{bestLevel}, engine.LevelNames()...),
			func(c *session[P], v string) {
				c.level = engine.Level{}
				if v != bestLevel {
					c.level, _ = engine.ParseLevel(v) // a combo has only the names of levels
				}
			}),
		combo("No Move", noMoves[0], noMoves, func(c *session[P], v string) { c.noMove = v }),
		check("UCI_AnalyseMode", false, func(c *session[P]) *bool { return &c.analyse }),
		check("Ponder", false, func(*session[P]) *bool { return new(bool) }))
	if s.cfg.Tuning {
		list = append(list, tuningOptions[P](s.engine.Eval.Tuning)...)
	}
	return list
}

// ownBook returns the default of the option OwnBook. It is also true for rules without a book, since the option
// Rules may choose others.
func (s *Server[P]) ownBook() bool {
	spec := s.engine.Spec
	return s.engine.Book != nil || spec.OwnBook && spec.Book != engine.NoBook
}

// OptionNames returns the names of the options for a game, in the order of the answer to uci.
func OptionNames[P search.Position[P]](k engine.Kit[P]) []string {
	s := Server[P]{engine: &engine.Engine[P]{Kit: k}}
	var names []string
	for _, o := range s.options() {
		names = append(names, o.name)
	}
	return names
}

// check returns a boolean option.
func check[P search.Position[P]](name string, byDefault bool, of func(*session[P]) *bool) option[P] {
	return option[P]{name, fmt.Sprintf("check default %t", byDefault), func(c *session[P], value string) error {
		on := strings.EqualFold(value, "true")
		if !on && !strings.EqualFold(value, "false") {
			return fmt.Errorf("%s: expected true or false", quote(value))
		}
		*of(c) = on
		return nil
	}}
}

// spin returns a number option.
func spin[P search.Position[P]](name string, byDefault, least, most int, of func(*session[P]) *int) option[P] {
	kind := fmt.Sprintf("spin default %d min %d max %d", byDefault, least, most)
	return option[P]{name, kind, func(c *session[P], value string) error {
		n, err := strconv.Atoi(value)
		if err != nil || n < least || n > most {
			return fmt.Errorf("%s: expected %d to %d", quote(value), least, most)
		}
		*of(c) = n
		return nil
	}}
}

// combo returns an option that is one of several texts; case does not matter.
func combo[P search.Position[P], S ~string](name string, byDefault S, texts []string, set func(*session[P], S)) option[P] {
	kind := "combo default " + string(byDefault) + " var " + strings.Join(texts, " var ")
	return option[P]{name, kind, func(c *session[P], value string) error {
		i := slices.IndexFunc(texts, func(text string) bool { return strings.EqualFold(text, value) })
		if i < 0 {
			return fmt.Errorf("%s: %s", quote(value), wording.Expect(value, texts))
		}
		set(c, S(texts[i]))
		return nil
	}}
}

// bestLevel is the value of Level for full strength.
const bestLevel = "best"

// setOption executes setoption.
func (c *session[P]) setOption(_ context.Context, text string) error {
	c.stop()
	name, value, err := parseOption(text)
	if err != nil {
		return err
	}
	i := slices.IndexFunc(c.options, func(o option[P]) bool { return strings.EqualFold(o.name, name) })
	if i < 0 {
		var names []string
		for _, o := range c.options {
			names = append(names, o.name)
		}
		return fmt.Errorf("unknown option %s: %s", quote(name), wording.Expect(name, names))
	}
	if err := c.options[i].set(c, value); err != nil {
		return fmt.Errorf("%s: %w", c.options[i].name, err)
	}
	return nil
}

// parseOption parses "name N [value V]". The value keeps its blanks, for paths.
func parseOption(text string) (name, value string, err error) {
	word, rest := client.CutWord(text)
	if word != "name" {
		return "", "", fmt.Errorf("%s: expected name", quote(word))
	}
	var words []string
	for rest != "" {
		word, rest = client.CutWord(rest)
		if word == "value" {
			value = rest
			break
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), value, nil
}

func (c *session[P]) clearHash(string) error {
	if c.searcher != nil {
		c.searcher.Clear()
	}
	return nil
}

func (c *session[P]) setRules(value string) error {
	rules := strings.ToLower(value)
	start, err := c.kit.Game.Start(rules)
	if err != nil {
		return err
	}
	if rules == c.rules {
		return nil
	}
	c.rules = rules
	c.newGame(start)
	c.followTables()
	c.useEvaluation()
	c.followRules()
	c.reportBook()
	return nil
}

// hashOption returns the option for the size of the hash table. A table that exceeds the free
// memory is rejected now: it is allocated at the next isready or go, when it is too late to
// report an error.
func hashOption[P search.Position[P]](byDefault, most int) option[P] {
	var asked int
	number := spin("Hash", byDefault, 1, most, func(*session[P]) *int { return &asked })
	return option[P]{number.name, number.kind, func(c *session[P], value string) error {
		if err := number.set(c, value); err != nil {
			return err
		}
		held := int64(0)
		if c.searcher != nil {
			held = int64(c.searcherOptions.HashMB) << 20
		}
		if err := memory.CheckReusing(fmt.Sprintf("a table of %d MiB", asked), int64(asked)<<20, held); err != nil {
			return fmt.Errorf("%w: the table stays at %d MiB", err, c.wantedOptions.HashMB)
		}
		c.wantedOptions.HashMB = asked
		return nil
	}}
}

// dropSearcher frees the searcher before another is made. A table may be most of the memory, so it
// must be collected before the next one is allocated.
func (c *session[P]) dropSearcher() {
	if c.searcher != nil {
		c.searcher = nil
		debug.FreeOSMemory()
	}
}

// untuned marks a search setting that the client has not set.
const untuned = -1

// tuningOptions returns the options for the search settings. Settings that the client has not set
// follow the active evaluation; byDefault is that of the initial one.
func tuningOptions[P search.Position[P]](byDefault search.Tuning) (list []option[P]) {
	t := byDefault.WithDefaults(false)
	for i, setting := range t.Settings() {
		o := spin(setting.Name, *setting.Value, setting.Min, setting.Max, func(c *session[P]) *int { return &c.tuned[i] })
		number := o.set
		o.set = func(c *session[P], value string) error {
			c.dropSearcher() // its hash table is for the old settings
			return number(c, value)
		}
		list = append(list, o)
	}
	return list
}

// tuning returns t with the settings of the client.
func (c *session[P]) tuning(t search.Tuning) search.Tuning {
	if !c.server.cfg.Tuning {
		return t
	}
	t = t.WithDefaults(false)
	for i, setting := range t.Settings() {
		if c.tuned[i] != untuned {
			*setting.Value = c.tuned[i]
		}
	}
	return t
}
