// Package check tests a program that speaks UCI before hours of work depend on it: which limits
// it obeys, what it reports, and whether it plays legal moves. [Program] asks about positions
// with known answers and reports how Kroo's commands can use the program.
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

// Report is the result of a check.
type Report struct {
	Program  string    `json:"program"` // its name by itself
	Game     string    `json:"game"`
	Findings []Finding `json:"findings"`
	Plays    bool      `json:"plays"`             // legal moves on every board
	Limits   []string  `json:"limits"`            // flags of the limits that it obeys, best first
	Labels   bool      `json:"labels"`            // its scores are for the side to move
	NoBook   string    `json:"no_book,omitempty"` // option that switches its book off, as option.NAME=VALUE
}

// Finding is the result of one check.
type Finding struct {
	Check  string `json:"check"`
	OK     bool   `json:"ok"`
	Detail string `json:"detail"`
}

// Program checks a program that plays the game of a kit by the game's default rules. It fails if
// the program cannot be started. progress is called after each check.
func Program[P search.Position[P]](ctx context.Context, k engine.Kit[P], command client.Command, progress parallel.Progress) (*Report, error) {
	p := newProber(ctx, k, command)
	if err := p.prepare(); err != nil {
		return nil, err
	}
	return p.run(progress)
}

// run runs all checks.
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

// timeout is the time limit of an answer without a time limit, and the margin of others.
const timeout = 5 * time.Second

// prober checks a program.
type prober[P search.Position[P]] struct {
	ctx     context.Context
	kit     engine.Kit[P]
	command client.Command
	times   searchTimes
	program *client.Client[P]
	report  *Report
	samples samples[P]
	obeyed  client.Limits   // the first limit that the program obeys
	answers []client.Answer // of searches with that limit
}

// searchTimes are the times of searches that end by time.
type searchTimes struct{ short, long, stopAfter time.Duration }

func newProber[P search.Position[P]](ctx context.Context, k engine.Kit[P], command client.Command) *prober[P] {
	command.Hang = cmp.Or(command.Hang, timeout)
	command.Margin = cmp.Or(command.Margin, timeout)
	times := searchTimes{100 * time.Millisecond, 400 * time.Millisecond, 300 * time.Millisecond}
	return &prober[P]{ctx: ctx, kit: k, command: command, program: client.New(k.Game, command), times: times, report: &Report{Game: k.Game.Name, Limits: []string{}}}
}

// ask runs a search, restarting the program if it has failed before.
func (p *prober[P]) ask(l *games.Line[P], lim client.Limits) (client.Answer, error) {
	if err := p.program.Run(p.ctx); err != nil {
		return client.Answer{}, err
	}
	p.program.Forget()
	return p.program.Search(p.ctx, l, lim, nil)
}

// add adds a finding.
func (p *prober[P]) add(check string, ok bool, format string, args ...any) {
	p.report.Findings = append(p.report.Findings, Finding{check, ok, fmt.Sprintf(format, args...)})
}

// book finds the option of the program's own book and switches it off.
func (p *prober[P]) book() {
	var others []string
	for _, o := range p.program.Options() {
		switch {
		case strings.EqualFold(o.Name, client.BookOption):
			p.report.NoBook = "option." + o.Name + "=false"
			p.add("own book", true, "%s switches it off; label, book expand and match set it", p.report.NoBook)
			p.program.Configure(p.ctx, append([]client.Option{{Name: o.Name, Value: "false"}}, p.command.Options...))
			return
		case strings.Contains(strings.ToLower(o.Name), "book"):
			others = append(others, o.Name)
		}
	}
	if len(others) > 0 {
		p.add("own book", false, "no option %s: if it plays from a book, see its options %s", client.BookOption, strings.Join(others, ", "))
		return
	}
	p.add("own book", true, "no option announced")
}

// positions asks for moves at the start, on boards and after moves.
func (p *prober[P]) positions() {
	at := p.anyLimit()
	a, err := p.ask(p.samples.start, at)
	p.add("start position", err == nil, "%s", answered(p.kit.Game.MoveName(p.samples.start.Position(), a.Best), err))
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
		p.add(kind.check, why == nil, "%s", answered(fmt.Sprintf("%d legal moves on %d", right, len(kind.lines)), why))
	}
	p.report.Plays = plays
}

// anyLimit returns a limit that most programs obey.
func (p *prober[P]) anyLimit() client.Limits { return client.Limits{Depth: 3} }

