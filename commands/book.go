package commands

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"kroo/book"
	"kroo/dropout"
	"kroo/endgame"
	"kroo/engine"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/doc"
	"kroo/report"
	"kroo/run/inspect"
)

func bookCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:   "book",
		Short: "opening books of oware: grow, query, merge, verify",
		Long: `Grows opening books and shows what is in them. A book is a file, or "default" for
the program's own, which is for abapa.`,
		Example: "  train book expand --weights weights.json -o book.bin\n" +
			"  train inspect default\n" +
			"  train book query book.bin",
	},
		bookExpandCommand(), bookDeepenCommand(), bookQueryCommand(), bookStatsCommand(), bookDumpCommand(),
		bookMergeCommand(), bookPruneCommand(), bookVerifyCommand(),
	)
}

// openBook opens a book.
func openBook(path string) (*book.Book, oware.Rules, error) {
	return book.FindFor(path, "")
}

func bookQueryCommand() *cobra.Command {
	return newCommand(&cobra.Command{
		Use:   "query [BOOK] [BOARD]",
		Short: "show the values of a position's moves (default the start)",
		Long: `Looks up a position in a book (by default the program's own) and prints the values of its
moves in seeds, for the side to move. A star marks the best moves. Next to it is where
each value comes from: the number of plies to the end of the line of best moves, and the
kind of the value there. --json has the values in points, like the
file: 1000/24 per seed. A board is A-…-F-a-…-f-storeS-storeN-S|N.`,
		Example: "  train book query\n" +
			"  train book query book.bin\n" +
			"  train book query default 4-4-4-4-4-0-5-5-5-5-4-4-0-0-N --json",
	}, func(j *job) error {
		path, board := operandsOfQuery(j.args)
		b, r, err := openBook(path)
		if err != nil {
			return err
		}
		p, err := positionOf(oware.Descriptor(), r.String(), "BOARD", board)
		if err != nil {
			return err
		}
		found, err := b.Query(p)
		if err != nil {
			return err
		}
		return j.show("", found)
	})
}

// likeBoard matches a board, or what is one but for a mistake. Files whose names match are called ./NAME.
var likeBoard = regexp.MustCompile(`^[0-9]+(-[0-9SN]*){4,}$`)

// operandsOfQuery returns the book, or the default one, and the board, or "".
func operandsOfQuery(args []string) (path, board string) {
	args = append(args, "")
	if len(args) == 2 && likeBoard.MatchString(args[0]) {
		return book.DefaultName, args[0]
	}
	return cmp.Or(args[0], book.DefaultName), append(args, "")[1]
}

func bookStatsCommand() *cobra.Command {
	var f plotsFlag
	return newCommand(&cobra.Command{
		Use:   "stats BOOK [GAMES.ogn]",
		Short: "show the coverage of a book, and where games leave it",
		Long: `Prints the number of entries by ply, counted from the roots of the book on the shortest
way, and how many of their moves lead to another entry: the book's coverage of the
next ply. Then the drop-out diagrams: where games leave the book while its player
makes best moves and the opponent any, by depth, with the worst, the median and the
best value for the player in seeds. --json lists every leaf with its value in points
(1000/24 per seed), --plots writes the diagrams, dropout-south and dropout-north.

With GAMES.ogn it prints how far these games stay in the book, where they leave it, by
which moves, and how much these lose by the book's values. --json has every such move.`,
		Example: "  train book stats default\n" +
			"  train book stats book.bin --json\n" +
			"  train book stats default --plots figures\n" +
			"  train book stats default match.ogn",
	}, func(j *job) error {
		b, r, err := openBook(j.args[0])
		if err != nil {
			return err
		}
		if len(j.args) == 2 {
			if err := j.notWith("a file of games", "plots"); err != nil {
				return err
			}
			records, err := gamesUnder(r, j.args[1])
			if err != nil {
				return err
			}
			played, err := book.Play(j.Context(), b, r, records)
			if err != nil {
				return err
			}
			return j.show("", played.Doc())
		}
		s, err := book.Survey(j.Context(), b, r)
		if err != nil {
			return err
		}
		d := s.Doc()
		for side := range oware.Descriptor().Sides {
			d.Sections[1+side].Figures = []doc.Drawing{report.DropOut{Side: oware.Side(side), Leaves: s.Sides[side].Leaves}}
		}
		if err := f.save(j, d); err != nil {
			return err
		}
		return j.show("", d)
	}, &f)
}

