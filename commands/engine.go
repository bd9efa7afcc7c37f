package commands

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/search"
	conformance "kroo/engine/uci/check"
	"kroo/engine/uci/client"
	"kroo/games"
	"kroo/games/oware"
	"kroo/internal/doc"
)

// engineFlag is another program that searches instead of Kroo's engine.
type engineFlag struct {
	Engine string `name:"engine" group:"Search" help:"UCI program that searches instead of Kroo's engine: cmd=PROGRAM,option.NAME=VALUE…"`
}

const engineHelp = `
With --engine another UCI program searches instead: see ` + "`train help players`" + `.`

// searcher returns the program, or Kroo's engine with weights, and sets the limits of its searches.
func (e engineFlag) searcher(j *job, weights string, c *engine.Config) (engine.Spec, error) {
	if err := j.limit(c); err != nil {
		return engine.Spec{}, err
	}
	s, err := e.spec(j, weights, &c.Tables)
	if err != nil {
		return engine.Spec{}, err
	}
	s.Search = *c
	return s, nil
}

// spec returns the program, or Kroo's engine with weights. It refuses flags for Kroo's engine if
// there is a program, which also uses no endgame tables unless --tables is given.
func (e engineFlag) spec(j *job, weights string, tables *string) (engine.Spec, error) {
	s := engine.Spec{Weights: weights}
	if e.Engine == "" {
		return s, nil
	}
	for _, name := range []string{"weights", "hash", "full-width", "step"} {
		if j.given(name) {
			return engine.Spec{}, usagef("--%s with --engine: it is for Kroo's engine; options of the program are option.NAME=VALUE", name)
		}
	}
	p, err := engine.ParseProgram(e.Engine)
	if err != nil {
		return engine.Spec{}, usagef("--engine: %v", err)
	}
	if j.given("farm") {
		return engine.Spec{}, usagef("--engine with --farm: the program searches on this machine only: leave out --farm")
	}
	watch(&p)
	s.Program = p
	if !j.given("tables") {
		*tables = engine.NoTables
	}
	return s, nil
}

// watch warns of searches of a program that exceed their limits.
func watch(p *client.Command) { p.Watch = &client.LimitWatch{Warn: warn} }

func engineCommand() *cobra.Command {
	return group(&cobra.Command{
		Use:     "engine",
		Short:   "other programs that speak UCI",
		Example: "  train engine check 'cmd=./engine uci'",
	}, engineCheckCommand())
}

func engineCheckCommand() *cobra.Command {
	var f gameFlag
	return newCommand(&cobra.Command{
		Use:   "check cmd=PROGRAM",
		Short: "check what a program obeys and reports, before you use it",
		Long: `Starts another program that speaks UCI and tests the start position, boards, moves,
limits by nodes, depth and time, stop, scores as either side, reports, its own
book, the end of the game and repetitions. Prints what works, and what to pass to label,
match and book expand. It takes seconds, or a minute with a program that hangs.

The program is described as in matches: 'cmd=PROGRAM ARGUMENTS,option.NAME=VALUE', and
dir, startup, timeout and unit. If the program breaks the rules, the exit code is 1.`,
		Example: "  train engine check 'cmd=./engine uci,option.Hash=16'\n" +
			"  train engine check --game chess cmd=/usr/games/stockfish\n" +
			"  train engine check cmd=./engine --json",
	}, func(j *job) error { return f.game().checkEngine(j) }, &f)
}

func (g gameOf[P]) checkEngine(j *job) error {
	text := j.args[0]
	p, err := engine.ParseProgram(text)
	if err != nil {
		return asUsage(err)
	}
	found, err := conformance.Program(j.Context(), g.kit, p, j.progress("checking", "checks"))
	if err != nil {
		return err
	}
	d := &doc.Doc{Title: found.Game, Value: found, Sections: []doc.Section{
		{Table: doc.TableOf([]string{"check", "", "what it did"}, found.Findings, func(c conformance.Finding) []any {
			return []any{c.Check, map[bool]string{true: "yes", false: "NO"}[c.OK], c.Detail}
		})},
		{Plain: advice(text, found)},
	}}
	if err := j.show(found.Program, d); err != nil {
		return err
	}
	if !found.Plays {
		return fmt.Errorf("%s does not play %s as Kroo does: see the first lines", found.Program, found.Game)
	}
	return nil
}

var exampleLimits = map[string]string{"--nodes": "--nodes 10000", "--depth": "--depth 8", "--movetime": "--movetime 200ms"}

func advice(program string, found *conformance.Report) string {
	switch {
	case !found.Plays:
		return ""
	case len(found.Limits) == 0:
		return "It obeys no limit: a match with a clock (--tc 10+0.1) may work, labels and books do not.\n"
	}
	var b strings.Builder
	limit, plays := exampleLimits[found.Limits[0]], program
	fmt.Fprintf(&b, "Limits that it obeys: %s. For example:\n", strings.Join(found.Limits, ", "))
	game := ""
	if found.Game != oware.Descriptor().Name {
		game = " --game " + found.Game
	}
	if found.Labels {
		fmt.Fprintf(&b, "  train label positions.parquet -o labels.parquet --engine %s %s\n", quotePath(program), limit)
	}
	if found.NoBook != "" && !strings.Contains(program, found.NoBook) {
		plays += "," + found.NoBook
	}
	fmt.Fprintf(&b, "  train match%s --a %s %s\n", game, quotePath(plays), limit)
	if found.Labels && game == "" {
		fmt.Fprintf(&b, "  train book expand -o book.bin --engine %s %s\n", quotePath(program), limit)
	}
	if !found.Labels {
		b.WriteString("Its scores cannot be used for labels or a book.\n")
	}
	return b.String()
}

