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
// the program cannot be started. progress is called before the first check and after each.
func Program[P search.Position[P]](
	ctx context.Context, k engine.Kit[P], command client.Command, progress parallel.Progress,
) (*Report, error) {
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
	checks := []func(){p.book, p.positions, p.nodes, p.depth, p.movetime, p.stop, p.scores, p.end, p.repetition}
	progress.At(0, int64(len(checks)))
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
	limits  client.Limits // of searches: the first that the program obeys
}

// searchTimes are the times of searches that end by time.
type searchTimes struct{ short, long, stopAfter time.Duration }

func newProber[P search.Position[P]](ctx context.Context, k engine.Kit[P], command client.Command) *prober[P] {
	command.Hang = cmp.Or(command.Hang, timeout)
	command.Margin = cmp.Or(command.Margin, timeout)
	return &prober[P]{
		ctx: ctx, kit: k, command: command, program: client.New(k.Game, command),
		times:  searchTimes{100 * time.Millisecond, 400 * time.Millisecond, 300 * time.Millisecond},
		report: &Report{Game: k.Game.Name, Limits: []string{}},
		limits: client.Limits{Depth: 3}, // which most programs obey
	}
}

// ask runs a search.
func (p *prober[P]) ask(ctx context.Context, l *games.Line[P], lim client.Limits) (client.Answer, error) {
	p.program.Forget()
	return p.program.Search(ctx, l, lim, nil)
}

// move asks for a move within the limits, and returns its name.
func (p *prober[P]) move(l *games.Line[P]) (string, error) {
	a, err := p.ask(p.ctx, l, p.limits)
	if err != nil {
		return "", err
	}
	return p.kit.Game.MoveName(l.Position(), a.Best), nil
}

// add adds a finding.
func (p *prober[P]) add(check string, ok bool, format string, args ...any) {
	p.report.Findings = append(p.report.Findings, Finding{check, ok, fmt.Sprintf(format, args...)})
}

// addResult adds a finding: the error without its remedy, or the text.
func (p *prober[P]) addResult(check string, err error, text string) {
	if err != nil {
		text, _, _ = strings.Cut(err.Error(), "; use ")
		text, _, _ = strings.Cut(text, ": expected")
	}
	p.add(check, err == nil, "%s", text)
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
		p.add("own book", false, "no option %s: if it plays from a book, see its options %s", client.BookOption,
			strings.Join(others, ", "))
		return
	}
	p.add("own book", true, "no option announced")
}

// positions asks for moves at the start, on boards and after moves.
func (p *prober[P]) positions() {
	name, err := p.move(p.samples.start)
	p.addResult("start position", err, name)
	p.report.Plays = err == nil
	for _, kind := range []struct {
		check string
		lines []*games.Line[P]
	}{{"boards", p.samples.boards}, {"moves", p.samples.lines}} {
		var why error
		for _, l := range kind.lines {
			_, err := p.move(l)
			why = cmp.Or(why, err)
		}
		p.report.Plays = p.report.Plays && why == nil
		p.addResult(kind.check, why, fmt.Sprintf("a legal move in all %d", len(kind.lines)))
	}
}

// limit checks a limit with several values. A search whose limit was not obeyed is repeated, because
// the machine may have been busy.
func (p *prober[P]) limit(check string, text func(client.Limits, client.Answer) string, limits ...client.Limits) {
	var details []string
	for _, lim := range limits {
		var a client.Answer
		err := error(nil)
		for range tries {
			a, err = p.ask(p.ctx, p.samples.open, lim)
			if err != nil {
				break
			}
			if violation := lim.Violation(a); violation != "" {
				err = errors.New(violation)
				continue
			}
			break
		}
		if err != nil {
			p.addResult(check, err, "")
			return
		}
		details = append(details, text(lim, a))
	}
	p.addResult(check, nil, strings.Join(details, ", "))
	if len(p.report.Limits) == 0 {
		p.limits = limits[0]
	}
	p.report.Limits = append(p.report.Limits, "--"+check)
}

// tries is the number of searches after which a limit counts as not obeyed.
const tries = 3

func (p *prober[P]) nodes() {
	p.limit("nodes", func(l client.Limits, a client.Answer) string { return fmt.Sprintf("%d of %d", a.Nodes, l.Nodes) },
		client.Limits{Nodes: 2000}, client.Limits{Nodes: 20_000})
}

func (p *prober[P]) depth() {
	p.limit("depth", func(l client.Limits, a client.Answer) string { return fmt.Sprintf("%d of %d", a.Depth, l.Depth) },
		client.Limits{Depth: 3}, client.Limits{Depth: 6})
}

func (p *prober[P]) movetime() {
	p.limit("movetime", func(l client.Limits, a client.Answer) string {
		return fmt.Sprintf("%s of %s", a.Time.Round(time.Millisecond), l.MoveTime)
	}, client.Limits{MoveTime: p.times.short}, client.Limits{MoveTime: p.times.long})
}

