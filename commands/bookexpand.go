package commands

import (
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/dropout"
	"kroo/engine"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/spec"
	"kroo/run/inspect"
)

// expandFlags are the flags of `book expand`.
type expandFlags struct {
	search                     searchFlags
	farm                       farmFlags
	engine                     engineFlag
	req                        dropout.Request
	rules, board, weights, out string
	preset, cover              string
	coverPlies                 int
	asJSON                     bool
}

func bookExpandCommand() *cobra.Command {
	var e expandFlags
	cmd := &cobra.Command{
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

While the book grows, a terminal shows the values of the first moves in seeds, the best
line and the next leaf: the one with the lowest priority, which is its depth in plies plus
--omega for each seed that the opponent's moves on the way lose.
` + presetText(),
		Example: "  train book expand --expansions 500 --nodes 200000 --weights weights.json -o book.bin\n" +
			"  train book expand --preset default -o book.bin\n" +
			"  train book expand --preset default -o book.bin --farm embedded --width 64\n" +
			"  train book expand --cover lines.ogn --cover-plies 10 --time 1h --nodes 1000000 -o book.bin\n" +
			"  train book expand --engine 'cmd=./engine uci,option.Hash=16' --nodes 200000 -o theirs.bin",
		Args: exactArgs(0, "no operands"),
		RunE: func(cmd *cobra.Command, _ []string) error { return e.run(cmd) },
	}
	e.add(cmd)
	return cmd
}

// presetText lists the presets for a person.
func presetText() string {
	var b strings.Builder
	b.WriteString("\nA preset sets flags; flags given with it override it:\n")
	for _, p := range dropout.Presets() {
		fmt.Fprintf(&b, "  %-8s %s\n", p.Name, p.Text)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

func (e *expandFlags) add(cmd *cobra.Command) {
	f := cmd.Flags()
	spec.Default(&e.req.BookConfig)
	spec.Flags(f, &e.req.BookConfig)
	spec.Flags(f, &e.req.Stop)
	e.search.take(cmd, &e.req.Config, engine.Config{Nodes: 200_000})
	workersFlag(cmd, &e.req.Workers)
	e.farm.add(cmd)
	e.engine.add(cmd)
	servedRulesFlag(cmd, &e.rules)
	outFlag(cmd, &e.out, "book to write")
	f.StringVar(&e.preset, "preset", "", "default, night or thesis")
	bookWeightsFlag(cmd, &e.weights)
	positionFlag(cmd, &e.board)
	f.StringVar(&e.cover, "cover", "", "games or lines (OGN) to expand first")
	f.IntVar(&e.coverPlies, "cover-plies", 12, "how far to follow them")
	jsonFlag(cmd, &e.asJSON)
}

func (e *expandFlags) run(cmd *cobra.Command) error {
	if err := e.read(cmd); err != nil {
		return err
	}
	var err error
	var leave func()
	if e.req.Farm, leave, err = e.farm.dial(cmd.Context()); err != nil {
		return err
	}
	defer leave()
	if e.preset == "" {
		e.search.tellDefault("; --nodes, --depth, --movetime or --preset set another limit")
	}
	view := newExpandView(e.req.Root.ToMove(), e.req.Omega)
	_, sum, err := dropout.Grow(cmd.Context(), e.req, e.out, view.update)
	if sum.Entries > 0 {
		if perr := e.print(cmd.OutOrStdout(), sum); err == nil {
			err = perr
		}
	}
	if err != nil {
		return resumable{err, thisCommand(), e.req.Log}
	}
	return nil
}

// read makes the request of the flags.
func (e *expandFlags) read(cmd *cobra.Command) (err error) {
	if err := needOut(e.out); err != nil {
		return err
	}
	if err := e.usePreset(cmd); err != nil {
		return err
	}
	if err := e.check(); err != nil {
		return err
	}
	if rules, err := parseRules(e.rules); err != nil {
		return err
	} else if err := book.CheckRules(rules); err != nil {
		return usageError{err}
	}
	if e.req.Root, err = positionOf(oware.Descriptor(), e.rules, e.board); err != nil {
		return err
	}
	if e.req.Config, err = e.search.config(); err != nil {
		return err
	}
	if err := e.engine.take(cmd, "weights", "hash"); err != nil {
		return err
	}
	e.engine.tables(cmd, &e.req.Tables)
	e.req.By = engine.Spec{Weights: e.weights, Program: e.engine.program}
	if e.req.Cover, err = readCover(e.cover, e.coverPlies, e.req.Root.Rules()); err != nil {
		return err
	}
	e.req.Log = e.out + ".log"
	e.req.Partial = true
	grows := "expansions|evaluations|time|width|omega|side"
	outputs := []output{{path: e.out, holds: inspect.KindBook, log: e.req.Log, grows: grows}, {path: e.req.Log, holds: inspect.KindJournal}}
	e.req.Made, err = takeOutputs(cmd, outputs, e.weights, e.search.given.Tables, e.cover)
	return err
}

// usePreset fills in what no flag says.
func (e *expandFlags) usePreset(cmd *cobra.Command) error {
	given := cmd.Flags().Changed
	if !given("expansions") && (e.preset != "" || e.req.Stop != (dropout.Stop{})) {
		e.req.Expansions = 0
	}
	if e.preset == "" {
		return nil
	}
	for _, p := range dropout.Presets() {
		if p.Name != e.preset {
			continue
		}
		if e.req.Stop == (dropout.Stop{}) && !given("expansions") {
			e.req.Stop = p.Stop
		}
		if !given("side") {
			e.req.Sides = p.Sides
		}
		if !given("omega") {
			e.req.Omega = p.Omega
		}
		if !given("hash") {
			e.search.given.HashMB = p.HashMB
		}
		e.search.fallback = p.Config
		return nil
	}
	return usagef("--preset is %q: expected default, night or thesis", e.preset)
}

func (e *expandFlags) check() error {
	if err := e.req.Check(); err != nil {
		return usageError{err}
	}
	if e.coverPlies < 1 {
		return usagef("--cover-plies is %d: expected at least 1", e.coverPlies)
	}
	return nil
}

// readCover reads the lines that are to be expanded first.
func readCover(path string, plies int, rules oware.Rules) ([]oware.Position, error) {
	if path == "" {
		return nil, nil
	}
	records, err := gamesUnder(rules, path)
	return dropout.Cover(records, plies), err
}

// gamesUnder reads a file of games, all of them under the same rules.
func gamesUnder(rules oware.Rules, path string) ([]games.Record[oware.Position], error) {
	records, err := readGames(oware.Descriptor(), path)
	if err != nil {
		return nil, err
	}
	for i, r := range records {
		if r.Start.Rules() != rules {
			return nil, fmt.Errorf("%s: game %d is of %s: expected %s", path, i+1, r.Start.Rules(), rules)
		}
	}
	return records, nil
}

func (e *expandFlags) print(out io.Writer, sum dropout.Summary) error {
	if e.asJSON {
		return json.NewEncoder(out).Encode(sum)
	}
	fmt.Fprintf(out, `%d entries of %d positions searched (%d million visited), to ply %d, in %s; ended: %s
each search: %s
%d moves repeat a position and are no part of it
at the root: %s
with %s the book can grow on
`, sum.Entries, sum.Searched, sum.Visited/1e6, sum.MaxDepth, e.out, sum.Ended,
		e.req.Config, sum.Cycles, book.ScoresText(sum.RootScores, e.req.Root.ToMove()), e.req.Log)
	return nil
}