func benchCommand() *cobra.Command {
	var f struct {
		Depth     int  `name:"depth" range:"1..512" help:"plies (default that of the signature)"`
		HashMB    int  `name:"hash" range:"1..65536" help:"hash table, in MiB (default that of the signature)"`
		FullWidth bool `name:"full_width" help:"search all moves to the same depth"`
	}
	return newCommand(&cobra.Command{
		Use:   "bench",
		Short: "search fixed positions: speed, and the engine's signature",
		Long: `Searches a fixed list of oware positions to a fixed depth and prints the number of
nodes last. This number changes exactly when the search or evaluation changes, so it
is the engine's signature. Speed and the median time of a position go to standard
error. With flags it is a measurement, not the signature.`,
		Example: "  train bench\n  train bench --full-width --depth 21 --hash 256",
	}, func(j *job) error {
		if err := (engine.Config{HashMB: f.HashMB}).CheckMemory(1); err != nil {
			return err
		}
		c := engine.BenchConfig{Depth: f.Depth, Options: search.Options{HashMB: f.HashMB, FullWidth: f.FullWidth}}
		results, err := engine.Bench(j.Context(), c, j.progress("bench", "positions"))
		if err != nil {
			return err
		}
		type row struct {
			Board   string  `json:"board"`
			Nodes   int64   `json:"nodes"`
			Seconds float64 `json:"seconds"`
		}
		var rows []row
		var nodes int64
		var took time.Duration
		var times []time.Duration
		for _, r := range results {
			rows = append(rows, row{r.Position.String(), r.Nodes, r.Time.Seconds()})
			nodes += r.Nodes
			took += r.Time
			times = append(times, r.Time)
		}
		slices.Sort(times)
		j.note("%.2f s, %.2f million nodes/s, median %s per position\n",
			took.Seconds(), float64(nodes)/1e6/took.Seconds(), times[len(times)/2].Round(time.Microsecond))
		return j.print(rows, "Bench: %d\n", nodes)
	}, &f)
}

type perftArgs struct {
	rulesFlags
	positionFlag
	Depth int `name:"depth" default:"8" range:"0..40" help:"plies"`
}

type perftFound struct {
	Leaves int64            `json:"leaves"`
	Moves  map[string]int64 `json:"moves"` // leaves after each move
}

func perftCommand() *cobra.Command {
	var f perftArgs
	return newCommand(&cobra.Command{
		Use:   "perft",
		Short: "count move sequences, to check and time the move generator",
		Long: `Counts the move sequences of --depth plies, by first move, and prints
the total last. Standard error shows the speed.`,
		Example: "  train perft --depth 11\n" +
			"  train perft --rules awari --depth 8 --position 4-4-4-4-4-4-4-4-4-4-4-4-0-0-S\n" +
			"  train perft --game tictactoe --depth 9\n" +
			"  train perft --game othello --rules 6x6 --depth 9\n" +
			"  train perft --game chess --depth 5",
	}, func(j *job) error { return f.game().perft(j, &f) }, &f)
}

// perftSteps is the number of plies that [gameOf.perft] makes itself, to report progress and to stop
// between the positions after them.
const perftSteps = 3

// perftBranch is a position after the first plies.
type perftBranch[P any] struct {
	first    string // the first move; "" at the start
	position P
}

// playMoves returns the branches after one more ply.
func (g gameOf[P]) playMoves(all []perftBranch[P]) (next []perftBranch[P]) {
	for _, b := range all {
		if _, over := b.position.Terminal(); over {
			continue
		}
		for _, m := range b.position.AppendMoves(nil) {
			first := cmp.Or(b.first, g.kit.Game.MoveName(b.position, m))
			next = append(next, perftBranch[P]{first, b.position.Play(m)})
		}
	}
	return next
}

func (g gameOf[P]) perft(j *job, f *perftArgs) error {
	rules, err := f.rules()
	if err != nil {
		return err
	}
	start, err := positionOf(g.kit.Game, rules, "--position", f.Position)
	if err != nil {
		return err
	}
	count := g.kit.Game.Perft
	if count == nil {
		count = games.Perft[P]
	}
	began := time.Now()
	steps := min(f.Depth, perftSteps)
	all := []perftBranch[P]{{"", start}}
	var firsts []string
	for ply := range steps {
		all = g.playMoves(all)
		if ply > 0 {
			continue
		}
		for _, b := range all {
			firsts = append(firsts, b.first)
		}
	}
	found, progress := perftFound{Moves: map[string]int64{}}, j.progress("perft", "positions")
	for i, b := range all {
		progress.At(int64(i), int64(len(all)))
		leaves := count(b.position, f.Depth-steps)
		found.Leaves += leaves
		if b.first != "" {
			found.Moves[b.first] += leaves
		}
		if err := context.Cause(j.Context()); err != nil {
			return err
		}
	}
	progress.At(int64(len(all)), int64(len(all)))
	seconds, text := max(time.Since(began).Seconds(), 1e-9), ""
	j.note("%d leaves in %.2f s, %.0f million leaves/s\n", found.Leaves, seconds, float64(found.Leaves)/1e6/seconds)
	for _, name := range firsts {
		text += fmt.Sprintf("%s %d\n", name, found.Moves[name])
	}
	return j.print(found, "%s%d\n", text, found.Leaves)
}