// gamesUnder reads a file of games that all have the given rules.
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

func bookDumpCommand() *cobra.Command {
	return withoutJSON(&cobra.Command{
		Use:     "dump BOOK",
		Aliases: []string{"export"},
		Short:   "write a book as CSV: one line per entry",
		Long: `Writes a book to standard output: one line per entry, with the board and the values of
its moves in points (1000/24 per seed). "export" is another name of this command.`,
		Example: "  train book dump book.bin > book.csv",
	}, func(j *job) error {
		b, r, err := openBook(j.args[0])
		if err != nil {
			return err
		}
		return book.Dump(j.OutOrStdout(), b, r)
	})
}

func bookMergeCommand() *cobra.Command {
	var f struct {
		Out string `name:"output" flag:"output,o" file:"made" help:"book to write"`
	}
	return newCommand(&cobra.Command{
		Use:   "merge BOOK BOOK",
		Short: "join two books and make their values agree",
		Long: `Writes a book of all positions of two books for the same rules. A position in both
keeps the values of the first book. Then every move to a position of the new book
gets the negative of the best value there, so values of one book propagate along the
lines of the other. The header is the first book's, with a line about the second.`,
		Example: "  train book merge south.bin north.bin -o book.bin",
	}, func(j *job) error {
		if _, err := j.claimOutputs([]output{{path: f.Out, kind: inspect.KindBook, compared: true}}, j.args...); err != nil {
			return err
		}
		a, _, err := openBook(j.args[0])
		if err != nil {
			return err
		}
		b, _, err := openBook(j.args[1])
		if err != nil {
			return err
		}
		entries, err := book.Merge(j.Context(), a, b)
		if err != nil {
			return err
		}
		merged := []string{fmt.Sprintf("%s of %d entries", b.Checksum(), b.Len())}
		for _, name := range []string{book.FieldLimits, book.FieldWeights, book.FieldEngine} {
			if v := b.Header().Get(name); v != "" && v != a.Header().Get(name) {
				merged = append(merged, name+" "+v)
			}
		}
		header := a.Header().Derive(book.Field{Name: "Merged with", Value: strings.Join(merged, ", ")})
		if err := book.Write(f.Out, header, entries); err != nil {
			return err
		}
		return j.print(map[string]any{"file": f.Out, "entries": len(entries)}, "%d entries from %d and %d, in %s\n",
			len(entries), a.Len(), b.Len(), f.Out)
	}, &f)
}

func bookPruneCommand() *cobra.Command {
	var f struct {
		book.PruneConfig
		Out string `name:"output" flag:"output,o" file:"made" help:"book to write"`
	}
	return newCommand(&cobra.Command{
		Use:   "prune BOOK",
		Short: "drop the positions that no game from the book reaches",
		Long: `Writes a smaller book. It keeps the positions that a game from a root of the book
(usually the start) can reach while the book's player makes moves that lose at
most --loss seeds to the best and the opponent any move; with --plies, only the first
plies of the game. Values stay as they are.`,
		Example: "  train book prune book.bin --loss 1 -o small.bin\n" +
			"  train book prune book.bin --plies 12 --loss 0 --side south -o south.bin",
	}, func(j *job) error {
		if _, err := j.claimOutputs([]output{{path: f.Out, kind: inspect.KindBook, compared: true}}, j.args...); err != nil {
			return err
		}
		c := f.PruneConfig
		if c.Plies == 0 && c.Loss == nil {
			return usagef("nothing to drop: give --plies, --loss or both")
		}
		b, r, err := openBook(j.args[0])
		if err != nil {
			return err
		}
		entries, err := book.Prune(j.Context(), b, r, c)
		if err != nil {
			return err
		}
		loss := "any"
		if c.Loss != nil {
			loss = fmt.Sprintf("%g seeds", *c.Loss)
		}
		by := fmt.Sprintf("from %s of %d entries, plies %d, loss %s, side %s", b.Checksum(), b.Len(), c.Plies, loss, c.Sides)
		if err := book.Write(f.Out, b.Header().Derive(book.Field{Name: "Pruned", Value: by}), entries); err != nil {
			return err
		}
		return j.print(map[string]any{"file": f.Out, "entries": len(entries)}, "%d of %d entries kept, in %s\n", len(entries),
			b.Len(), f.Out)
	}, &f)
}