func answered(text string, err error) string {
	if err != nil {
		return brief(err)
	}
	return text
}

// brief returns an error without its remedy.
func brief(err error) string {
	text, _, _ := strings.Cut(err.Error(), "; use ")
	text, _, _ = strings.Cut(text, ": expected")
	return text
}

// limit checks a limit with several values.
func (p *prober[P]) limit(check, flag string, text func(client.Limits, client.Answer) string, limits ...client.Limits) {
	var details []string
	for _, lim := range limits {
		a, violation, err := p.tryLimit(lim)
		if err != nil {
			violation = brief(err)
		}
		if violation != "" {
			p.add(check, false, "%s", violation)
			return
		}
		details = append(details, text(lim, a))
	}
	p.add(check, true, "%s", strings.Join(details, ", "))
	p.report.Limits = append(p.report.Limits, flag)
	if p.obeyed == (client.Limits{}) {
		p.obeyed = limits[0]
	}
}

// tryLimit repeats a search whose limit was not obeyed, because the machine may have been busy.
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

// tries is the number of searches after which a limit counts as not obeyed.
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

// stop stops a long search.
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
		p.add("stop", true, "after %s", max(took-p.times.stopAfter, 0).Round(time.Millisecond))
	case err != nil:
		p.add("stop", false, "%s", brief(err))
	default:
		p.add("stop", true, "not tested: it moved after %s", took.Round(time.Millisecond))
	}
}

// scores compares the signs of scores with those of Kroo's search, for both sides to move.
func (p *prober[P]) scores() {
	if len(p.samples.won) == 0 {
		p.add("scores", false, "not tested: no suitable positions found")
		return
	}
	sides := p.kit.Game.Sides
	var right, turned [2]int
	var details []string
	for _, w := range p.samples.won {
		a, err := p.ask(w.line, cmp.Or(p.obeyed, p.anyLimit()))
		if err != nil {
			p.add("scores", false, "%s", brief(err))
			return
		}
		p.answers = append(p.answers, a)
		if !a.Scored {
			p.add("scores", false, "none: expected info … score cp N before bestmove")
			return
		}
		side := p.kit.Game.SideToMove(w.line.Position())
		details = append(details, fmt.Sprintf("%s %+d, Kroo %+d", sides[side], a.Score, w.score))
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
		p.add("scores", true, "for the side to move, as %s and as %s", sides[0], sides[1])
	case right[0] == each && turned[1] == each:
		p.add("scores", false, "always for %s: expected scores for the side to move", sides[0])
	default:
		p.add("scores", false, "signs differ from Kroo's search: %s", strings.Join(details, ", "))
	}
}

// reports lists what the searches report.
func (p *prober[P]) reports() {
	var reported, missing []string
	for _, what := range []struct {
		name string
		has  func(client.Answer) bool
	}{
		{"score", func(a client.Answer) bool { return a.Scored }},
		{"depth", func(a client.Answer) bool { return a.Depth > 0 }},
		{"nodes", func(a client.Answer) bool { return a.Nodes > 0 }},
		{"pv", func(a client.Answer) bool { return len(a.PV) > 0 }},
	} {
		found := false
		for _, a := range p.answers {
			found = found || what.has(a)
		}
		if found {
			reported = append(reported, what.name)
		} else {
			missing = append(missing, "no "+what.name)
		}
	}
	p.add("reports", len(missing) == 0, "%s", strings.Join(append(reported, missing...), ", "))
}

// end asks about a game that is over, which no command does.
func (p *prober[P]) end() {
	if p.samples.over == nil {
		return
	}
	a, err := p.ask(p.samples.over, cmp.Or(p.obeyed, p.anyLimit()))
	switch {
	case errors.Is(err, client.ErrNoMove):
		p.add("end of game", true, "it reports that there is no move")
	case err != nil:
		p.add("end of game", false, "%s; Kroo never asks this", brief(err))
	default:
		p.add("end of game", true, "it plays %s; Kroo never asks this", p.kit.Game.MoveName(p.samples.over.Position(), a.Best))
	}
}

// repetition asks about a position that has been on the board before, or is one move before that.
func (p *prober[P]) repetition() {
	if p.samples.again == nil {
		p.add("repetition", true, "not tested: no repetition found")
		return
	}
	a, err := p.ask(p.samples.again, cmp.Or(p.obeyed, p.anyLimit()))
	p.add("repetition", err == nil, "%s", answered("a legal move, "+p.kit.Game.MoveName(p.samples.again.Position(), a.Best), err))
}
