// Package check tries what a program that speaks UCI obeys and what it reports, before work of
// hours depends on it: [Program] asks it about positions of which the answer is known, with
// every kind of limit, and says how Kroo's commands can use it.
package check

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"kroo/engine"
	"kroo/engine/search"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/internal/parallel"
)

// Report is what a program was found to do.
type Report struct {
	Program  string    `json:"program"` // what it calls itself
	Game     string    `json:"game"`
	Findings []Finding `json:"findings"`
	Plays    bool      `json:"plays"`             // the right moves on every board
	Limits   []string  `json:"limits"`            // flags of the limits that it obeys, the best first
	Labels   bool      `json:"labels"`            // it has scores for the side to move
	NoBook   string    `json:"no_book,omitempty"` // the option that switches its book off, as option.NAME=VALUE
}

// Finding is one check.
type Finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// Program checks a program that plays the game of a kit, by its usual rules. An error says that
// it could not be started. It calls progress after each check.
func Program[P search.Position[P]](ctx context.Context, k engine.Kit[P], command client.Command, progress parallel.Progress) (*Report, error) {
	p := newProber(ctx, k, command)
	if err := p.prepare(); err != nil {
		return nil, err
	}
	return p.run(progress)
}

// run asks the program all that is checked.
func (p *prober[P]) run(progress parallel.Progress) (*Report, error) {
	if err := p.program.Run(p.ctx); err != nil {
		return nil, err
	}
	defer p.program.Close()
	p.report.Program = cmp.Or(p.program.Name(), p.command.Path)
	p.book()
	checks := []func(){p.positions, p.nodes, p.depth, p.movetime, p.stop, p.scores, p.reports, p.end, p.repetition}
	for i, check := range checks {
		check()
		if err := p.ctx.Err(); err != nil {
			return nil, err
		}
		progress.At(int64(i+1), int64(len(checks)))
	}
	return p.report, nil
}

// patience is how long an answer may take that no time limits, and how late another may be.
const patience = 5 * time.Second

// prober asks a program.
type prober[P search.Position[P]] struct {
	ctx     context.Context
	kit     engine.Kit[P]
	command client.Command
	times   searchTimes
	program *client.Supervised[P]
	report  *Report
	samples samples[P]
	usual   client.Limits   // one that the program obeys
	seen    []client.Answer // of searches to that
}

// searchTimes are how long the searches take that time ends.
type searchTimes struct{ short, long, stopAfter time.Duration }

func newProber[P search.Position[P]](ctx context.Context, k engine.Kit[P], command client.Command) *prober[P] {
	command.Hang = cmp.Or(command.Hang, patience)
	command.Margin = cmp.Or(command.Margin, patience)
	times := searchTimes{100 * time.Millisecond, 400 * time.Millisecond, 300 * time.Millisecond}
	return &prober[P]{ctx: ctx, kit: k, command: command, program: client.Supervise(k.Game, command), times: times, report: &Report{Game: k.Game.Name, Limits: []string{}}}
}

// ask has the program search, started again if it has failed before.
func (p *prober[P]) ask(l *games.Line[P], lim client.Limits) (client.Answer, error) {
	if err := p.program.Run(p.ctx); err != nil {
		return client.Answer{}, err
	}
	p.program.Forget()
	return p.program.Search(p.ctx, l, lim, nil)
}

func (p *prober[P]) found(check string, ok bool, format string, args ...any) {
	p.report.Findings = append(p.report.Findings, Finding{check, ok, fmt.Sprintf(format, args...)})
}

// book finds the option of the program's own book, and switches it off.
func (p *prober[P]) book() {
	var others []string
	for _, o := range p.program.Options() {
		switch {
		case strings.EqualFold(o.Name, client.BookOption):
			p.report.NoBook = "option." + o.Name + "=false"
			p.found("own book", true, "%s switches it off, as label, book expand and match do", p.report.NoBook)
			p.program.Configure(p.ctx, append([]client.Option{{Name: o.Name, Value: "false"}}, p.command.Options...))
			return
		case strings.Contains(strings.ToLower(o.Name), "book"):
			others = append(others, o.Name)
		}
	}
	if len(others) > 0 {
		p.found("own book", false, "no option %s: if it plays from a book, see its options %s", client.BookOption, strings.Join(others, ", "))
		return
	}
	p.found("own book", true, "none announced")
}

