package commands

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"kroo/engine"
	"kroo/engine/uci/check"
	"kroo/games/oware"
	"kroo/internal/doc"
)

func engineCommand() *cobra.Command {
	cmd := &cobra.Command{
		Use:     "engine",
		Short:   "other programs that speak UCI",
		Example: "  train engine check 'cmd=./engine uci'",
	}
	group(cmd, engineCheckCommand())
	return cmd
}

// engineCheckFlags are those of train engine check.
type engineCheckFlags struct {
	game, text string
	asJSON     bool
}

func engineCheckCommand() *cobra.Command {
	var f engineCheckFlags
	cmd := &cobra.Command{
		Use:   "check cmd=PROGRAM…",
		Short: "check what a program obeys and reports, before you use it",
		Long: `Starts another program that speaks UCI and tests the start position, boards, moves,
limits by nodes, depth and time, stop, scores as either side, reports, its own
book, the end of the game and repetitions. Prints what works, and what to pass to label,
match and book expand. It takes seconds, or a minute with a program that hangs.

The program is described as in matches: 'cmd=PROGRAM ARGUMENTS,option.NAME=VALUE', and
dir, startup, timeout and unit. If the program breaks the rules, the exit code is 1.`,
		Example: "  train engine check 'cmd=./engine uci,option.Hash=16'\n  train engine check --game chess cmd=/usr/games/stockfish\n  train engine check cmd=./engine --json",
		Args:    exactArgs(1, "the program, as cmd=PROGRAM"),
		RunE: func(cmd *cobra.Command, args []string) error {
			f.text = args[0]
			return onGame(f.game, func(g game) error { return g.checkEngine(cmd, f) })
		},
	}
	gameFlag(cmd, &f.game)
	jsonFlag(cmd, &f.asJSON)
	return cmd
}

func (g gameOf[P]) checkEngine(cmd *cobra.Command, f engineCheckFlags) error {
	p, err := engine.ParseProgram(f.text)
	if err != nil {
		return usageError{err}
	}
	update, finish := progress("checking", "checks")
	found, err := check.Program(cmd.Context(), g.kit, p, update)
	finish()
	if err != nil {
		return err
	}
	err = show(cmd, found.Program, f.doc(found))
	if err == nil && !found.Plays {
		err = fmt.Errorf("%s does not play %s as Kroo does: see the first lines", found.Program, found.Game)
	}
	return err
}

func (f engineCheckFlags) doc(found *check.Report) *doc.Doc {
	return &doc.Doc{Title: found.Game, Value: found, Sections: []doc.Section{
		{Table: doc.TableOf([]string{"check", "", "what it did"}, found.Findings, func(c check.Finding) []any {
			ok := "NO"
			if c.OK {
				ok = "yes"
			}
			return []any{c.Check, ok, c.Detail}
		})},
		{Plain: f.advice(found)},
	}}
}

// usualLimits are the flags of limits as examples have them.
var usualLimits = map[string]string{"--nodes": "--nodes 10000", "--depth": "--depth 8", "--movetime": "--movetime 200ms"}

// advice is what to pass to commands.
func (f engineCheckFlags) advice(found *check.Report) string {
	switch {
	case !found.Plays:
		return ""
	case len(found.Limits) == 0:
		return "It obeys no limit: a match with a clock (--tc 10s+100ms) may work, labels and books do not.\n"
	}
	var b strings.Builder
	limit, program := usualLimits[found.Limits[0]], f.text
	fmt.Fprintf(&b, "Limits that it obeys: %s. Pass it so:\n", strings.Join(found.Limits, ", "))
	game := ""
	if found.Game != oware.Descriptor().Name {
		game = " --game " + found.Game
	}
	if found.Labels {
		fmt.Fprintf(&b, "  train label positions.parquet -o labels.parquet --engine %s %s\n", quoted(program), limit)
	}
	if found.NoBook != "" && !strings.Contains(program, found.NoBook) {
		program += "," + found.NoBook
	}
	fmt.Fprintf(&b, "  train match%s --a %s %s\n", game, quoted(program), limit)
	if found.Labels && game == "" {
		fmt.Fprintf(&b, "  train book expand -o book.bin --engine %s %s\n", quoted(f.text), limit)
	}
	if !found.Labels {
		b.WriteString("Its scores cannot be used for labels or a book.\n")
	}
	return b.String()
}