// stop stops a long search.
func (p *prober[P]) stop() {
	ctx, cancel := context.WithCancel(p.ctx)
	defer cancel()
	begin := time.Now()
	timer := time.AfterFunc(p.times.stopAfter, cancel)
	defer timer.Stop()
	_, err := p.ask(ctx, p.samples.open, client.Limits{MoveTime: time.Hour})
	took := time.Since(begin)
	if errors.Is(err, context.Canceled) {
		p.add("stop", true, "after %s", max(took-p.times.stopAfter, 0).Round(time.Millisecond))
		return
	}
	p.addResult("stop", err, fmt.Sprintf("not tested: it moved after %s", took.Round(time.Millisecond)))
}

// scores compares the signs of scores with those of Kroo's search, for both sides to move, and lists
// what the searches report.
func (p *prober[P]) scores() {
	won := p.samples.won
	if len(won) == 0 {
		p.add("scores", false, "not tested: no suitable positions found")
		return
	}
	var signs signCounts
	var details []string
	var missing error
	reported := map[string]bool{}
	for _, w := range won {
		a, err := p.ask(p.ctx, w.line, p.limits)
		noteReported(reported, a)
		if err == nil && !a.Scored {
			err = errNoScore
		}
		if err != nil {
			missing = err
			break
		}
		side := p.kit.Game.SideToMove(w.line.Position())
		details = append(details, fmt.Sprintf("%s %+d, Kroo %+d", p.kit.Game.Sides[side], a.Score, w.score))
		signs.add(side, a.Score, w.score)
	}
	p.judgeSigns(signs, len(won)/2, details, missing)
	p.judgeReports(reported)
}

// signCounts counts scores, by the side to move.
type signCounts struct {
	right  [2]int // of the sign of Kroo's score
	turned [2]int // of the opposite sign
}

func (c *signCounts) add(side, score, expected int) {
	switch cmp.Compare(score, 0) {
	case cmp.Compare(expected, 0):
		c.right[side]++
	case -cmp.Compare(expected, 0):
		c.turned[side]++
	}
}

// judgeSigns adds the finding about the signs of scores, of which there are a number for each side to move.
func (p *prober[P]) judgeSigns(signs signCounts, perSide int, details []string, missing error) {
	sides := p.kit.Game.Sides
	p.report.Labels = signs.right == [2]int{perSide, perSide}
	switch {
	case missing != nil:
		p.addResult("scores", missing, "")
	case p.report.Labels:
		p.add("scores", true, "for the side to move, as %s and as %s", sides[0], sides[1])
	case signs.right[0] == perSide && signs.turned[1] == perSide:
		p.add("scores", false, "always for %s: expected scores for the side to move", sides[0])
	default:
		p.add("scores", false, "signs differ from Kroo's search: %s", strings.Join(details, ", "))
	}
}

// reportable are the parts of a search's report, in the order of the finding about them.
var reportable = []string{"score", "depth", "nodes", "pv"}

// noteReported adds the parts that a search has reported.
func noteReported(reported map[string]bool, a client.Answer) {
	reported["score"] = reported["score"] || a.Scored
	reported["depth"] = reported["depth"] || a.Depth > 0
	reported["nodes"] = reported["nodes"] || a.Nodes > 0
	reported["pv"] = reported["pv"] || len(a.PV) > 0
}

// judgeReports adds the finding about what the searches have reported.
func (p *prober[P]) judgeReports(reported map[string]bool) {
	var list, lacking []string
	for _, name := range reportable {
		if reported[name] {
			list = append(list, name)
		} else {
			lacking = append(lacking, "no "+name)
		}
	}
	p.add("reports", lacking == nil, "%s", strings.Join(append(list, lacking...), ", "))
}

var errNoScore = errors.New("none: label and book expand need info … score cp N before bestmove")

// end asks about a game that is over, which no command does.
func (p *prober[P]) end() {
	if p.samples.over == nil {
		return
	}
	const never = "; Kroo never asks this"
	name, err := p.move(p.samples.over)
	switch {
	case errors.Is(err, client.ErrNoMove):
		p.add("end of game", true, "it reports that there is no move")
	case err != nil:
		p.addResult("end of game", err, "")
		p.report.Findings[len(p.report.Findings)-1].Detail += never
	default:
		p.add("end of game", true, "it plays %s%s", name, never)
	}
}

// repetition asks about a position that has been on the board before, or is one move before that.
func (p *prober[P]) repetition() {
	if p.samples.again == nil {
		p.add("repetition", true, "not tested: no repetition found")
		return
	}
	name, err := p.move(p.samples.again)
	p.addResult("repetition", err, "a legal move, "+name)
}