func bookVerifyCommand() *cobra.Command {
	var f tablesFlag
	return newCommand(&cobra.Command{
		Use:   "verify BOOK",
		Short: "check a book for errors; exit 1 if there are any",
		Long: `Checks the checksums and the order of a book, that its positions and moves are
legal, that a move to another entry has the negative of the best value there (or, if
it closes a cycle, the value of the repetition by the rules), and that no value
contradicts the endgame tables. A book without checksums, as other programs write
them, gives a warning only.`,
		Example: "  train book verify book.bin\n  train book verify default --tables none --json",
	}, func(j *job) error { return verifyBook(j, f.Tables) }, &f)
}

// verifyBook checks the book of the operand, also by the endgame tables if there are any.
func verifyBook(j *job, tables string) error {
	path := j.args[0]
	var table *endgame.Table
	open := func(rules oware.Rules) (_ book.Prober, err error) {
		table, err = engine.OpenTable(tables, rules.String())
		if table == nil {
			return nil, err
		}
		j.closers = append(j.closers, func() { table.Close() })
		return table, nil
	}
	r, err := book.Verify(j.Context(), path, open)
	if err != nil {
		return err
	}
	if table != nil && table.Err() != nil {
		return table.Err()
	}
	if err := j.show(path, r.Doc()); err != nil {
		return err
	}
	if !r.OK() {
		return fmt.Errorf("%s: the book has errors", path)
	}
	return nil
}

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
		{path: e.Out, kind: inspect.KindBook, log: req.Log, unlogged: "cover|cover-plies|position|rules"},
		{path: req.Log, kind: inspect.KindJournal},
	}
	req.Made, err = j.claimOutputs(outputs, e.Weights, e.Tables, e.Cover)
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

type deepenArgs struct {
	engine.Config
	dropout.RefineRequest `name:"."`
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
	}, d.run, &d)
}

func (d *deepenArgs) run(j *job) error {
	req := d.RefineRequest
	if err := asUsage(req.Check()); err != nil {
		return err
	}
	var err error
	req.By, err = d.engineFlag.searcher(j, d.Weights, &d.Config)
	if err != nil {
		return err
	}
	req.Notice, req.Log = warn, d.Out+".log"
	b, r, err := openBook(j.args[0])
	if err != nil {
		return err
	}
	req.Root, err = positionOf(oware.Descriptor(), r.String(), "--position", d.Position)
	if err != nil {
		return err
	}
	req.Rules = r
	outputs := []output{
		{path: d.Out, kind: inspect.KindBook, log: req.Log, unlogged: "position|rules"},
		{path: req.Log, kind: inspect.KindJournal},
	}
	req.Made, err = j.claimOutputs(outputs, j.args[0], d.Weights, d.Tables)
	if err != nil {
		return err
	}
	req.Farm, err = j.dial(d.farmFlags)
	if err != nil {
		return err
	}
	sum, err := dropout.Refine(j.Context(), b, req, d.Out, j.progress("deepen", "leaves"))
	if sum.Entries > 0 {
		if err := j.show("", sum.Doc(d.Out, req)); err != nil {
			return err
		}
	}
	return err
}
