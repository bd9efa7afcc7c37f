package uci

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"kroo/engine/search"
	"kroo/games/oware"
)

// option is something the client can set.
type option struct {
	name string
	kind func(c *session) string // type, default and range, as uci announces them
	set  func(c *session, value string) error
}

// empty is how a text option is told to have no value.
const empty = "<empty>"

const (
	maxMargin       = 1000 // points: everything
	defaultOverhead = 10   // milliseconds
	maxOverhead     = 10_000
	maxContempt     = 2400 // centi-seeds: half of the seeds
	// drawAversion is what a draw costs a player who does not search for one:
	// a quarter of a seed.
	drawAversion = 25
)

var options = []option{
	{"Hash", func(c *session) string {
		return fmt.Sprintf("spin default %d min 1 max %d", c.cfg.HashMB, c.maxHash)
	}, (*session).setHash},
	{"Clear Hash", func(*session) string { return "button" }, (*session).clearHash},
	{"OwnBook", func(c *session) string {
		return fmt.Sprintf("check default %t", c.cfg.Book != nil)
	}, func(c *session, value string) error { return setCheck(&c.ownBook, value) }},
	{"Book", func(*session) string { return "string default " + empty }, (*session).setBook},
	{"BookMargin", func(*session) string {
		return fmt.Sprintf("spin default 0 min 0 max %d", maxMargin)
	}, func(c *session, value string) error { return setSpin(&c.margin, value, 0, maxMargin) }},
	{"Weights", func(*session) string { return "string default " + empty }, (*session).setWeights},
	{"Rules", func(c *session) string {
		return fmt.Sprintf("combo default %s var %s var %s var %s", c.cfg.Rules, oware.Abapa, oware.Awari, oware.Simple)
	}, (*session).setRules},
	{"Threads", func(c *session) string {
		return fmt.Sprintf("spin default %d min 1 max %d", c.cfg.Threads, search.MaxThreads)
	}, (*session).setThreads},
	{"Tables", func(*session) string { return "string default " + empty }, (*session).setTables},
	{"MultiPV", func(*session) string { return fmt.Sprintf("spin default 1 min 1 max %d", oware.Houses) },
		func(c *session, value string) error { return setSpin(&c.lines, value, 1, oware.Houses) }},
	{"Move Overhead", func(*session) string {
		return fmt.Sprintf("spin default %d min 0 max %d", defaultOverhead, maxOverhead)
	}, func(c *session, value string) error { return setSpin(&c.overhead, value, 0, maxOverhead) }},
	{"DrawSearch", func(*session) string { return "check default true" },
		func(c *session, value string) error { return setCheck(&c.drawSearch, value) }},
	{"Contempt", func(*session) string {
		return fmt.Sprintf("spin default 0 min %d max %d", -maxContempt, maxContempt)
	}, func(c *session, value string) error { return setSpin(&c.contempt, value, -maxContempt, maxContempt) }},
	{"UCI_ShowWDL", func(*session) string { return "check default false" },
		func(c *session, value string) error { return setCheck(&c.wdl, value) }},
	{"UCI_AnalyseMode", func(*session) string { return "check default false" },
		func(c *session, value string) error { return setCheck(&c.analyse, value) }},
	{"UCI_EngineAbout", func(c *session) string {
		return fmt.Sprintf("string default %s plays oware by abapa, awari and simple rules", c.cfg.Name)
	}, func(*session, string) error { return nil }}, // to be read only
	{"Ponder", func(*session) string { return "check default false" },
		func(_ *session, value string) error { return setCheck(new(bool), value) }},
}

// OptionNames are the options a client can set, in the order they are announced.
func OptionNames() []string {
	var names []string
	for _, o := range options {
		names = append(names, o.name)
	}
	return names
}

var errBookRules = errors.New("the book names unknown rules: expected abapa, awari or simple")

// setOption carries out setoption.
func (c *session) setOption(text string) error {
	name, value, err := parseOption(text)
	if err != nil {
		return err
	}
	for _, o := range options {
		if strings.EqualFold(o.name, name) {
			if err := o.set(c, value); err != nil {
				return fmt.Errorf("%s: %w", o.name, err)
			}
			return nil
		}
	}
	return fmt.Errorf("unknown option %s", quote(name))
}

// parseOption reads "name N [value V]". The value is kept as it is, for paths
// with blanks.
func parseOption(text string) (name, value string, err error) {
	word, rest := cutWord(text)
	if word != "name" {
		return "", "", fmt.Errorf("%s: expected name", quote(word))
	}
	var words []string
	for rest != "" {
		if word, rest = cutWord(rest); word == "value" {
			value = rest
			break
		}
		words = append(words, word)
	}
	return strings.Join(words, " "), value, nil
}

func setCheck(to *bool, value string) error {
	switch strings.ToLower(value) {
	case "true":
		*to = true
	case "false":
		*to = false
	default:
		return fmt.Errorf("%s: expected true or false", quote(value))
	}
	return nil
}

func setSpin(to *int, value string, least, most int) error {
	n, err := strconv.Atoi(value)
	if err != nil || n < least || n > most {
		return fmt.Errorf("%s: expected %d to %d", quote(value), least, most)
	}
	*to = n
	return nil
}

func (c *session) setHash(value string) error {
	before := c.hashMB
	if err := setSpin(&c.hashMB, value, 1, c.maxHash); err != nil {
		return err
	}
	if c.hashMB != before {
		c.searcher = nil
	}
	return nil
}

func (c *session) setThreads(value string) error {
	before := c.threads
	if err := setSpin(&c.threads, value, 1, search.MaxThreads); err != nil {
		return err
	}
	if c.threads != before {
		c.searcher = nil
	}
	return nil
}

func (c *session) clearHash(string) error {
	if c.searcher != nil {
		c.searcher.Clear()
	}
	return nil
}

func (c *session) setRules(value string) error {
	r, err := oware.ParseRules(strings.ToLower(value))
	if err != nil {
		return err
	}
	if r == c.rules {
		return nil
	}
	c.rules = r
	c.newGame()
	c.searcher = nil // its table and evaluator are of the other rules
	c.setDefaultTables()
	c.tellEvaluation()
	c.tellBook()
	return nil
}

func (c *session) setWeights(value string) error {
	e := c.givenEvaluation()
	if value != "" && value != empty {
		var err error
		if e, err = loadEvaluation(value); err != nil {
			return err
		}
	}
	c.eval = e
	c.searcher = nil // its table is of the other evaluator
	c.tellEvaluation()
	return nil
}

func (c *session) tellEvaluation() {
	if !c.eval.serves(c.rules) {
		c.out.note("evaluation %s, since %s is for %s", capturesName, c.eval.name, c.eval.rules)
		return
	}
	c.out.note("evaluation %s", c.eval.name)
}

func (c *session) setBook(value string) error {
	o := c.givenBook()
	if value != "" && value != empty {
		var err error
		if o, err = openBook(value); err != nil {
			return err
		}
	}
	c.book.close()
	c.book = o
	c.tellBook()
	return nil
}

func (c *session) tellBook() {
	switch o := c.book; {
	case o.refused:
		c.out.note("no book, since %v", errBookRules)
	case o.book == nil:
		c.out.note("no book")
	case o.rules != c.rules:
		c.out.note("no book, since it is for %s", o.rules)
	default:
		c.out.note("book of %d positions", o.book.Len())
	}
}
