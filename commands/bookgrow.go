package commands

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/run/inspect"
)

// expandArgs is the settings of `book expand`.
type expandArgs struct {
	dropout.BookConfig
	dropout.Stop
	workersFlag
	farmFlags
	engineFlag
	rulesFlag
	bookWeightsFlag
	positionFlag
	Preset     string `name:"preset" choices:"default night thesis" help:"default, night or thesis"`
	Cover      string `name:"cover" file:"in" help:"games or lines (OGN) to expand first"`
	CoverPlies int    `name:"cover_plies" default:"12" range:"1.." help:"plies of each to follow"`
	Out        string `name:"output" flag:"output,o" file:"made" help:"book to write"`
}

func bookExpandCommand() *cobra.Command {
	e := expandArgs{BookConfig: dropout.BookConfig{Config: engine.Config{Nodes: 200_000}}}
	return newCommand(&cobra.Command{
		Use:   "expand",
		Short: "grow a book by drop-out expansion",
		Long: `Grows an opening book by drop-out expansion, from the start or another position.
It first expands positions where an opponent is likely to leave the book.

It ends at --expansions, --evaluations or --time, whichever comes first, or when the root
is solved. Ctrl-C writes the book as it is. The log keeps all finished searches: the same
command resumes from it, also with other such limits or another --width, --omega or
--side. A log belongs to one set of rules, weights, endgame tables and search limits.

Each search visits 200 000 positions unless --nodes, --depth, --movetime or a preset says
otherwise.

While the book grows, a terminal shows the best first move and its value in seeds, the best
line and the next leaf: the one with the lowest priority, which is its depth in plies plus
--omega for each seed that the opponent's moves on the way lose.
` + presetText() + "\n" + engineHelp,
		Example: "  train book expand --expansions 500 --nodes 200000 --weights weights.json -o book.bin\n" +
			"  train book expand --preset default -o book.bin\n" +
			"  train book expand --preset default -o book.bin --farm embedded --width 64\n" +
			"  train book expand --cover lines.ogn --cover-plies 10 --time 1h --nodes 1000000 -o book.bin\n" +
			"  train book expand --engine 'cmd=./engine uci,option.Hash=16' --nodes 200000 -o theirs.bin",
	}, e.run, &e)
}

// presetText describes the presets, one per line.
func presetText() string {
	var b strings.Builder
	b.WriteString("\nA preset sets flags; flags given with it override it:\n")
	for _, p := range dropout.Presets() {
		fmt.Fprintf(&b, "  %-8s %s\n", p.Name, p.Text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (e *expandArgs) run(j *job) {
	e.usePreset(j)
	req := e.request(j)
	req.Farm = j.dial(e.farmFlags)
	sum, err := dropout.Grow(j.Context(), req, e.Out, j.progress("book", "entries"))
	if sum.Entries > 0 {
		j.show("", sum.Doc(e.Out, req))
	}
	check(err)
}

// request returns the settings of the expansion, and claims its outputs.
func (e *expandArgs) request(j *job) dropout.Request {
	req := dropout.Request{BookConfig: e.BookConfig, Stop: e.Stop, Workers: e.Workers, Log: e.Out + ".log", Partial: true}
	r := oware.Rules(e.Rules)
	check(asUsage(cmp.Or(req.Check(), book.CheckRules(r))))
	req.Root = positionOf(oware.Descriptor(), r.String(), e.Position)
	req.By = e.engineFlag.searcher(j, e.Weights, &req.Config)
	if e.Cover != "" {
		req.Cover = dropout.Cover(gamesUnder(r, e.Cover), e.CoverPlies)
	}
	outputs := []output{
		{path: e.Out, kind: inspect.KindBook, log: req.Log, unlogged: "cover|cover-plies|position|rules"},
		{path: req.Log, kind: inspect.KindJournal},
	}
	req.Made = j.claimOutputs(outputs, e.Weights, e.Tables, e.Cover)
	return req
}

// usePreset applies the preset to settings that are not given as flags.
func (e *expandArgs) usePreset(j *job) {
	if !j.given("expansions") && (e.Preset != "" || e.Stop != (dropout.Stop{})) {
		e.Expansions = 0
	}
	for _, p := range dropout.Presets() {
		if p.Name != e.Preset {
			continue
		}
		if e.Stop == (dropout.Stop{}) && !j.given("expansions") {
			e.Stop = p.Stop
		}
		if !j.given("side") {
			e.Sides = p.Sides
		}
		if !j.given("omega") {
			e.Omega = p.Omega
		}
		if !j.given("hash") {
			e.HashMB = p.HashMB
		}
		if !j.limited() {
			e.Nodes, e.Depth, e.MoveTime = p.Config.Nodes, p.Config.Depth, p.Config.MoveTime
		}
	}
}

// deepenArgs is the settings of `book deepen`.
type deepenArgs struct {
	engine.Config
	dropout.DeepenRequest `name:"."`
	farmFlags
	engineFlag
	bookWeightsFlag
	positionFlag
	Out string `name:"output" flag:"output,o" file:"made" help:"book to write"`
}

func bookDeepenCommand() *cobra.Command {
	d := deepenArgs{Config: engine.Config{HashMB: 64, Nodes: 4_000_000}}
	return newCommand(&cobra.Command{
		Use:   "deepen BOOK",
		Short: "search the leaves of a book again, with more nodes",
		Long: `Searches leaves of a book again and writes a book of the same positions with the new
values. A leaf is a position after a book move that is not in the book. It
searches those on lines where no single move loses more than --loss to the best book move
and all moves together lose at most --total-loss, lines with the least loss first. New
values may bring other lines within the limits; the command ends when every leaf on such
lines is searched, or at --searches or --time.

Use the search settings that made the book ("train inspect BOOK" prints them). Ctrl-C writes
the book as it is. The log keeps all finished searches: the same command resumes from it,
also with another --searches, --time, --loss, --total-loss or --round.
"train book query" shows where each value comes from.
` + engineHelp,
		Example: "  train book deepen book.bin -o deeper.bin\n" +
			"  train book deepen default --nodes 4000000 --loss 0.3 --total-loss 1 -o deeper.bin\n" +
			"  train book deepen book.bin --time 1h -o deeper.bin --farm embedded",
		Args: exactArgs(1, "the book"),
	}, d.run, &d)
}

func (d *deepenArgs) run(j *job) {
	req := d.DeepenRequest
	check(asUsage(req.Check()))
	req.By = d.engineFlag.searcher(j, d.Weights, &d.Config)
	req.Notice, req.Log = warn, d.Out+".log"
	b, r := j.openBook(j.args[0])
	req.Rules, req.Root = r, positionOf(oware.Descriptor(), r.String(), d.Position)
	outputs := []output{
		{path: d.Out, kind: inspect.KindBook, log: req.Log, unlogged: "position|rules"},
		{path: req.Log, kind: inspect.KindJournal},
	}
	req.Made = j.claimOutputs(outputs, j.args[0], d.Weights, d.Tables)
	req.Farm = j.dial(d.farmFlags)
	sum, err := dropout.Deepen(j.Context(), b, req, d.Out, j.progress("deepen", "leaves"))
	if sum.Entries > 0 {
		j.show("", sum.Doc(d.Out, req))
	}
	check(err)
}