// positions has the program play at the start, on boards and after moves.
func (p *prober[P]) positions() {
	at := p.anyLimit()
	a, err := p.ask(p.samples.start, at)
	p.found("start position", err == nil, "%s", answered(p.kit.Game.MoveName(p.samples.start.Position(), a.Move), err))
	plays := err == nil
	for _, kind := range []struct {
		check string
		lines []*games.Line[P]
	}{{"boards", p.samples.boards}, {"moves", p.samples.lines}} {
		right, why := 0, error(nil)
		for _, l := range kind.lines {
			_, err := p.ask(l, at)
			if why = cmp.Or(why, err); err == nil {
				right++
			}
		}
		plays = plays && why == nil
		p.found(kind.check, why == nil, "%s", answered(fmt.Sprintf("%d legal moves on %d", right, len(kind.lines)), why))
	}
	p.report.Plays = plays
}

// anyLimit is one that most programs obey.
func (p *prober[P]) anyLimit() client.Limits { return client.Limits{Depth: 3} }

func answered(text string, err error) string {
	if err != nil {
		return brief(err)
	}
	return text
}

// brief is an error without what to do about it.
func brief(err error) string {
	text, _, _ := strings.Cut(err.Error(), "; use ")
	text, _, _ = strings.Cut(text, ": expected")
	return text
}

// limit tries two values of a limit.
func (p *prober[P]) limit(check, flag string, text func(client.Limits, client.Answer) string, limits ...client.Limits) {
	var did []string
	for _, lim := range limits {
		a, violation, err := p.tryLimit(lim)
		if err != nil {
			violation = brief(err)
		}
		if violation != "" {
			p.found(check, false, "%s", violation)
			return
		}
		did = append(did, text(lim, a))
	}
	p.found(check, true, "%s", strings.Join(did, ", "))
	p.report.Limits = append(p.report.Limits, flag)
	if p.usual == (client.Limits{}) {
		p.usual = limits[0]
	}
}

// tryLimit asks again where a limit was not obeyed, since the machine may have been busy.
func (p *prober[P]) tryLimit(lim client.Limits) (a client.Answer, violation string, err error) {
	for range tries {
		if a, err = p.ask(p.samples.open, lim); err != nil {
			return a, "", err
		}
		if violation = lim.Disobeyed(a); violation == "" {
			break
		}
	}
	return a, violation, nil
}

// tries are how often a limit is given before it counts as not obeyed.
const tries = 3

func (p *prober[P]) nodes() {
	p.limit("nodes", "--nodes", func(l client.Limits, a client.Answer) string { return fmt.Sprintf("%d of %d", a.Nodes, l.Nodes) },
		client.Limits{Nodes: 2000}, client.Limits{Nodes: 20_000})
}

func (p *prober[P]) depth() {
	p.limit("depth", "--depth", func(l client.Limits, a client.Answer) string { return fmt.Sprintf("%d of %d", a.Depth, l.Depth) },
		client.Limits{Depth: 3}, client.Limits{Depth: 6})
}

func (p *prober[P]) movetime() {
	p.limit("movetime", "--movetime", func(l client.Limits, a client.Answer) string {
		return fmt.Sprintf("%s of %s", a.Time.Round(time.Millisecond), l.MoveTime)
	}, client.Limits{MoveTime: p.times.short}, client.Limits{MoveTime: p.times.long})
}

