package match

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"strings"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games/oware"
)

// Contender is one player of a match.
type Contender struct {
	Name    string                            // "" for a name that says what it plays with
	Eval    engine.Evaluation[oware.Position] // of a player inside
	Book    engine.Book[oware.Position]       // nil is none
	Program *client.Command                   // nil is a player inside
	Search  engine.Config                     // what differs from the match's
	Clock   TimeControl
}

// Open loads what the player plays with, for the rules of the match. A program
// is started and ended again, to find out now whether it works, and what it is
// called. The book stays mapped until the program ends.
func (s PlayerSpec) Open(ctx context.Context, rules oware.Rules) (Contender, error) {
	c := Contender{Name: s.Name, Search: s.Search, Clock: s.Clock}
	if s.Program.Path != "" {
		return c.withProgram(ctx, s.Program, rules)
	}
	var err error
	if c.Eval, err = engine.LoadEvaluation(s.Weights); err == nil {
		err = c.Eval.CheckRules(rules.String())
	}
	if err == nil && s.Book != "" {
		c.Book, err = engine.Oware().Book(s.Book, rules.String())
	}
	return c, err
}

// withProgram makes sure that the program plays by the rules, as far as it
// says so.
func (c Contender) withProgram(ctx context.Context, command client.Command, rules oware.Rules) (Contender, error) {
	p, err := client.Start(ctx, oware.Descriptor(), command)
	if err != nil {
		return c, err
	}
	defer p.Close()
	if rules != oware.Abapa {
		if !p.HasOption("Rules") {
			return c, fmt.Errorf("%s: has no option Rules: expected one for a match under %s rules", command.Path, rules)
		}
		command.Options = append([]client.Option{{Name: "Rules", Value: rules.String()}}, command.Options...)
	}
	c.Program = &command
	c.Name = cmp.Or(c.Name, oneLine(p.Name()), filepath.Base(command.Path))
	return c, nil
}

// name tells the player apart in records.
func (c Contender) name() string {
	switch {
	case c.Name != "":
		return c.Name
	case c.Book != nil:
		return c.Eval.Name + " + book"
	}
	return c.Eval.Name
}

// search is how the player is limited in a match that limits others so.
func (c Contender) search(common engine.Config) engine.Config {
	own := c.Search
	own.HashMB = cmp.Or(own.HashMB, common.HashMB)
	own.Threads = cmp.Or(own.Threads, common.Threads)
	own.Tables = cmp.Or(own.Tables, common.Tables)
	switch {
	case own.Limits() != search.Limits{}:
	case c.Clock.Base > 0: // the clock is limit enough
		own.Depth = search.MaxPly
	default:
		own.Nodes, own.Depth, own.MoveTime = common.Nodes, common.Depth, common.MoveTime
	}
	return own
}

// reproducible tells whether the player moves the same every time.
func (c Contender) reproducible(common engine.Config) bool {
	return c.Program == nil && c.search(common).Reproducible() && c.Clock.Base == 0
}

// limits is how records say what the player was allowed.
func (c Contender) limits(common engine.Config) string {
	text := c.search(common).String()
	if c.Program != nil { // it has a table of its own, or none
		text, _, _ = strings.Cut(text, ", hash")
	}
	return text
}

// players makes players for the match.
func (c Contender) players(req Request) (func() Player, error) {
	own := c.search(req.Config)
	if c.Program != nil {
		command := *c.Program
		command.Margin = req.Margin
		lim := client.Limits{Depth: own.Depth, Nodes: own.Nodes, MoveTime: own.MoveTime.Duration}
		if lim.Depth == search.MaxPly {
			lim.Depth = 0
		}
		return func() Player { return NewProgramPlayer(c.name(), command, lim) }, nil
	}
	e, err := engine.New(engine.Oware(), c.Eval, own, req.Rules.String())
	if err != nil {
		return nil, err
	}
	return func() Player {
		var p Player = NewEnginePlayer(c.name(), e.Knowledge(), own.Options(), own.Limits())
		if c.Book != nil {
			p = &bookPlayer{Player: p, book: c.Book}
		}
		return p
	}, nil
}
