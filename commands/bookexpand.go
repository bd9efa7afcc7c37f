package commands

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	"kroo/games/oware"
	"kroo/run/inspect"
)

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

It ends at --expansions, --searches or --time, whichever comes first, or when the root
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

func presetText() string {
	var b strings.Builder
	b.WriteString("\nA preset sets flags; flags given with it override it:\n")
	for _, p := range dropout.Presets() {
		fmt.Fprintf(&b, "  %-8s %s\n", p.Name, p.Text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (e *expandArgs) run(j *job) error {
	e.usePreset(j)
	req, err := e.request(j)
	if err != nil {
		return err
	}
	req.Farm, err = j.dial(e.farmFlags)
	if err != nil {
		return err
	}
	sum, err := dropout.Grow(j.Context(), req, e.Out, j.progress("book", "entries"))
	if sum.Entries > 0 {
		if err := j.show("", sum.Doc(e.Out, req)); err != nil {
			return err
		}
	}
	return err
}

// request returns the settings of the expansion, and claims its outputs.
func (e *expandArgs) request(j *job) (dropout.Request, error) {
	req := dropout.Request{BookConfig: e.BookConfig, Stop: e.Stop, Workers: e.Workers, Log: e.Out + ".log", Partial: true}
	r := oware.Rules(e.Rules)
	if err := asUsage(cmp.Or(req.Check(), book.CheckRules(r))); err != nil {
		return dropout.Request{}, err
	}
	if e.Cover == "" {
		if err := j.notWithout("--cover", "cover-plies"); err != nil {
			return dropout.Request{}, err
		}
	}
	var err error
	req.Root, err = positionOf(oware.Descriptor(), r.String(), "--position", e.Position)
	if err != nil {
		return dropout.Request{}, err
	}
	req.By, err = e.engineFlag.searcher(j, e.Weights, &req.Config)
	if err != nil {
		return dropout.Request{}, err
	}
	if e.Cover != "" {
		records, err := gamesUnder(r, e.Cover)
		if err != nil {
			return dropout.Request{}, err
		}
		req.Cover = dropout.Cover(records, e.CoverPlies)
	}
	outputs := []output{
		{
			path:     e.Out,
			kind:     inspect.KindBook,
			log:      req.Log,
			unlogged: []string{"cover", "cover-plies", "position", "rules"},
		},
		{path: req.Log, kind: inspect.KindJournal},
	}
	req.Made, err = j.claimOutputs(outputs, slices.Concat([]string{e.Weights, e.Tables, e.Cover}, programFiles(req.By))...)
	if err != nil {
		return dropout.Request{}, err
	}
	return req, nil
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
		if !j.hasLimit() {
			e.Nodes = p.Config.Nodes
			e.Depth = p.Config.Depth
			e.MoveTime = p.Config.MoveTime
		}
	}
}