// stop has the program search for long, and stops it.
func (p *prober[P]) stop() {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	whole := p.ctx
	p.ctx = ctx
	begin := time.Now()
	timer := time.AfterFunc(p.times.stopAfter, cancel)
	_, err := p.ask(p.samples.open, client.Limits{MoveTime: time.Hour})
	timer.Stop()
	took := time.Since(begin)
	p.ctx = whole
	switch {
	case errors.Is(err, context.Canceled):
		p.found("stop", true, "after %s", max(took-p.times.stopAfter, 0).Round(time.Millisecond))
	case err != nil:
		p.found("stop", false, "%s", brief(err))
	default:
		p.found("stop", true, "not needed: it moved after %s", took.Round(time.Millisecond))
	}
}

// scores compares the signs of scores with those of a search, for both sides to move.
func (p *prober[P]) scores() {
	if len(p.samples.won) == 0 {
		p.found("scores", false, "no positions to compare were found")
		return
	}
	sides := p.kit.Game.Sides
	var right, turned [2]int
	var told []string
	for _, w := range p.samples.won {
		a, err := p.ask(w.line, cmp.Or(p.usual, p.anyLimit()))
		if err != nil {
			p.found("scores", false, "%s", brief(err))
			return
		}
		p.seen = append(p.seen, a)
		if !a.Scored {
			p.found("scores", false, "none: expected info … score cp N before bestmove")
			return
		}
		side := p.kit.Game.SideToMove(w.line.Position())
		told = append(told, fmt.Sprintf("%s %+d where a search has %+d", sides[side], a.Score, w.score))
		switch cmp.Compare(a.Score, 0) {
		case cmp.Compare(w.score, 0):
			right[side]++
		case -cmp.Compare(w.score, 0):
			turned[side]++
		}
	}
	each := len(p.samples.won) / 2
	switch {
	case right == [2]int{each, each}:
		p.report.Labels = true
		p.found("scores", true, "for the side to move, as %s and as %s", sides[0], sides[1])
	case right[0] == each && turned[1] == each:
		p.found("scores", false, "for %s, whoever is to move: UCI wants them for the side to move", sides[0])
	default:
		p.found("scores", false, "signs differ from those of a search: %s", strings.Join(told, ", "))
	}
}

// reports lists what the searches report.
func (p *prober[P]) reports() {
	var tells, not []string
	for _, what := range []struct {
		name string
		told func(client.Answer) bool
	}{
		{"score", func(a client.Answer) bool { return a.Scored }},
		{"depth", func(a client.Answer) bool { return a.Depth > 0 }},
		{"nodes", func(a client.Answer) bool { return a.Nodes > 0 }},
		{"pv", func(a client.Answer) bool { return len(a.PV) > 0 }},
	} {
		told := false
		for _, a := range p.seen {
			told = told || what.told(a)
		}
		if told {
			tells = append(tells, what.name)
		} else {
			not = append(not, "no "+what.name)
		}
	}
	p.found("reports", len(not) == 0, "%s", strings.Join(append(tells, not...), ", "))
}

// end asks about a game that is over, which no command does.
func (p *prober[P]) end() {
	if p.samples.over == nil {
		return
	}
	a, err := p.ask(p.samples.over, cmp.Or(p.usual, p.anyLimit()))
	switch {
	case errors.Is(err, client.ErrNoMove):
		p.found("end of game", true, "it says that there is no move")
	case err != nil:
		p.found("end of game", false, "%s; Kroo never asks there", brief(err))
	default:
		p.found("end of game", true, "it plays on, %s; Kroo never asks there", p.kit.Game.MoveName(p.samples.over.Position(), a.Move))
	}
}

// repetition asks about a position that was on the board before, or is a move before one.
func (p *prober[P]) repetition() {
	if p.samples.again == nil {
		p.found("repetition", true, "no line that repeats was found")
		return
	}
	a, err := p.ask(p.samples.again, cmp.Or(p.usual, p.anyLimit()))
	p.found("repetition", err == nil, "%s", answered("a legal move, "+p.kit.Game.MoveName(p.samples.again.Position(), a.Move), err))
}
