package commands

import (
	"fmt"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	conformance "kroo/engine/uci/check"
	"kroo/games/oware"
	"kroo/internal/console"
	"kroo/internal/outline"
	"kroo/internal/wording"
)

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
	d := &outline.Doc{Title: found.Game, Value: found, Sections: []outline.Section{
		{Table: outline.TableOf([]string{"check", "", "what it did"}, found.Findings, func(c conformance.Finding) []any {
			passed := "NO"
			if c.OK {
				passed = "yes"
			}
			return []any{c.Check, passed, c.Detail}
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
	addCommand := func(format string, args ...any) {
		line := "  " + wording.Program() + " " + fmt.Sprintf(format, args...)
		b.WriteString(console.FoldCommand(line, os.Stdout) + "\n")
	}
	limit, plays := exampleLimits[found.Limits[0]], program
	fmt.Fprintf(&b, "Limits that it obeys: %s. For example:\n", strings.Join(found.Limits, ", "))
	game := ""
	if found.Game != oware.Descriptor().Name {
		game = " --game " + found.Game
	}
	if found.Labels {
		addCommand("label positions.parquet -o labels.parquet --engine %s %s", quotePath(program), limit)
	}
	if found.NoBook != "" && !strings.Contains(program, found.NoBook) {
		plays += "," + found.NoBook
	}
	addCommand("match%s --a %s %s", game, quotePath(plays), limit)
	if found.Labels && game == "" {
		addCommand("book expand -o book.bin --engine %s %s", quotePath(program), limit)
	}
	if !found.Labels {
		b.WriteString("Its scores cannot be used for labels or a book.\n")
	}
	return b.String()
}
